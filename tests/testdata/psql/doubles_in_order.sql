-- Sums and statistics of double precision whose last digits and overflows depend on the order of
-- the rows. On a device they have other last digits.
CREATE TABLE r (id integer, x double precision, y double precision);
INSERT INTO r SELECT i, (i * 7919 % 100) / 7.0, (i * 104729 % 91) / 3.0 FROM generate_series(1, 20) i;
INSERT INTO r VALUES (21, NULL, 1), (22, 1, NULL), (23, NULL, NULL), (24, 2, 2);
SELECT corr(y, x) OVER (ORDER BY id) FROM r ORDER BY id;
SELECT regr_sxx(y, x) OVER (ORDER BY id) FROM r ORDER BY id;
SELECT regr_slope(y, x) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) FROM r ORDER BY id;
SELECT stddev(x) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING) FROM r ORDER BY id;
SELECT sum(x) OVER (ORDER BY id ROWS BETWEEN 8 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM r ORDER BY id;
SELECT avg(x) OVER (ORDER BY id RANGE BETWEEN 4 PRECEDING AND 6 FOLLOWING) FROM r ORDER BY id;
SELECT var_pop(x) OVER (ORDER BY id) FROM r ORDER BY id;
SELECT sum(v) FROM (VALUES (1e308::float8), (1e308), (-1e308)) t(v);
SELECT sum(v) FROM (VALUES (1e308::float8), (-1e308), (1e308)) t(v);
SELECT sum(v) FROM (VALUES (1e308::float8), (1e308), ('inf'::float8)) t(v);
SELECT sum(v) FROM (VALUES ('inf'::float8), (1e308), (1e308)) t(v);
SELECT sum(v) FROM (VALUES ('inf'::float8), (1e308), ('-inf')) t(v);
SELECT stddev(v) FROM (VALUES (1e200::float8), (-1e200)) t(v);
DROP TABLE r;
