-- Infinite dates and timestamps go through COPY, parameters, constraints and JSON as others do.
CREATE TABLE t (d date, ts timestamp, tz timestamptz, n int);
COPY t FROM stdin CSV;
infinity,-infinity,infinity,1
-infinity,infinity,-infinity,2
2020-02-29,2020-02-29 12:00:00,2020-02-29 12:00:00+00,3
,,,4
\.
COPY t TO stdout;
COPY t TO stdout CSV;
COPY t FROM stdin;
infinity bc	Infinity	-INFINITY UTC	5
\.
COPY t FROM stdin;
+infinity	\N	\N	6
\.
SELECT * FROM t ORDER BY n;
PREPARE p (date, timestamp) AS SELECT n FROM t WHERE d = $1 OR ts = $2 ORDER BY n;
EXECUTE p ('infinity', 'infinity');
EXECUTE p ('-infinity', NULL);
CREATE TABLE k (d date PRIMARY KEY, v int);
INSERT INTO k VALUES ('infinity', 1), ('-infinity', 2);
INSERT INTO k VALUES ('infinity', 3);
INSERT INTO k VALUES ('infinity', 3) ON CONFLICT (d) DO UPDATE SET v = 9;
SELECT * FROM k ORDER BY d;
CREATE TABLE c (a int, d date DEFAULT 'infinity', CHECK (d > '-infinity'));
INSERT INTO c (a) VALUES (1);
INSERT INTO c VALUES (2, '-infinity');
SELECT a, d, date_part('year', d) FROM c;
SELECT d - date '2020-01-01' FROM t WHERE n = 1;
SELECT ts - tz FROM t WHERE n = 1;
SELECT date 'infinity' - date '2020-01-01';
SELECT timestamp 'infinity' - timestamp '2020-01-01';
SELECT age(timestamp '-infinity', timestamp '2020-01-01');
SELECT date_bin('1 day', timestamp '2020-01-01', '-infinity');
SELECT 'infinity'::interval;
SELECT jsonb_agg(d ORDER BY n), json_agg(ts ORDER BY n) FROM t;
SELECT row_to_json(t) FROM t WHERE n = 1;
SELECT array_agg(tz ORDER BY tz) FROM t;
SET datestyle = 'SQL, DMY';
SELECT d, ts, tz FROM t ORDER BY n;
RESET datestyle;
SET timezone = 'Asia/Tokyo';
SELECT tz, tz::timestamp, tz + interval '1 month', date_trunc('day', tz), d::timestamptz FROM t ORDER BY n;
RESET timezone;
DROP TABLE t, k, c;
