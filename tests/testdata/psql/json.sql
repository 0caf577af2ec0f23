-- Objects of JSON, as clients ask for them when they look at columns.
SELECT json_build_object('a', 1, 'b', true, 'c', E'x"y\\z\n\t\x01é', 'd', NULL, 'e', 1.50, 'f', 1e20::float8, 'g', 'NaN'::float8, 'h', date '2020-01-01', 'k', interval '1 day', 'l', 0.1::real);
SELECT json_build_object();
SELECT json_build_object('a');
SELECT json_build_object(NULL, 1);
SELECT json_build_object(x, 1) FROM (VALUES ('a'), (NULL)) v(x);
SELECT json_build_object(1, 2, true, 3, date '2020-01-01', 4);
SELECT json_build_object('a', json_build_object('b', 1), 'c', x) FROM (SELECT json_build_object('d', '-Infinity'::float8) AS x) t;
SELECT json_build_object('a', 1) \gdesc
SELECT pg_typeof(json_build_object('a', 1));
SELECT json_build_object('a', 'b'::char(3), 'b', 'x'::varchar, 'c'::char(3), 'd');
SELECT json_build_object('a', 1)::text, json_build_object('a',1) || 'x';
SELECT CASE WHEN v > 1 THEN json_build_object(v::text, v) END FROM (VALUES (1), (2), (NULL)) v(v);
SELECT count(json_build_object('a', 1)), json_build_object('n', count(*)) FROM (VALUES (1)) v;
