-- The type bytea: what psql shows is compared with PostgreSQL.
SELECT '\xdeadbeef'::bytea, '\xDE ad	BE ef'::bytea, 'abc'::bytea, 'a\\b\001\377'::bytea, ''::bytea, E'\\x00'::bytea, bytea '\x01';
SELECT '\xabc'::bytea;
SELECT '\xzz'::bytea;
SELECT '\xaé'::bytea;
SELECT '\x a b'::bytea;
SELECT 'a\b'::bytea;
SELECT 'a\400'::bytea;
SELECT 'é'::bytea;
SELECT pg_typeof('\x01'::bytea), 'x'::text::bytea, '\x6162'::bytea::text, '\x6162'::bytea::varchar(3);
SELECT 1::bytea;
SELECT '\x01'::bytea::int;
SELECT encode('\xdeadbeef', 'hex'), encode('\xdeadbeef', 'base64'), encode('a\\b\001\377c', 'escape'), encode('abc','HEX');
SELECT encode('abc', 'nope');
SELECT decode('abc', 'nope');
SELECT encode(sha512('abc') || sha512('x'), 'base64');
SELECT encode(decode(repeat('ab', 57), 'hex'), 'base64') || '|';
SELECT decode('3q2+7w==', 'base64'), decode('3q2 +7w
==', 'base64'), decode('de AD', 'hex'), decode('a\\b\001', 'escape'), decode('', 'base64');
SELECT decode('3q2', 'base64');
SELECT decode('3q2=', 'base64');
SELECT decode('3q==', 'base64');
SELECT decode('3===', 'base64');
SELECT decode('=', 'base64');
SELECT decode('3q2+7w==AAAA', 'base64');
SELECT decode('3q2!', 'base64');
SELECT decode('3qé!', 'base64');
SELECT length('\x0102'::bytea), octet_length('\x0102'::bytea), bit_length('\x0102'::bytea), length('\x0102');
SELECT md5('abc'::bytea), md5('abc'), md5('\x616263'::bytea);
SELECT sha224('abc'), sha256('abc'), sha384('abc'), sha512(''::bytea);
SELECT sha256('abc'::text);
SELECT '\x01'::bytea || '\x02'::bytea, '\x01'::bytea || '\x03', 'a' || '\x01'::bytea, 'a'::text || '\x01'::bytea, '\x01'::bytea || NULL;
SELECT '\x01'::bytea || 1;
SELECT substring('\x01020304'::bytea from 2 for 2), substr('\x01020304'::bytea, 3), substr('\x01020304'::bytea, 0, 2), substr('\x01020304'::bytea, -1), substr('\x01'::bytea, 5), substring('\x01020304'::bytea, 2, 2147483647);
SELECT substr('\x0102'::bytea, 1, -1);
SELECT position('\x03'::bytea in '\x010203'::bytea), position('\x10'::bytea in '\x0103'::bytea), position(''::bytea in '\x01'::bytea);
SELECT get_byte('\x0102'::bytea, 1), set_byte('\x0102'::bytea, 0, 258);
SELECT get_byte('\x0102'::bytea, 2);
SELECT set_byte('\x0102'::bytea, -1, 3);
SELECT get_byte(''::bytea, 0);
SELECT convert_to('é', 'UTF8'), convert_from('\xc3a9', 'utf-8');
SELECT convert_from('\xff', 'UTF8');
SELECT convert_from('\xc3', 'UTF8');
SELECT convert_from('\xe282', 'UTF8');
SELECT convert_from('\x00', 'UTF8');
SELECT convert_from('\x61', 'nope');
SELECT convert_to('a', 'nope');
SELECT '\x01'::bytea < '\x02'::bytea, '\x01'::bytea = '\x01', '\x0100'::bytea > '\x01', '\xff'::bytea > '\x00ff';
SELECT '\x01'::bytea = 'a'::text;
SELECT max('\x01'::bytea);
SELECT min(b) FROM (VALUES ('\x01'::bytea)) v(b);
SELECT count(DISTINCT b), array_agg(b ORDER BY b) FROM (VALUES ('\x02'::bytea), ('\x01'), (NULL), ('\x02')) v(b);
SELECT ARRAY['\x01'::bytea, '\x'], '{"\\x01",NULL}'::bytea[], ('{"\\x01","\\x02"}'::bytea[])[2];
SELECT to_json('\x01'::bytea), to_jsonb('\xab'::bytea), json_build_object('a', '\x01'::bytea), row_to_json(v) FROM (VALUES ('\x01'::bytea)) v(b);
SELECT coalesce(NULL, '\x01'::bytea), nullif('\x01'::bytea, '\x01'), greatest('\x01'::bytea, '\x02'), CASE WHEN true THEN '\x05'::bytea END;
SELECT upper('\x01'::bytea);
SELECT sum('\x01'::bytea);
SELECT concat('\x01'::bytea, 'a'), format('%s', '\x01'::bytea), quote_literal('\x01'::bytea);
SELECT b FROM (VALUES ('\x02'::bytea), ('\x01'), (NULL), ('\x')) v(b) ORDER BY b DESC;
SELECT '\x01'::bytea UNION SELECT '\x01' UNION ALL SELECT 'z' ORDER BY 1;
CREATE TABLE b (id integer PRIMARY KEY, v bytea DEFAULT '\x00', a bytea[], CHECK (length(v) < 10));
INSERT INTO b VALUES (1, '\x0102', '{"\\x01"}'), (2, 'abc', NULL), (3, NULL, '{}');
INSERT INTO b (id) VALUES (4);
INSERT INTO b VALUES (5, 'xxxxxxxxxxxx');
INSERT INTO b VALUES (5, 1);
INSERT INTO b VALUES (5, '\x1');
UPDATE b SET v = v || '\xff' WHERE id < 3;
SELECT * FROM b ORDER BY v, id;
\d b
COPY (SELECT * FROM b ORDER BY id) TO STDOUT;
COPY (SELECT * FROM b ORDER BY id) TO STDOUT CSV;
COPY b FROM STDIN;
10	\\x0a	{"\\\\x0b"}
11	a\\\\b	\N
\.
COPY b (id, v) FROM STDIN CSV;
12,\x0c
13,"ab"
\.
COPY b (id, v) FROM STDIN;
14	\\xq
\.
SELECT * FROM b ORDER BY id;
SELECT v, count(*) FROM b GROUP BY v ORDER BY v;
SELECT x.id, y.id FROM b x JOIN b y USING (v) WHERE x.id < y.id ORDER BY 1;
SELECT id FROM b WHERE v IN ('\x0a', '\x0c') ORDER BY 1;
SELECT id FROM b WHERE v BETWEEN '\x0a' AND '\x0c' ORDER BY 1;
ALTER TABLE b ALTER v TYPE text;
SELECT v FROM b ORDER BY id;
ALTER TABLE b ALTER v TYPE bytea USING v::bytea;
ALTER TABLE b ALTER v TYPE integer;
SELECT data_type, udt_name, character_octet_length FROM information_schema.columns WHERE table_name = 'b' ORDER BY ordinal_position;
SELECT typname, typlen, typbyval, typcategory, typalign, typstorage, typcollation, typinput::text FROM pg_type WHERE typname IN ('bytea', '_bytea') ORDER BY 1;
CREATE UNIQUE INDEX ON b (v);
PREPARE pb(bytea) AS SELECT $1, length($1), $1 || '\x00';
EXECUTE pb('\x0102');
EXECUTE pb('abc');
SELECT lag(v) OVER (ORDER BY id) FROM b ORDER BY id;
SHOW bytea_output;
DROP TABLE b;
