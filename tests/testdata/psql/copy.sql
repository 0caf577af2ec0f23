-- Columns that COPY does not list get their defaults, in every format.
CREATE TABLE t (k int, x int DEFAULT 7, ts timestamptz DEFAULT now(), s text DEFAULT 'a' || 'b', n numeric(10,2) DEFAULT 1.5, r float8 DEFAULT random());
COPY t (k) FROM stdin;
1
2
\.
SELECT k, x, ts > '2020-01-01', s, n, r >= 0 AND r < 1, (SELECT count(DISTINCT r) FROM t) FROM t ORDER BY k;
BEGIN;
COPY t (k) FROM stdin;
3
\.
SELECT k, ts = now() FROM t WHERE k = 3;
ROLLBACK;
COPY t (s, k) FROM stdin CSV;
x,3
"",4
,5
\.
SELECT k, x, s, n FROM t ORDER BY k;
COPY t (k, x) FROM stdin;
6	\N
\.
SELECT k, x FROM t WHERE k = 6;
-- WHERE sees the row as it would be stored.
COPY t (k) FROM stdin WHERE k > 10 AND x = 7 AND s LIKE 'a%';
1
11
12
\.
COPY t (k) FROM stdin (FORMAT csv) WHERE t.k IN (13, 15);
13
14
15
\.
SELECT k, x, s, n FROM t WHERE k > 10 ORDER BY k;
COPY t (k) FROM stdin WHERE x IS NULL;
1
\.
COPY t (k) FROM stdin WHERE k > (SELECT 1);
\.
COPY t (k) FROM stdin WHERE sum(k) > 1;
\.
COPY t (k) FROM stdin WHERE k;
\.
COPY t (k) FROM stdin WHERE row_number() OVER () > 1;
\.
COPY t (k) FROM stdin WHERE generate_series(1, 2) > 1;
\.
COPY t (k) FROM stdin WHERE zz > 1;
\.
COPY t (k) TO stdout WHERE k > 1;
COPY t (zz) FROM stdin;
\.
COPY t (k, k) FROM stdin;
\.
COPY nothing FROM stdin;
\.
-- NOT NULL
CREATE TABLE u (k int NOT NULL, x int NOT NULL DEFAULT 3, y text);
COPY u (k) FROM stdin;
1
2
\.
COPY u FROM stdin;
3	4	five
\N	6	seven
\.
COPY u FROM stdin CSV;
3,4,"fi,ve"
5,,seven
\.
COPY u (x) FROM stdin;
1
\.
COPY u (k, y) FROM stdin WHERE k IS NOT NULL;
\N	a
7	b
\.
SELECT * FROM u ORDER BY k;
-- NULL as it is written, before escapes are resolved
TRUNCATE u;
COPY u FROM stdin (NULL '\0');
1	2	\0
2	2	\\0
3	2	\N
4	2	0
\.
SELECT k, y, y IS NULL FROM u ORDER BY k;
TRUNCATE u;
COPY u (k, y) FROM stdin (NULL 'x');
1	x
2	\x
3	\170
\.
SELECT k, y, y IS NULL FROM u ORDER BY k;
TRUNCATE u;
COPY u (k, y) FROM stdin (FORMAT csv, NULL 'x', FORCE_NULL (y));
1,x
2,"x"
\.
COPY u (k, y) FROM stdin (FORMAT csv, NULL 'x', FORCE_NOT_NULL (y));
3,x
4,"x"
\.
COPY u (k, y) FROM stdin (FORMAT csv, NULL 'x', FORCE_NOT_NULL (y), FORCE_NULL (y));
5,x
6,"x"
\.
SELECT k, y, y IS NULL FROM u ORDER BY k;
-- what is wrong with a row
COPY u FROM stdin;
1
\.
COPY u FROM stdin;
1	2	3	4
\.
COPY u FROM stdin;
x	2	3
\.
COPY u FROM stdin CSV;
1,2,"3
\.
COPY (SELECT 'u'::regclass, 'integer'::regtype, NULL::regclass) TO stdout;
COPY (SELECT 'u'::regclass, 'integer'::regtype) TO stdout (FORMAT csv);
