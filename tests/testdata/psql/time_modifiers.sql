-- Digits of a second and fields of intervals in the types of columns and casts.
create table m(id int, a timestamp(3), b timestamptz(0), c interval(0), d interval day to hour, e interval hour, f timestamp(6), g interval(2), h interval second(3), i interval year to month);
insert into m values (1,'2024-01-01 10:00:00.123456','2024-01-01 10:00:00.523456+00','1 day 2:03:04.6','1 day 2:03:04.6','5','2024-01-01 10:00:00.123456','1:02:03.455','5.6789','3-4');
insert into m(id,a,b,c,d) select 2, timestamp '2024-01-01 10:00:00.1235', timestamptz '1999-12-31 23:59:59.5+00', interval '1.5 seconds', interval '1.5 seconds';
copy m from stdin;
3	2024-01-01 10:00:00.999999	2024-01-01 10:00:00.999999+00	1 day 2:03:04.6	1 day 2:03:04.6	5	2024-01-01 10:00:00.123456	1:02:03.455	5.6789	3-4
4	\N	\N	\N	\N	\N	\N	\N	\N	\N
\.
select * from m order by id;
\d m
select column_name, data_type, datetime_precision, interval_type, interval_precision from information_schema.columns where table_name='m' order by ordinal_position;
select a,b,c,d,e,max(a),coalesce(a,f), coalesce(a,a), case when id=1 then a else '2024-01-01 10:00:00.123456' end, case when id=1 then a end, nullif(a,f), lag(a) over (order by id),  date_trunc('minute',a), a+d, a-a, greatest(a,b), a::timestamp, b::timestamp(1), a::text, a::varchar(5) from m group by id,a,b,c,d,e,f order by id;
select a from m where a = '2024-01-01 10:00:00.1234' or a in ('2024-01-01 10:00:00.123','2024-01-01 10:00:00.124001') or a between '2024-01-01' and '2024-01-01 10:00:00.1229';
select a from m union select f from m \gdesc
select a from m union select f from m order by 1;
select a from m union all select a from m \gdesc
create table n as select a,b,c,d,e, a+c as ac, a::timestamp as z from m;
\d n
create view nv as select a, b::timestamptz(1) bb from m;
\d nv
update m set a = a + interval '0.0009 seconds' returning a;
select '2024-01-01 10:00:00.123456'::timestamp(3) , timestamp(2) with time zone '2024-01-01 10:00:00.123456' \gdesc
select interval(3) '1.23456', interval '1' hour, interval '1 2' day to hour, '1'::interval hour, interval '3' second(1)\gdesc
select array_agg(a order by a), min(b), first_value(b) over () from m group by b order by 2;
alter table m alter column a type timestamp(0), alter column b type timestamptz;
select a,b from m order by id;
alter table m add column q timestamp(1) default '2024-01-01 00:00:00.123';
select q from m;
select a.id from m a join m b using(a) where a.f = b.f or true order by 1;
select count(*), a from m group by a order by a;
select distinct a,q from m order by a;
select extract(second from a), to_char(a,'SS.MS'), a < b, a = any(array[a,f]), a::date from m order by id;
prepare p as select $1::timestamp(3), $2::timestamp(0)::text; execute p('2024-01-01 10:00:00.123456', '2024-01-01 10:00:00.623456');
select format_type(1114,3), format_type(1184,0), format_type(1186, 2147418115), format_type(1186,-1), format_type(1186,  4*65536+65535), format_type(1114,null);
select a from m where a is not distinct from null;
with recursive r(a,n) as (select a,1 from m where id=1 union all select a,n+1 from r where n<3) select * from r;
values (timestamp(3) '2024-01-01 10:00:00.123456'),(timestamp(3) '2024-01-01 10:00:00.123456') \gdesc
select (select a from m order by id limit 1), (select max(a) from m);
select '2024-01-01 10:00:00.123456'::timestamp(3), timestamp(2) with time zone '2024-01-01 10:00:00.123456';
drop view nv;
drop table m, n;
