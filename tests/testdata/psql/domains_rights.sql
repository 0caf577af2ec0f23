-- Privileges on types.
create role guest;
create schema s authorization guest;
create domain d as integer check (value > 0);
create domain e as integer;
create type mood as enum ('a','b');
grant usage on type mood to public;
grant usage on domain d to public;
grant usage on domain mood to public;
grant usage on type nope to public;
revoke all on domain d from public;
revoke all on type mood from public;
grant select on type mood to public;
set role guest;
create table s.x (a d);
create table s.x (a mood);
create table s.x (a e);
alter table s.x add column b d;
alter table s.x alter column a type d;
create domain s.f as d;
select 3::d;
create table s.y as select 3::d as x;
alter domain d set not null;
drop domain d;
comment on domain d is 'x';
reset role;
grant usage on type d to guest;
\dD+
\dT+ mood
set role guest;
alter table s.x add column b d;
\d s.x
reset role;
drop schema s cascade;
drop domain d, e;
drop type mood;
drop role guest;
