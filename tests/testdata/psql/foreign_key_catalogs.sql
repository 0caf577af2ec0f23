-- FOREIGN KEY constraints as catalogs show them.
create table p (id int primary key, v text, w int, unique (w, v));
create table c (a int references p, b int, t text, constraint two foreign key (b, t) references p (w, v) match full on delete set null (b) on update cascade, constraint three foreign key (t, b) references p (v, w) on delete set default on update restrict);
alter table c add constraint nv foreign key (b) references p on delete cascade on update set null not valid;
create table s (id int primary key, parent int references s on delete cascade);
\d c
\d p
\d s
\d+ c
select conname, contype, conrelid::regclass, confrelid::regclass, conkey, confkey, confupdtype, confdeltype, confmatchtype, convalidated, confdelsetcols, conindid::regclass, condeferrable, condeferred, connoinherit, conislocal, coninhcount from pg_constraint where contype='f' order by 1;
select conname, pg_get_constraintdef(oid), pg_get_constraintdef(oid, true) from pg_constraint where contype='f' order by 1;
set search_path = pg_catalog;
select conname, pg_get_constraintdef(oid) from pg_constraint where contype='f' order by 1;
reset search_path;
select constraint_schema, constraint_name, table_name, constraint_type, is_deferrable, initially_deferred, enforced, nulls_distinct from information_schema.table_constraints where table_name in ('c', 'p','s') and constraint_type <> 'CHECK' order by 2;
select constraint_schema, constraint_name, unique_constraint_schema, unique_constraint_name, match_option, update_rule, delete_rule from information_schema.referential_constraints order by 2;
select constraint_name, table_name, column_name, ordinal_position, position_in_unique_constraint from information_schema.key_column_usage where table_name in ('c', 'p','s') order by 1, 4;
select table_name, column_name, constraint_name from information_schema.constraint_column_usage where table_name in ('c', 'p','s') order by 3,2;
select table_name, constraint_name from information_schema.constraint_table_usage where table_name in ('c', 'p','s') order by 2;
select relname, relhastriggers from pg_class where relname in ('c','p','s') order by 1;
select c.conname, d.refclassid::regclass, case when d.refclassid = 'pg_class'::regclass then d.refobjid::regclass end, d.refobjsubid, d.deptype from pg_depend d join pg_constraint c on c.oid = d.objid and d.classid = 'pg_constraint'::regclass where contype = 'f' order by 1, 3::text, 4, 5;
drop table c, p, s;
