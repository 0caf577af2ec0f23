-- What dbt does to build models: tables and views that replace others, with comments and grants.
select distinct nspname from pg_namespace where nspname not like 'pg\_%' order by 1;
select count(*) from pg_namespace where nspname = 'public';
create table orders (id int, customer int, amount numeric(10,2), note varchar(20), day date);
insert into orders values (1, 1, 5.5, 'a', '2020-01-01'), (2, 1, 7, null, '2020-01-02'), (3, 2, 1, 'c', null);
begin;
create table "public"."sums__dbt_tmp" as ( select customer, sum(amount) as total from "public"."orders" group by 1 );
alter table "public"."sums__dbt_tmp" rename to "sums";
commit;
create view "public"."recent__dbt_tmp" as ( select * from "public"."orders" where day > '2020-01-01' );
alter view "public"."recent__dbt_tmp" rename to "recent";
select 'db' as database, tablename as name, schemaname as schema, 'table' as type from pg_tables where schemaname ilike 'public'
  union all select 'db' as database, viewname as name, schemaname as schema, 'view' as type from pg_views where schemaname ilike 'public' order by 2;
select column_name, data_type, character_maximum_length, numeric_precision, numeric_scale from "information_schema"."columns"
  where table_name = 'orders' and table_schema = 'public' order by ordinal_position;
begin;
create temporary table "orders_new__dbt_tmp152030" as ( select 3 as id, 2 as customer, 9.99::numeric(10,2) as amount, 'late'::varchar(20) as note, null::date as day );
select column_name, data_type from information_schema.columns where table_name = 'orders_new__dbt_tmp152030' order by ordinal_position;
delete from "public"."orders" using "orders_new__dbt_tmp152030" where "orders_new__dbt_tmp152030".id = "public"."orders".id;
delete from "public"."orders" as DBT_INTERNAL_DEST where (id) in (select distinct id from "orders_new__dbt_tmp152030" as DBT_INTERNAL_SOURCE);
insert into "public"."orders" ("id", "customer", "amount", "note", "day") ( select "id", "customer", "amount", "note", "day" from "orders_new__dbt_tmp152030" );
commit;
select * from orders order by id;
alter table "public"."sums" rename to "sums__dbt_backup";
create table sums as (select 1 as customer);
drop table if exists "public"."sums__dbt_backup" cascade;
comment on table "public"."sums" is $dbt_comment_literal_block$totals $$ of 'all'$dbt_comment_literal_block$;
comment on column "public"."orders"."note" is $dbt_comment_literal_block$a "note"$dbt_comment_literal_block$;
comment on view recent is 'v';
create role reader;
grant select on "public"."sums" to "reader", public;
select grantee, privilege_type from information_schema.role_table_grants where grantor = current_role and grantee != current_role and table_schema = 'public' and table_name = 'sums' order by 1, 2;
revoke select on sums from reader;
with relation as (select r.ev_class as class, r.oid as id from pg_rewrite r),
  class as (select oid as id, relname as name, relnamespace as schema, relkind as kind from pg_class),
  dependency as (select distinct d.objid as id, d.refobjid as ref from pg_depend d),
  schema as (select n.oid as id, n.nspname as name from pg_namespace n where n.nspname != 'information_schema' and n.nspname not like 'pg\_%'),
  referenced as (select relation.id as id, c.name, c.schema, c.kind from relation join class as c on relation.class = c.id where c.kind in ('r', 'v', 'm')),
  relationships as (select referenced.name as name, referenced.schema as of_schema, d.name as dependent, d.schema as dependent_schema, referenced.kind as kind
    from referenced join dependency on referenced.id = dependency.id join class as d on dependency.ref = d.id
    where referenced.name != d.name or referenced.schema != d.schema)
select s.name as referenced_schema, relationships.name as referenced_name, t.name as dependent_schema, dependent as dependent_name
  from relationships join schema as t on dependent_schema = t.id join schema as s on of_schema = s.id
  group by referenced_schema, referenced_name, dependent_schema, dependent_name order by referenced_schema, referenced_name, dependent_schema, dependent_name;
select id, count(*) as n_records from orders where id is not null group by id having count(*) > 1;
select count(*) as failures, count(*) != 0 as should_warn, count(*) != 0 as should_error from ( select amount from orders where amount is null ) dbt_internal_test;
with all_values as ( select note as value_field, count(*) as n_records from orders group by note ) select * from all_values where value_field not in ('a', 'late') order by 1;
with child as ( select customer as from_field from orders where customer is not null ), parent as ( select customer as to_field from sums )
  select from_field from child left join parent on child.from_field = parent.to_field where parent.to_field is null;
select current_timestamp is not null, current_timestamp::timestamp without time zone is not null, cast(now() as timestamp) at time zone 'utc' is not null;
create table if not exists snapshots as select *, md5(coalesce(cast(id as varchar ), '') || '|' || coalesce(cast(day as varchar ), '')) as dbt_scd_id,
  day::timestamp as dbt_valid_from, nullif(day::timestamp, day::timestamp) as dbt_valid_to from orders;
alter table "public"."snapshots" add column "more" character varying(256);
update "public"."snapshots" set dbt_valid_to = s.v from (select 1 as id, timestamp '2021-01-01' as v) as s where s.id = "public"."snapshots".id and "public"."snapshots".dbt_valid_to is null;
select id, dbt_scd_id, dbt_valid_from, dbt_valid_to, more from snapshots order by id;
insert into orders values (cast('7' as integer), null, '1.25', null, cast('2020-05-05' as date));
truncate table "public"."snapshots";
drop view if exists "public"."recent" cascade;
drop table if exists sums, orders, snapshots cascade;
drop role reader;
