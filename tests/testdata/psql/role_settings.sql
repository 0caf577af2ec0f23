-- What all roles start with, what is granted on objects, and functions in the catalogs.
create role "odd ""name"; create role r1 login; create role r2;
create table granted (a int);
grant select, insert on granted to r1 with grant option; grant update on granted to "odd ""name"; grant delete on granted to public;
select a.grantor = c.relowner, a.grantee::regrole, a.privilege_type, a.is_grantable from pg_class c, aclexplode(c.relacl) a where relname = 'granted' and a.grantee <> c.relowner order by 2, 3;
select split_part(makeaclitem('r1'::regrole, 10, 'SELECT', true)::text, '/', 1), split_part(makeaclitem(0, 10, 'usage', false)::text, '/', 1);
select has_function_privilege('r1', 'upper(text)'::regprocedure, 'execute'), has_function_privilege(1::oid, 'execute'), count(*) filter (where has_function_privilege(oid, 'execute')) = count(*) from pg_proc;
select pg_get_function_arguments(oid), pg_get_function_identity_arguments(oid), pg_get_function_result(oid), oid::regprocedure, proname::text from pg_proc where proname in ('concat', 'upper', 'generate_series', 'now') and prorettype < 1200 order by oid;
select 'granted'::regclass, oid::regclass::text, pg_typeof(1)::text from pg_class where relname = 'granted';
select 'array_in(cstring,oid,integer)'::regprocedure, 'boolin'::regproc, 25::regtype, 'int4'::regtype::oid, 'public'::regnamespace, 0::regclass, to_regclass('nope'), to_regclass('granted'), to_regtype('integer[]');
select 'nope'::regclass;
select 'nope'::regtype;
select 'generate_series'::regproc;
select 'upper(nope)'::regprocedure;
select ('"' || relname || '"')::regclass, ('public.' || relname)::regclass, relname::text::regclass::oid = oid from pg_class where relname = 'granted';
select typname, typinput, typoutput, typreceive, typsend, typmodin, typalign, typispreferred, typcategory from pg_type where typname in ('bool', 'int2', 'int4', 'int8', 'text', 'varchar', '_text', '_int8', 'numeric', 'timestamptz', 'oid', 'name', 'regclass', 'char') order by oid;
select relname, relkind, oid, relname || 'x', current_schemas(true), array_agg(oid), max(relname), current_user from pg_class group by 1, 2, 3 \gdesc
create view typed as select 1.5::numeric(8,2) as a, 'x'::varchar(7) as b, 1.5 * 2 as c, current_schema() as d;
select * from typed \gdesc
alter role all set statement_timeout = '7s';
alter role r1 set statement_timeout = '8s';
alter role all in database nope set statement_timeout = '9s';
alter role all set nope = 1;
select setdatabase <> 0 as indb, setrole::regrole, setconfig from pg_db_role_setting order by 1, 2, 3;
\drds
set role r1;
alter role all set statement_timeout = '1s';
reset role;
alter role all reset statement_timeout; alter role r1 reset all;
select count(*) from pg_db_role_setting;
alter database nope set statement_timeout = '1s';
drop view typed;
drop table granted; drop role r1; drop role r2; drop role "odd ""name";
