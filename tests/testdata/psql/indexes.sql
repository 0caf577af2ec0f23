-- Indexes: unique ones are enforced, others are known to the catalog.
create table ix(a int, b text, c varchar(20), j json, k jsonb, d date, "Odd X" int);
insert into ix values (1,'x','y','{}','{}','2024-01-01',3),(2,'x','z','{}','{}','2024-01-01',4);
create index on ix(a);
create index on ix(a);
create index ix_b on ix using btree (b desc, a);
create index ix_b on ix(b);
create index if not exists ix_b on ix(b);
create unique index on ix(b);
create unique index uq on ix(a, b);
create unique index concurrently uq2 on ix("Odd X" desc nulls last, d nulls first);
insert into ix values (1,'x','y','{}','{}','2024-01-01',3);
insert into ix values (null,'x','y','{}','{}','2024-01-01',null);
create index on ix(nope);
create index on nope(a);
create index on ix(j);
create index on ix using gin (k);
create index on ix using gin (k jsonb_path_ops);
create index on ix using gin (a);
create index on ix using hash (a, b);
create index h on ix using hash (a);
create unique index on ix using hash (a);
create index on ix using zzz (a);
create index lk on ix (c varchar_pattern_ops, b text_pattern_ops desc);
create index on ix (c nope_ops);
\d ix
\d ix_b
\di
select indexname, indexdef from pg_indexes where tablename='ix' order by 1;
select relname, indisunique, indisprimary, indkey, indoption, amname from pg_index i join pg_class c on c.oid=i.indexrelid join pg_am a on a.oid=c.relam where indrelid='ix'::regclass order by 1;
select conname from pg_constraint where conrelid='ix'::regclass;
select constraint_name from information_schema.table_constraints where table_name='ix';
select pg_get_constraintdef('uq'::regclass), pg_get_indexdef('uq2'::regclass), pg_get_indexdef('uq2'::regclass,1,true), pg_get_indexdef('lk'::regclass,2,true);
create view vix as select a from ix;
create index on vix(a);
begin;
create index concurrently q on ix(a);
rollback;
begin;
create unique index q on ix(a,b,c);
insert into ix values (2,'x','z','{}','{}','2024-01-01',9);
rollback;
drop index nope;
drop index if exists nope;
drop index ix;
drop index ix_b, uq;
drop index concurrently ix_a_idx, ix_a_idx1;
alter index ix_a_idx rename to ix_a_new;
alter index nope rename to x;
alter index if exists nope rename to x;
alter index ix_a_new rename to uq2;
create table pk(a int primary key, b int unique);
drop index pk_pkey;
alter index pk_pkey rename to pk_new;
\d pk
create index pk on ix(a);
reindex table ix;
reindex index uq2;
reindex index nope;
reindex table nope;
alter table ix drop column b;
\d ix
alter table ix alter column a type bigint;
\d ix
alter table pk drop constraint uq2;
drop table ix cascade;
select count(*) from pg_indexes where tablename='ix';
create table uq9(a int); create index uq9i on uq9(a); create table uq9i(a int);
drop table uq9, pk;
\dA
