-- Types that CREATE TYPE AS ENUM makes: what psql shows is compared with PostgreSQL.
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE mood AS ENUM ('x');
CREATE SCHEMA s;
CREATE TYPE s.size AS ENUM ('S', 'M', 'L', 'it''s "x"');
CREATE TABLE t (id int PRIMARY KEY, m mood DEFAULT 'ok', sz s.size NOT NULL DEFAULT 'M'::s.size, ms mood[], CHECK (m <> 'happy'::mood), UNIQUE (m, id));
\d t
\dT
\dT+ mood
\dT s.*
CREATE TABLE mood (a int);
CREATE TYPE t AS ENUM ('a');
ALTER TABLE t RENAME TO mood;
ALTER TYPE mood RENAME TO t;
ALTER TYPE t ADD VALUE 'a';
ALTER TYPE nope ADD VALUE 'a';
CREATE TYPE nosuch.x AS ENUM ('a');
CREATE TYPE long AS ENUM ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
CREATE TYPE blank AS ENUM ();
SELECT enum_range(NULL::blank);
SELECT enum_first(NULL::blank);
INSERT INTO t VALUES (1, 'sad', 'S', '{sad,happy}'), (2, 'ok', 'it''s "x"', ARRAY['ok']::mood[]), (3, NULL, 'L', NULL), (4, DEFAULT, DEFAULT, '{}');
INSERT INTO t VALUES (5, 'bad');
INSERT INTO t VALUES (5, 'happy');
INSERT INTO t VALUES (5, 1);
SELECT * FROM t WHERE m = 'bad';
SELECT * FROM t WHERE m = 'happy'::text;
SELECT * FROM t WHERE m >= 'ok' ORDER BY m DESC, id;
SELECT m = 1 FROM t;
SELECT m::int FROM t;
SELECT 1::mood;
SELECT m::text, m::varchar(2), 'ok'::text::mood, mood 'sad', CAST('ok' AS public.mood), '{ok,sad}'::mood[] FROM t ORDER BY id;
SELECT 'sad'::"Mood";
SELECT 'x'::nosuch.mood;
SELECT min(m), max(m), count(DISTINCT m), array_agg(m ORDER BY m), string_agg(m::text, ',' ORDER BY m), sum(1) FROM t;
SELECT sum(m) FROM t;
SELECT m, sz, count(*) FROM t GROUP BY ROLLUP (m, sz) ORDER BY m, sz, count(*);
SELECT enum_range(m), enum_first(m), enum_last(m), enum_range(m, 'happy'), enum_range('ok'::mood, NULL), enum_range(NULL, 'ok'::mood), enum_range('happy'::mood, 'sad') FROM t ORDER BY id;
SELECT m || 'x', 'x' || m, concat(m, 1), format('%s %L', m, m), length(m::text) FROM t ORDER BY id;
SELECT length(m) FROM t;
SELECT m LIKE 's%' FROM t;
SELECT m + 1 FROM t;
SELECT coalesce(m, 'ok'), CASE WHEN id > 1 THEN m ELSE 'sad' END, nullif(m, 'ok'), greatest(m, 'ok'), least(m, 'happy') FROM t ORDER BY id;
SELECT m FROM t UNION SELECT 'happy' ORDER BY 1;
SELECT m IN ('sad', 'ok'), m BETWEEN 'sad' AND 'ok', m = ANY (ms), m IS DISTINCT FROM 'ok', ms @> '{sad}', ms < '{ok}' FROM t ORDER BY id;
SELECT pg_typeof(m), pg_typeof(ms), pg_typeof(enum_range(m)) FROM t WHERE id = 1;
SELECT to_json(m), json_build_object('a', m), row_to_json(t) FROM t ORDER BY id;
SELECT ms[1], ms = '{sad,happy}', array_length(ms, 1), unnest(ms) FROM t ORDER BY id, 4;
SELECT m, lag(m) OVER (ORDER BY m, id), rank() OVER (ORDER BY m) FROM t ORDER BY m, id;
CREATE TYPE color AS ENUM ('red', 'sad');
SELECT 'red'::color = m FROM t;
SELECT 'red'::color::mood;
SELECT 'sad'::mood::text::color;
PREPARE p (mood) AS SELECT $1, id FROM t WHERE m = $1;
EXECUTE p ('sad');
EXECUTE p ('bad');
PREPARE q AS SELECT id FROM t WHERE m = $1;
EXECUTE q ('sad');
COPY (SELECT id, m, sz, ms FROM t ORDER BY id) TO STDOUT;
COPY (SELECT id, m, sz FROM t ORDER BY id) TO STDOUT (FORMAT csv, HEADER);
COPY t (id, m, ms) FROM STDIN;
11	sad	{sad,ok}
12	\N	\N
\.
COPY t (id, m) FROM STDIN;
13	nope
\.
COPY t (id, m, ms) FROM STDIN (FORMAT csv);
13,ok,"{happy,bad}"
\.
CREATE TABLE u (m mood PRIMARY KEY, descr text);
CREATE TABLE w (i int, m mood REFERENCES u);
INSERT INTO u VALUES ('sad', 'x'), ('ok', 'z'), ('happy', 'y');
INSERT INTO u VALUES ('sad', 'again');
INSERT INTO w VALUES (1, 'sad'), (2, NULL);
DELETE FROM u WHERE m = 'sad';
SELECT u.m, descr, count(*) FROM t JOIN u ON t.m = u.m GROUP BY 1, 2 ORDER BY 1;
CREATE INDEX bad ON t ((m::text));
CREATE TABLE g (m mood, b bool GENERATED ALWAYS AS (m > 'sad') STORED, k mood GENERATED ALWAYS AS (coalesce(m, 'happy'::mood)) STORED);
INSERT INTO g VALUES ('ok'), (NULL), ('sad');
SELECT * FROM g ORDER BY m;
ALTER TYPE mood ADD VALUE 'ok';
ALTER TYPE mood ADD VALUE IF NOT EXISTS 'ok';
ALTER TYPE mood ADD VALUE 'x' BEFORE 'zz';
ALTER TYPE mood ADD VALUE 'meh' BEFORE 'ok';
ALTER TYPE mood ADD VALUE 'elated' AFTER 'happy';
SELECT enum_range(NULL::mood);
SELECT m, count(*) FROM t GROUP BY m ORDER BY m;
SELECT * FROM w ORDER BY i;
SELECT * FROM u ORDER BY m;
SELECT * FROM g ORDER BY m;
SELECT * FROM t WHERE m > 'sad' ORDER BY m, id;
ALTER TYPE mood RENAME VALUE 'zz' TO 'a';
ALTER TYPE mood RENAME VALUE 'ok' TO 'sad';
ALTER TYPE mood RENAME VALUE 'meh' TO 'so so';
ALTER TYPE mood RENAME VALUE 'ok' TO 'fine';
INSERT INTO t (id) VALUES (20);
SELECT id, m, ms FROM t ORDER BY id;
ALTER TYPE mood RENAME TO feeling;
ALTER TYPE feeling SET SCHEMA s;
\d t
SELECT 'sad'::feeling;
SET search_path = s, public;
SELECT 'sad'::feeling, 'feeling'::regtype, 'feeling[]'::regtype, to_regtype('s.feeling'), format_type('feeling'::regtype, -1);
RESET search_path;
SELECT typname, typtype, typcategory, typlen, typbyval, typinput, typoutput, typreceive, typsend, typalign, typstorage, typispreferred, nspname FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE typname IN ('feeling', '_feeling') ORDER BY 1;
SELECT enumlabel, enumsortorder FROM pg_enum e JOIN pg_type t ON t.oid = enumtypid WHERE typname = 'size' ORDER BY enumsortorder;
SELECT column_name, data_type, udt_schema, udt_name, column_default FROM information_schema.columns WHERE table_name = 't' ORDER BY ordinal_position;
BEGIN;
ALTER TYPE s.feeling RENAME TO f;
ROLLBACK;
SELECT enum_range(NULL::s.feeling);
BEGIN;
CREATE TYPE tmp AS ENUM ('a');
CREATE TABLE tt (i int, x tmp);
INSERT INTO tt VALUES (1, 'a');
SAVEPOINT p;
DROP TABLE tt;
DROP TYPE tmp;
ROLLBACK TO p;
COMMIT;
SELECT x FROM tt;
ALTER TABLE tt ADD COLUMN y tmp DEFAULT 'a';
ALTER TABLE tt ALTER COLUMN y DROP DEFAULT;
ALTER TABLE tt ALTER COLUMN y TYPE text;
ALTER TABLE tt ALTER COLUMN y TYPE tmp;
ALTER TABLE tt ALTER COLUMN y TYPE tmp USING y::tmp;
SELECT * FROM tt;
ALTER TABLE tt DROP COLUMN y;
CREATE VIEW vt AS SELECT x FROM tt;
DROP TYPE tmp;
DROP TYPE tmp CASCADE;
DROP TYPE IF EXISTS tmp;
DROP TYPE tmp;
DROP TYPE tt;
COMMENT ON TYPE color IS 'a type';
SELECT obj_description('color'::regtype, 'pg_type');
\dT+ color
COMMENT ON TYPE nope IS 'x';
CREATE TABLE made AS SELECT 'sad'::color AS c;
CREATE MATERIALIZED VIEW mv AS SELECT c FROM made;
ALTER TYPE color ADD VALUE 'blue' BEFORE 'sad';
SELECT * FROM mv;
SELECT 'blue'::color < c FROM mv;
CREATE TYPE s.last AS ENUM ('a');
CREATE SCHEMA r;
CREATE TYPE r.only AS ENUM ('a');
CREATE TABLE o (i int, x r.only);
DROP SCHEMA r CASCADE;
SELECT * FROM o;
DROP MATERIALIZED VIEW mv;
DROP TABLE made, w, u, g, o, tt, t;
DROP TYPE color, blank, s.size, s.feeling, s.last;
DROP SCHEMA s;
\dT
