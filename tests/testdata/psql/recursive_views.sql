-- CREATE RECURSIVE VIEW.
create recursive view rv (n) as select 1 union all select n + 1 from rv where n < 5;
select * from rv;
create schema s;
create recursive view s.rv2 (n, "M m") as values (1, 'x') union all select n + 1, "M m" || 'x' from rv2 where n < 3;
select * from s.rv2;
create recursive view rv3 as select 1;
create recursive view rv3 (a) as select nope;
create recursive view rv3 (a, b) as select 1;
create or replace recursive view rv (n) as select 1 union all select n + 1 from rv where n < 3;
select * from rv;
drop view rv;
drop schema s cascade;
