-- uuid: spellings, casts, order, arrays, functions, columns, keys, COPY.
SELECT uuid 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}'::uuid, 'a0eebc999c0b4ef8bb6d6bb9bd380a11'::uuid, 'a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11'::uuid, '{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}'::uuid;
SELECT ' a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid;
SELECT 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 '::uuid;
SELECT 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1'::uuid;
SELECT 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1g'::uuid;
SELECT '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid;
SELECT 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}'::uuid;
SELECT 'a0-eebc999c0b4ef8bb6d6bb9bd380a11'::uuid;
SELECT 'a0eebc999c0b4ef8bb6d6bb9bd380a11-'::uuid;
SELECT ''::uuid, NULL::uuid;
SELECT uuid '00000000-0000-0000-0000-000000000001' < '00000000-0000-0000-0000-000000000002', uuid '00000000-0000-0000-0000-000000000001' = 'foo';
SELECT uuid '00000000-0000-0000-0000-000000000001' = '00000000-0000-0000-0000-000000000001'::text;
SELECT min(u) FROM (VALUES (uuid '00000000-0000-0000-0000-000000000001')) v(u);
SELECT sum(u) FROM (VALUES (uuid '00000000-0000-0000-0000-000000000001')) v(u);
SELECT max(u) OVER () FROM (VALUES (uuid '00000000-0000-0000-0000-000000000001')) v(u);
SELECT string_agg(u, ',') FROM (VALUES (uuid '00000000-0000-0000-0000-000000000001')) v(u);
SELECT uuid '00000000-0000-0000-0000-000000000001' || 'x', upper(uuid 'a0000000-0000-0000-0000-000000000001'::text);
SELECT upper(uuid '00000000-0000-0000-0000-000000000001');
SELECT uuid '00000000-0000-0000-0000-000000000001' LIKE '0%';
SELECT uuid '00000000-0000-0000-0000-000000000001'::int;
SELECT 1::uuid;
SELECT - uuid '00000000-0000-0000-0000-000000000001';
SELECT uuid '00000000-0000-0000-0000-000000000001' + 1;
SELECT uuid(3) '00000000-0000-0000-0000-000000000001';
SELECT uuid('00000000-0000-0000-0000-000000000001'), text(uuid '00000000-0000-0000-0000-000000000001'), 'uuid'::regtype::oid, format_type(2951, -1);
SELECT '{00000000-0000-0000-0000-000000000001,NULL}'::uuid[], array[uuid '00000000-0000-0000-0000-000000000001']::text[], array['00000000000000000000000000000001']::uuid[], array[uuid '00000000-0000-0000-0000-000000000001'] < array[uuid '10000000-0000-0000-0000-000000000001'];
SELECT '{x}'::uuid[];
SELECT array_position(array[uuid '00000000-0000-0000-0000-000000000001'], '00000000-0000-0000-0000-000000000001'), array[uuid '00000000-0000-0000-0000-000000000001'] || uuid '00000000-0000-0000-0000-000000000002', array[uuid '00000000-0000-0000-0000-000000000001'] @> array[uuid '00000000-0000-0000-0000-000000000001'];
SELECT pg_typeof(gen_random_uuid()), length(gen_random_uuid()::text), gen_random_uuid() = gen_random_uuid(), substr(gen_random_uuid()::text, 15, 1), substr(gen_random_uuid()::text, 20, 1) IN ('8', '9', 'a', 'b');
SELECT count(DISTINCT gen_random_uuid()) FROM generate_series(1, 1000);
SELECT gen_random_uuid(1);
SELECT CASE WHEN true THEN uuid '00000000-0000-0000-0000-000000000001' ELSE 'x' END;
SELECT to_json(uuid '00000000-0000-0000-0000-000000000001'), json_build_object('a', uuid '00000000-0000-0000-0000-000000000001'), json_build_object(uuid '00000000-0000-0000-0000-000000000001', 1);
SELECT concat(uuid '00000000-0000-0000-0000-000000000001', 1), format('%s', uuid '00000000-0000-0000-0000-000000000001'), uuid '00000000-0000-0000-0000-000000000001'::varchar(4), greatest(uuid '00000000-0000-0000-0000-000000000001', '10000000-0000-0000-0000-000000000001');
SELECT uuid '00000000-0000-0000-0000-000000000001' AS u, array[uuid '00000000-0000-0000-0000-000000000001'] AS a \gdesc
SELECT typname, typlen, typbyval, typcategory, typarray, typinput, typoutput, typreceive, typsend, typalign, typstorage FROM pg_type WHERE oid = 2950;
CREATE TABLE t (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), u uuid, n text, a uuid[]);
INSERT INTO t (id, u, a) VALUES ('A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', NULL, '{}'), ('x', NULL, NULL);
INSERT INTO t (id, u, a) VALUES ('A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', NULL, '{A0EEBC999C0B4EF8BB6D6BB9BD380A11}');
INSERT INTO t (id) VALUES ('{a0eebc999c0b4ef8bb6d6bb9bd380a11}');
INSERT INTO t (id) SELECT n FROM t;
INSERT INTO t (n) SELECT g FROM generate_series(1, 10) g;
INSERT INTO t (n) VALUES (11), (12);
SELECT count(*), count(DISTINCT id) FROM t;
\d t
SELECT column_name, data_type, udt_name FROM information_schema.columns WHERE table_name = 't' ORDER BY ordinal_position;
SELECT * FROM t WHERE id = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11';
DELETE FROM t WHERE id <> 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11';
COPY t FROM STDIN;
{00000000-0000-0000-0000-00000000000F}	\N	q	{NULL}
\.
COPY t FROM STDIN (FORMAT csv);
00000000-0000-0000-0000-00000000000z,,,
\.
COPY (SELECT * FROM t ORDER BY id) TO STDOUT (FORMAT csv);
SELECT id, lag(id) OVER (ORDER BY id DESC) FROM t ORDER BY id;
SELECT count(*) FROM t a JOIN t b ON a.id = b.a[1];
UPDATE t SET n = id::text, u = id RETURNING *;
ALTER TABLE t ALTER n TYPE uuid;
ALTER TABLE t ALTER n TYPE uuid USING n::uuid;
ALTER TABLE t ALTER u TYPE text;
SELECT n = id, u = id::text FROM t;
PREPARE p(uuid) AS SELECT count(*) FROM t WHERE id = $1;
EXECUTE p('{00000000-0000-0000-0000-00000000000F}');
EXECUTE p('x');
SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 't'::regclass;
DROP TABLE t;
