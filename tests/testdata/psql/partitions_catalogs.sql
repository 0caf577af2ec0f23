-- What the catalogs show of partitioned tables.
create table sales (day date not null, region text default 'x', amount numeric(10,2), constraint pos check (amount >= 0.0), primary key (day, region)) partition by range (day);
create index sales_amount on sales (amount);
create table sales_jan partition of sales for values from ('2024-01-01') to ('2024-02-01');
create table sales_feb partition of sales (constraint feb check (amount < 100.0)) for values from ('2024-02-01') to ('2024-03-01') partition by list (region);
create table sales_feb_n partition of sales_feb for values in ('n', 's');
create table sales_feb_rest partition of sales_feb default;
\d
\d sales
\d sales_jan
\d sales_feb
\d sales_feb_n
\dP
\dt
\di
select relname, relkind, relispartition, relhassubclass, pg_get_expr(relpartbound, oid) from pg_class where relname like 'sales%' order by 1;
select inhrelid::regclass, inhparent::regclass, inhseqno from pg_inherits order by inhrelid::regclass::text;
select partrelid::regclass, partstrat, partnatts, partattrs, partdefid::regclass, partexprs from pg_partitioned_table order by partrelid::regclass::text;
select pg_get_partkeydef('sales'::regclass), pg_get_partkeydef('sales_feb'::regclass), pg_get_partkeydef('sales_jan'::regclass);
select conname, conrelid::regclass, contype, conislocal, coninhcount, conparentid <> 0 from pg_constraint where conrelid::regclass::text like 'sales%' order by conrelid::regclass::text, 1;
select table_name, table_type from information_schema.tables where table_name like 'sales%' order by 1;
select tablename, indexname, indexdef from pg_indexes where tablename like 'sales%' order by 1, 2;
select attname, attislocal, attinhcount from pg_attribute where attrelid = 'sales_jan'::regclass and attnum > 0 order by attnum;
select * from pg_partition_tree('sales') order by level, relid::text;
select * from pg_partition_ancestors('sales_feb_n');
select * from pg_partition_tree('sales_feb_rest');
alter index sales_amount rename to sales_by_amount;
comment on index sales_by_amount is 'of sales';
alter table sales rename to turnover;
alter table turnover rename column amount to total;
\d turnover
\d sales_feb_n
alter table sales_feb rename to february;
alter table turnover drop constraint pos;
\d february
alter table turnover detach partition february;
\d february
\d turnover
alter table turnover attach partition february for values from ('2024-02-01') to ('2024-03-01');
insert into turnover values ('2024-02-03', 'n', 3), ('2024-02-04', 'q', 4);
select * from sales_feb_n;
select * from february order by 1;
alter table turnover detach partition february;
select * from turnover;
select * from february order by 1;
drop table turnover, february;
