-- string_agg of bytea: what psql shows is compared with PostgreSQL.
create table b(i int, g int, x bytea, d bytea);
insert into b values (1,1,'\x01','\xff'),(2,1,'','\x00'),(3,1,null,'\x02'),(4,2,'\xabcd',null),(5,2,'a','\x03'),(6,3,null,null),(7,1,'\x01','\xff');
select g, string_agg(x, d order by i) from b group by g order by g;
select g, string_agg(x, ',' order by i desc) from b group by g order by g;
select string_agg(x, '\x00'::bytea order by i), pg_typeof(string_agg(x, '')) from b;
select string_agg(distinct x, ',' order by x) from b;
select string_agg(distinct x, ',') from b;
select string_agg(x, ',') filter (where i > 100) from b;
select string_agg(x, null order by i) from b;
select string_agg(x, 'a\') from b;
select string_agg(x, 'a'::text) from b;
select string_agg('a'::text, x) from b;
select string_agg('a', x order by i) from b;
select i, string_agg(x, ',') over (partition by g order by i) from b order by i;
select encode(string_agg(x, '-' order by i), 'escape') from b;
select string_agg(x::text, ',' order by i) from b;
select string_agg(x, ',') from b group by i having string_agg(x, ',') = '\x01';
drop table b;
