-- COLLATE of columns: the order of texts that there is.
create table t(a int, b text collate "C" not null default 'x', c varchar(3) collate pg_catalog."default", d text[] collate "POSIX");
insert into t values (1,'b','c','{x}'),(2,'B','C','{y}'),(3,'ä',null,null); select * from t order by b, a; select max(b), min(b) from t;
create table u(a int collate "C");
create table u(a text collate "C" collate "C");
create table u(a date default now() collate "C");
alter table t add column e text collate "C" default 'q', add f text not null default '' collate "C"; select e, f from t order by a;
alter table t alter column b type varchar(5) collate "C" using b || 'z'; select b from t order by b;
alter table t alter a type text collate "C"; select a from t order by a desc;
insert into t(a, b) values (1); insert into t(a,b,c) select 1, 'x'; insert into t(a,b) values (1),(2);
