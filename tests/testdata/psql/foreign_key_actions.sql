-- FOREIGN KEY constraints: who may have them and what they show, schemas, and what becomes of rows.
create role fk_a; create role fk_b;
grant create on schema public to fk_a, fk_b;
create table p (id int primary key, w int unique);
insert into p values (1, 10), (2, 20), (3, 30);
set role fk_a;
create table c (a int references p);
reset role;
grant references (w) on p to fk_a;
set role fk_a;
create table c (a int references p);
create table c (a int references p (w) on delete cascade on update cascade);
insert into c values (10), (20);
insert into c values (99);
select * from p;
reset role;
grant insert on c to fk_b;
grant delete, select on p to fk_b;
set role fk_b;
insert into c values (99);
insert into c values (10);
select * from c;
delete from p where id = 1;
reset role;
select * from c;
create table d (x int references p);
insert into d values (3);
revoke select on p from fk_b;
grant delete on p to fk_b;
set role fk_b;
delete from p;
truncate p cascade;
reset role;
grant truncate on p to fk_b;
set role fk_a;
drop table p cascade;
alter table d drop constraint d_x_fkey;
reset role;
drop owned by fk_a;
\d p
drop owned by fk_b;
drop role fk_a, fk_b;
-- schemas
create schema "S 1"; create schema s2;
create table "S 1"."P 1" ("I d" int primary key);
create table s2.c ("A b" int references "S 1"."P 1" on delete restrict);
\d s2.c
\d "S 1"."P 1"
drop schema "S 1";
insert into s2.c values (1);
alter schema "S 1" rename to s1;
insert into s2.c values (1);
alter table s1."P 1" set schema s2;
insert into s2.c values (1);
\d s2.c
alter table s2.c set schema s1;
\d s2."P 1"
drop table s2."P 1";
drop schema s2;
\d s1.c
drop schema s2 cascade;
\d s1.c
drop schema s1 cascade;
-- copy, returning, with and prepared statements
drop table d, p;
create table p (id int primary key, note text);
create table c (id serial primary key, p int not null references p on delete cascade on update cascade, unique (p, id));
create table g (c int references c on delete set null, cp int, cid int, foreign key (cp, cid) references c (p, id) on update cascade on delete cascade);
insert into p select n, 'n' || n from generate_series(1, 5) n;
copy c (p) from stdin;
1
2
3
\.
copy c (p) from stdin;
1
7
\.
insert into g select id, p, id from c;
insert into g values (1, 1, null), (1, null, 77);
select * from g order by 1, 2, 3;
update p set id = id + 10 where id < 3 returning *;
select p, id from c order by 1, 2;
select * from g order by 1, 2, 3;
delete from p where id = 11 returning note;
select p, id from c order by 1, 2;
select * from g order by 1, 2, 3;
delete from p using c where c.p = p.id and c.id = 2 returning p.id, c.id;
select * from g order by 1, 2, 3;
insert into c (p) select id from p where id > 3 returning p;
with x as (select 4 as n) delete from p where id in (select n from x);
select p from c order by 1;
prepare ins (int) as insert into c (p) values ($1);
execute ins (5);
execute ins (6);
insert into p values (6, 'six') on conflict (id) do update set note = 'again';
execute ins (6);
insert into p values (6, 'six') on conflict (id) do update set id = 66;
select p from c order by 1;
insert into c (id, p) values (3, 77) on conflict (id) do update set p = excluded.p;
insert into c (id, p) values (3, 66) on conflict (id) do update set p = excluded.p returning p;
begin;
delete from p;
select count(*) from c;
savepoint s;
insert into c (p) values (3);
rollback to s;
insert into p values (3, 'x');
insert into c (p) values (3);
rollback;
select count(*) from c;
begin;
truncate p, c, g;
insert into p values (1, 'x');
insert into c (p) values (1);
rollback;
select count(*) from c;
update p set id = null where id = 3;
drop table c;
drop table c cascade;
\d g
drop table p, g;
