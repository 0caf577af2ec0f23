-- Unique indexes with conditions and expressions of temporary tables, materialized views and generated columns,
-- and in transactions: what psql shows is compared with PostgreSQL.
create table p(id int primary key, email text, deleted_at timestamp, x int);
create unique index p_email on p(email) where deleted_at IS NULL;
create unique index p_l on p(lower(email), x) include (id);
SELECT i.relname, ix.indisunique, a.attname, pg_get_indexdef(ix.indexrelid, a.attnum, true) FROM pg_class t JOIN pg_index ix ON t.oid=ix.indrelid JOIN pg_class i ON i.oid=ix.indexrelid JOIN pg_attribute a ON a.attrelid=i.oid WHERE t.relname='p' order by 1,a.attnum;
SELECT i.relname, a.attname FROM pg_class t JOIN pg_index ix ON t.oid=ix.indrelid JOIN pg_class i ON i.oid=ix.indexrelid JOIN pg_attribute a ON a.attrelid=t.oid AND a.attnum = ANY(ix.indkey) WHERE t.relname='p' order by 1,2;
insert into p values (1,'a',null,1);
begin; insert into p values (2,'a',null,2); rollback;
begin; savepoint s; insert into p values (2,'b',null,2); rollback to s; insert into p values (3,'b',null,2); commit;
select * from p order by 1;
begin; drop index p_email; insert into p values (9,'a',null,9); rollback;
insert into p values (9,'a',null,9);
truncate p; insert into p values (9,'a',null,9);
alter table p set schema pg_temp_nope;
create temp table tp (a int, b int); create unique index on tp (a) where b > 0; insert into tp values (1,0),(1,0),(1,1); insert into tp values (1,1);
create materialized view mv as select id, email from p; create unique index on mv (lower(email)); refresh materialized view concurrently mv; refresh materialized view mv;
\d mv
create unique index on mv (id); refresh materialized view concurrently mv;
alter table p add column y int generated always as (x*2) stored; create unique index on p ((y + 1)); insert into p values (10,'c',null,9);
drop table p cascade;
