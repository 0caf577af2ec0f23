-- CHECK constraints: what they refuse, their names, ALTER TABLE, and how catalogs show them.
create table t (a int check (a > 0), b int constraint small check (b < 100), c text check (length(c) < 5 or c = 'long one'),
  check (a < b), constraint "Sum of 2" check (a + b <> 7), check (a is not null or b is not null), d numeric(5,2) check (d >= 0) check (d < 500.5));
insert into t values (1, 2, 'x', 1.5), (2, 3, null, null);
insert into t values (null, 5, 'x', 0);
insert into t (a, b) values (0, 2);
insert into t (a, b) values (1, 100);
insert into t values (1, 2, 'too long', 0);
insert into t values (1, 2, 'long one', 0) returning *;
insert into t values (3, 2, 'x', 0);
insert into t values (3, 4, 'x', 0);
insert into t values (null, null, 'x', 0);
insert into t values (1, 2, 'x', -1);
insert into t values (1, 2, 'x', 500.5);
insert into t values (1, 2, 'x', 1), (5, 4, 'y', 1), (1, 3, 'z', 1);
insert into t select g, g + 1 from generate_series(1, 200) as g(g) where g <> 3 order by g;
insert into t select g, g + 1 from generate_series(10, 19) as g(g);
select count(*), sum(a) from t;
update t set a = -a where a = 2;
update t set b = b + 1 where a = 2;
update t set b = 5, a = 2 where a = 1;
update t set c = repeat('x', 10) where a = 10;
update t set a = a + 1, b = b + 1 where a > 10;
copy t (a, b) from stdin;
1	2
2	20
\.
select count(*), sum(a) from t;
delete from t where a = 1;
create table bad (a int check (a));
create table bad (a int check (a = (select 1)));
create table bad (a int check (count(a) > 1));
create table bad (a int check (row_number() over () > 1));
create table bad (a int check (nosuch > 1));
create table bad (a int, constraint x check (a > 0), constraint x check (a > 1));
create table bad (a int check (b > a), b text);
create table bad (a int check (1 / a > 0));
insert into bad values (0);
insert into bad values (-1);
drop table bad;
alter table t add check (b > 0);
alter table t add constraint big check (b > 5);
alter table t add constraint small check (b > 0);
alter table t add constraint unnamed_sum check (a + b > 0);
insert into t values (null, 0);
alter table t rename constraint unnamed_sum to sum_positive;
alter table t rename constraint sum_positive to small;
alter table t rename constraint nosuch to x;
alter table t drop constraint small;
alter table t drop constraint small;
alter table t drop constraint if exists small;
insert into t values (1, 100);
alter table t rename column a to first;
insert into t values (-5, 1);
insert into t (first, b) values (9, 8);
select conname, contype, conkey, convalidated, conrelid::regclass from pg_constraint where conrelid = 't'::regclass order by 1;
select constraint_name, table_name, constraint_type from information_schema.table_constraints where table_name = 't' order by 1;
select column_name, constraint_name from information_schema.constraint_column_usage where table_name = 't' order by 1, 2;
select relchecks from pg_class where oid = 't'::regclass;
alter table t drop column b;
select conname from pg_constraint where conrelid = 't'::regclass order by 1;
insert into t (first) values (-1);
create table u (a int, b text check (b like 'a%' -- the first letter
  ));
insert into u values (1, 'ab'), (2, 'b');
insert into u values (1, 'ab'), (2, null);
insert into u values (1, 'abc') on conflict do nothing;
begin;
savepoint s;
insert into u values (3, 'c');
rollback to s;
insert into u values (3, 'ac');
commit;
select * from u order by a, b;
create temporary table v (a date check (a > '2020-01-01'), b timestamptz check (b < now()));
insert into v values ('2020-01-01', null);
insert into v values ('2020-01-02', '4000-01-01 00:00:00+00');
insert into v values ('2020-01-02', now() - interval '1 day');
alter table v add constraint later check (a > '2021-01-01');
create table "Odd" ("Select" int check ("Select" > 0));
insert into "Odd" values (0);
alter table "Odd" rename "Select" to plain;
insert into "Odd" values (0);
\d "Odd"
drop table "Odd";
-- the table's name before a column
create table named (id int check (named.id > 0), u text, check (public.named.id < 10));
insert into named values (0);
alter table named rename to renamed;
insert into renamed values (0);
insert into renamed values (10);
insert into renamed values (1);
create schema checked;
create table checked.t (id int primary key, b text check (length(checked.t.b) < 3));
alter table checked.t rename to u;
insert into checked.u values (1, 'long');
insert into checked.u values (1, 'x');
-- rows that ON CONFLICT would not store
insert into checked.u values (1, 'long') on conflict do nothing;
insert into checked.u values (1, 'long') on conflict (id) do update set b = 'y';
insert into checked.u values (1, 'y') on conflict (id) do update set b = 'long';
insert into checked.u values (1, null), (1, 'yy') on conflict (id) do nothing;
table checked.u;
drop schema checked cascade;
drop table renamed;
create table "Keys" ("Id" int primary key);
insert into "Keys" values (1), (1);
drop table "Keys";
-- constraints that older rows need not keep to
create table nv (a int, b text);
insert into nv values (-1, 'x'), (1, 'y');
alter table nv add constraint pos check (a > 0) not valid;
\d nv
insert into nv values (-2);
insert into nv values (2);
update nv set b = 'z' where a > 0;
update nv set b = 'z' where a = -1;
update nv set b = 'z';
copy nv from stdin;
7	z
\.
select conname, convalidated, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'nv'::regclass;
alter table nv validate constraint pos;
alter table nv validate constraint nosuch;
delete from nv where a < 0;
alter table nv validate constraint pos;
alter table nv validate constraint pos;
\d nv
create table nv2 (a int primary key, check (a > 1) not valid);
\d nv2
alter table nv2 validate constraint nv2_pkey;
create table nv3 (a int check (a > 0) not valid);
drop table nv2;
create table clock (a int, until timestamptz check (until > now()));
insert into clock values (1, now() + interval '200 ms');
select pg_sleep(0.3);
insert into clock values (2, now() + interval '1 hour');
update clock set a = 3 where a = 2;
drop table clock;
-- another type of a column
alter table nv alter a type text;
alter table nv alter a type numeric(5,1) using -a;
alter table nv alter a type numeric(5,1) using a + 0.5;
insert into nv values (-5);
select a from nv order by a;
drop table nv;
create table n1 (a int check (a > 0));
alter table n1 rename to n2;
create table n1 (a int check (a > 0));
select conname, conrelid::regclass from pg_constraint where conrelid in ('n1'::regclass, 'n2'::regclass) order by 1;
create table n1 (b int, check (a > 0));
drop table n1, n2;
