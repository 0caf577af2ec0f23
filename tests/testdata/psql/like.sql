-- CREATE TABLE LIKE, SELECT INTO, columns that are added with constraints.
create sequence sq;
create table base (id int generated always as identity primary key, s serial, a int not null default 5 check (a > 0), b varchar(7) unique default 'x', c numeric(8,2), d int default nextval('sq'), constraint ab check (a < 100), f text[]);
create index base_c on base (c desc);
create unique index base_u on base (a, c);
create table l0 (like base);
create table l1 (like base including defaults);
insert into l1 (id, a) values (1, 1) returning id, s, a, b, d;
create table l2 (like base including all);
insert into l2 (c) values (1), (2) returning id, s, a, b, d;
insert into l2 (b) values ('q'), ('r') returning id, s, a, b, d;
insert into l2 (a, b) values (0, 'z');
create table l3 (x int, like base including all excluding indexes excluding identity, y int);
create table l4 (like base including constraints, a int);
create table l4 (a text, like base);
create table l4 (like base including indexes, primary key (a));
create table l4 (like base, primary key (a, nosuch));
create table l4 (like base, primary key (a, c), check (a > 1));
create table l5 (like nosuch);
create table l5 (like base including nosuch);
create table l5 (like base including);
create view vw as select id, a, b || 'x' as bx from base;
create table l5 (like vw);
create schema like_schema;
create table like_schema.l6 (like base including all);
create temp table l7 (like like_schema.l6 including defaults including indexes);
insert into l7 (id, s, a) values (1, 1, 1) returning b, d > 0;
create table if not exists l7 (like nosuch);
create table l8 (like l0, like l5);
create table l9 (like l5, p int primary key, unique (a));
alter table l9 add column q int unique check (q > 0) default 3, add column r int not null default 7 constraint rr check (r < 10);
insert into l9 values (1, 1, 'x', 1);
insert into l9 values (2, 2, 'x', 2);
insert into l9 (p, a, q) values (2, 2, 0);
alter table l9 add column z int primary key;
alter table l9 add column if not exists a int check (a > 10000);
create table nopk (a int);
insert into nopk values (1);
alter table nopk add column p int primary key;
alter table nopk add column p int default 7 primary key;
alter table nopk add column u int check (u > 7) default 7;
alter table nopk add column u int default 7 unique;
insert into nopk values (2, 8, 7);
create role like_reader;
grant create on schema public to like_reader;
set role like_reader;
create table l10 (like base);
reset role;
grant select on base to like_reader;
set role like_reader;
create table l10 (like base);
drop table l10;
reset role;
drop owned by like_reader;
drop role like_reader;
comment on column base.a is 'the a';
comment on column base.c is 'the c';
create table commented (like base including comments);
create table commented2 (x int, like base including all);
create table commented3 (like base including all excluding comments);
create table like_schema.noted (like base including comments);
select attrelid::regclass, attname, col_description(attrelid, attnum) from pg_attribute
  where attrelid in ('commented'::regclass, 'commented2'::regclass, 'commented3'::regclass, 'like_schema.noted'::regclass) and col_description(attrelid, attnum) is not null
  order by attrelid::regclass::text, attnum;
drop table commented, commented2, commented3;
-- SELECT INTO
select 1 as a, 'x' as b into i1;
table i1;
select 1 into i1;
select * into temp i2 from i1 where a > 0;
table i2;
select a into table i3 from i1 union select 5 order by 1;
table i3;
with w as (select 7 q) select q into i4 from w;
table i4;
select (select 1 into i5);
select * from (select 1 into i5) x;
insert into i1 select 1, 'x' into i6;
create table i8 as select 1 into i9;
create table nd as select 1 a with no data;
table nd;
drop view vw;
drop table base;
\d l0
\d l1
\d l2
\d l3
\d l4
\d l5
\d like_schema.l6
\d l9
drop table i2, l7;
drop table i1, i3, i4, nd, nopk, l0, l1, l2, l3, l4, l5, l9;
drop schema like_schema cascade;
drop table base;
drop sequence sq;
