-- VACUUM, ANALYZE and CHECKPOINT, which have nothing to do; RENAME CONSTRAINT.
create table mt(a int primary key, b text, constraint u1 unique (b));
create view mv as select a from mt;
vacuum; analyze; vacuum analyze mt; vacuum full mt; vacuum (verbose false, analyze) mt; analyze mt (a), mt (b);
analyze mt (zz);
analyze nope;
analyze mv;
vacuum mv;
vacuum (nope) mt;
begin; vacuum mt; rollback;
begin; analyze mt; commit;
checkpoint;
alter table mt rename constraint u1 to u2;
alter table mt rename constraint nope to u3;
alter table mt rename constraint u2 to mt_pkey;
\d mt
select pg_relation_is_updatable('mt'::regclass, true), pg_relation_is_updatable('mt'::regclass, false);
vacuum mt nope;
analyze mt,;
drop view mv; drop table mt;
