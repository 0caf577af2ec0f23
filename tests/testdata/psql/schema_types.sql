-- ALTER SCHEMA RENAME moves types, also in the texts that name them.
create schema s1;
create type s1.mood as enum ('sad', 'happy');
create domain s1.pos as integer check (value > 0);
create domain s1.small as s1.pos default 3 check (value::s1.pos < 100);
create domain feeling as text check (value::s1.mood <> 'sad'::s1.mood);
create table s1.t (a s1.small, m s1.mood default 'sad'::s1.mood, ms s1.mood[], b integer default 7::s1.pos);
create table other (m s1.mood check (m <> 'sad'::s1.mood), p s1.pos);
create view v as select 'happy'::s1.mood as m, 3::s1.pos as p from s1.t;
insert into s1.t (ms) values ('{happy,sad}');
insert into other values ('happy', 4);
alter schema s1 rename to s2;
select * from s2.t;
select * from other;
select * from v;
select 'happy'::s2.mood, 5::s2.small;
select 'happy'::s1.mood;
insert into s2.t default values;
insert into s2.t (a) values (100);
insert into other values ('sad', 1);
insert into other values ('happy', -1);
select 'sad'::feeling;
select 'happy'::feeling;
\d s2.t
\d other
select typname, typnamespace::regnamespace from pg_type where typname in ('mood', '_mood', 'pos', 'small', '_pos') order by 1;
alter domain s2.pos set default 5::s2.pos;
alter domain s2.pos rename to positive;
create table third (p s2.positive);
insert into third values (default) returning p;
alter domain s2.positive rename to small;
alter domain s2.positive rename to positive;
drop view v;
drop table other, third;
drop domain feeling;
drop schema s2 cascade;
