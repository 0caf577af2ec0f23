SELECT t.a, u.x FROM t LEFT JOIN u ON t.a = u.a WHERE u.x = 'p'
SELECT t.a, u.x FROM t LEFT JOIN u ON t.a = u.a WHERE u.x IS NULL
SELECT t.a, u.x FROM t LEFT JOIN u ON t.a = u.a AND t.b > 2 WHERE t.c > 1
SELECT t.a, u.x FROM t LEFT JOIN u ON t.a = u.a AND u.z > 2
SELECT t.a, u.x FROM t RIGHT JOIN u ON t.a = u.a AND u.z > 2 WHERE t.b < 3
SELECT t.a, u.x FROM t FULL JOIN u ON t.a = u.a WHERE t.b < 3
SELECT t.a, u.x FROM t FULL JOIN u ON t.a = u.a AND t.b > 1 WHERE u.z >= 2
SELECT t.a, u.x FROM t FULL JOIN u ON t.a = u.a WHERE coalesce(t.b, u.z) > 1
SELECT t.a, u.a, v.b FROM t LEFT JOIN (u JOIN v ON u.z = v.b) ON t.a = u.a WHERE v.x <> 'q'
SELECT t.a, u.a, v.b FROM t LEFT JOIN u ON t.a = u.a LEFT JOIN v ON u.z = v.b WHERE v.b = 2
SELECT t.a, u.a, v.b FROM t, u, v WHERE t.a = u.a AND u.a = v.b AND v.b IN (1, 2, 3)
SELECT t.a, u.a, v.b FROM t, u, v WHERE t.a = u.a AND t.b + u.z = v.b AND (t.c > 2 OR u.z < 2)
SELECT * FROM t JOIN u ON t.a = u.a JOIN v ON v.b = t.b AND v.b = u.z
SELECT count(*) FROM t, u, v, t AS t2, u AS u2 WHERE t.a = u.a AND u.a = t2.a AND t2.b = v.b AND v.x = u2.x
SELECT 1 FROM t JOIN u ON t.a IS NOT DISTINCT FROM u.z JOIN v ON v.b IS NOT DISTINCT FROM t.b
SELECT s.f, s.n FROM (SELECT f, k, count(*) AS n FROM t GROUP BY f, k) AS s WHERE s.k > 1 AND s.n > 0
SELECT s.f, s.n FROM (SELECT f, k, count(*) AS n FROM t GROUP BY ROLLUP (f, k)) AS s WHERE s.f = 'p'
SELECT s.f, s.n FROM (SELECT f, k, count(*) AS n FROM t GROUP BY GROUPING SETS ((f, k), (f))) AS s WHERE s.f = 'p'
SELECT f, k, a, sum(c), grouping(f, k, a), grouping(k) FROM t GROUP BY CUBE (f, k, a) HAVING grouping(f) = 0 AND grouping(k, a) IN (1, 2)
SELECT f, k, sum(c), grouping(f, k) FROM t GROUP BY CUBE (f, k) HAVING grouping(f, k) = 3
SELECT f, k, sum(c), grouping(f, k) FROM t GROUP BY CUBE (f, k) HAVING grouping(f, k) = 7
SELECT k FROM t GROUP BY GROUPING SETS ((), (), k) HAVING count(*) > 0
SELECT q FROM (SELECT a AS q FROM t UNION SELECT z FROM u) AS s WHERE q > 1
SELECT q FROM (SELECT a AS q FROM t UNION ALL SELECT z FROM u) AS s WHERE q > 1
SELECT q FROM (SELECT a AS q FROM t INTERSECT SELECT z FROM u) AS s WHERE q > 1
SELECT q FROM (SELECT a AS q FROM t EXCEPT SELECT z FROM u) AS s WHERE q > 1
SELECT q FROM (SELECT a AS q FROM t EXCEPT ALL SELECT z FROM u) AS s WHERE q > 1
SELECT q FROM (SELECT a AS q FROM t INTERSECT ALL SELECT z FROM u) AS s
SELECT DISTINCT a, x FROM u
SELECT DISTINCT x FROM u
SELECT DISTINCT k, f FROM (SELECT k, f, sum(a) FROM t GROUP BY k, f) AS s
SELECT DISTINCT k FROM (SELECT k, f, sum(a) FROM t GROUP BY k, f) AS s
SELECT a FROM t WHERE a = 1 OR a = 2 OR a IN (3, 4) OR b = 1
SELECT a FROM t WHERE NOT (a > 1 AND b < 3)
SELECT a FROM t WHERE NOT (a = 1 OR b IS NULL)
SELECT a FROM t WHERE b IS NULL AND a IS NOT NULL
SELECT a FROM t WHERE NULL
SELECT a FROM t WHERE b > NULL OR a > 1
SELECT a FROM t WHERE d > 1 AND d < 3.005 AND d <> 2.5 AND d >= 0.001
SELECT a FROM t WHERE d IN (1.25, 2.5, 3.001)
SELECT a FROM t WHERE g > timestamp '1994-01-01 12:00:00' AND g <= timestamp '1995-01-01'
SELECT a FROM t WHERE g < timestamp '1994-01-01 12:00:00' OR g >= timestamp '1995-01-01 00:00:01'
SELECT a FROM t WHERE k > 2 AND k < 100000 AND c = 3 AND c <> 4.5
SELECT a FROM t WHERE 3 > a AND 2 = b
SELECT a FROM t WHERE -1.5 < a AND a < 2.5 AND a <= 1.5 AND a >= -0.5
SELECT CASE WHEN a > 1 THEN 'x' WHEN true THEN f ELSE 'z' END FROM t
SELECT x.a, y.a FROM (SELECT a, a + b AS s FROM t) AS x JOIN (SELECT a, z * 2 AS s FROM u) AS y ON x.s = y.s
SELECT s.p FROM (SELECT a + 1 AS p, f FROM t WHERE k > 0) AS s JOIN u ON s.p = u.a WHERE s.p BETWEEN 1 AND 3 ORDER BY s.p
SELECT sum(p) FROM (SELECT c * 2 AS p, f FROM t) AS s GROUP BY f
SELECT sum(p), sum(p + 1), max(p) FROM (SELECT c * d AS p FROM t) AS s
SELECT a FROM t UNION ALL SELECT a FROM u WHERE false
SELECT a FROM t WHERE false UNION SELECT b FROM v
SELECT a FROM t EXCEPT SELECT b FROM v WHERE false
SELECT t.a FROM t LEFT JOIN (SELECT * FROM u WHERE false) AS e ON t.a = e.a
SELECT count(*), sum(a) FROM t WHERE false
SELECT k, count(*) FROM t WHERE 1 = 2 GROUP BY ROLLUP (k)
SELECT 1 FROM t WHERE f LIKE '%o%' AND b <> 0 AND 10 / b > 1 AND a < 5
SELECT count(*), count(DISTINCT b), min(f), max(g), sum(d), avg(c), bool_or(i) FROM t
SELECT sum(CASE WHEN k > 1 THEN d ELSE 0 END), sum(CASE WHEN b > 1 THEN d END), count(CASE WHEN i THEN 1 END) FROM t
SELECT f, sum(CASE WHEN k > 1 THEN d ELSE 0 END) / sum(d + 10) FROM t GROUP BY f
SELECT a FROM t WHERE g < NULL::timestamp OR NULL::bigint = a - a
SELECT g < NULL::timestamp, a = NULL::bigint, g BETWEEN NULL::timestamp AND timestamp '2024-12-30', d = '1.2500', d IN ('1.255', 5), f::varchar(1) <= 'pq' FROM t
SELECT a, rank() OVER (PARTITION BY f ORDER BY a, c) FROM t
SELECT a, sum(c) OVER (PARTITION BY k ORDER BY a), count(*) OVER (ORDER BY c DESC), max(a) OVER () FROM t WHERE b > 1
SELECT * FROM (SELECT f, a, rank() OVER (PARTITION BY f ORDER BY a) AS r FROM t) AS s WHERE f = 'p' AND a > 1 AND r < 3
SELECT * FROM (SELECT f, k, sum(c) OVER (PARTITION BY f, k) AS s, sum(a) OVER (PARTITION BY k) AS u FROM t) AS s WHERE k = 2 AND f = 'p'
SELECT s.a FROM (SELECT a, rank() OVER (ORDER BY c) AS r, min(b) OVER (PARTITION BY k) AS m FROM t) AS s WHERE s.m > 0
SELECT f, sum(sum(c)) OVER (ORDER BY f), rank() OVER (PARTITION BY k ORDER BY count(*)) FROM t GROUP BY f, k
SELECT t.a, u.x, count(u.x) OVER (PARTITION BY t.a) FROM t LEFT JOIN u ON t.a = u.a WHERE u.z > 1
SELECT s.n, u.x FROM (SELECT a, count(*) OVER (PARTITION BY a) AS n FROM t) AS s JOIN u ON s.a = u.a AND s.n = 1 WHERE u.a = 2
SELECT DISTINCT f, count(*) OVER (PARTITION BY f) FROM t
SELECT f, rank() OVER (ORDER BY c) AS r FROM t QUALIFY r < 3 AND f = 'q'
SELECT f, k, rank() OVER (PARTITION BY f ORDER BY grouping(f, k), sum(c)) FROM t GROUP BY ROLLUP (f, k)
SELECT a, rank() OVER (ORDER BY (SELECT count(*) FROM u WHERE u.a = t.a)) FROM t
SELECT a, (SELECT max(s.r) FROM (SELECT x, rank() OVER (ORDER BY z) AS r FROM u WHERE u.z < t.b) AS s) FROM t
SELECT a FROM t WHERE b IN (SELECT rank() OVER (PARTITION BY u.a ORDER BY z) FROM u WHERE u.z <> t.b)
SELECT t.a, s.r FROM t, LATERAL (SELECT u.x, rank() OVER (ORDER BY u.x) AS r FROM u WHERE u.a = t.a) AS s WHERE s.r < 3
SELECT f, sum(c) OVER (PARTITION BY f) FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a) AND a > 1
SELECT t.a FROM t, u WHERE (t.a = u.a AND t.b = 1) OR (t.b = 2 AND t.a = u.a) OR (t.a = u.a AND u.z > 2 AND t.b = 3)
SELECT t.a FROM t WHERE (a = 1 AND b = 2) OR a = 1
SELECT t.a FROM t LEFT JOIN u ON (t.a = u.a AND t.b = 1) OR (t.a = u.a AND u.x = 'p')
SELECT t.a, (b > 1 AND k = 1) OR (k = 2 AND b > 1) FROM t
SELECT t.a, u.z, v.b FROM t, u, v WHERE t.a = u.a AND u.a = v.b AND t.a = v.b
SELECT count(*) FROM t, u, v, t AS t2 WHERE t.a = u.a AND u.a = t2.a AND t2.b = v.b AND t2.a = t.b
SELECT count(*) FROM t JOIN u ON t.a = u.a AND t.b = u.z JOIN t AS t2 ON t2.a = u.a AND t2.b = u.z WHERE EXISTS (SELECT 1 FROM v WHERE v.b = t2.b)
SELECT t.a, v.b FROM t, v, u WHERE t.a = u.a AND u.z = v.b AND (t.b = 1 AND v.b > 0 OR t.b = 2 AND v.b = 3 AND u.z = 3)
SELECT t.a, v.x FROM t JOIN v ON t.b = v.b LEFT JOIN u ON t.a = u.a WHERE t.f = 'n' AND v.x = 'o' OR t.f = 'p' AND v.x = 'n' AND u.z > 1
SELECT u.a, s.n FROM u JOIN (SELECT a, count(*) AS n FROM t GROUP BY a) AS s ON s.a = u.a WHERE u.x = 'p'
SELECT u.a, s.n FROM u LEFT JOIN (SELECT a, b, count(*) AS n FROM t GROUP BY ROLLUP (a, b)) AS s ON s.a = u.a AND s.n > 1 WHERE u.x = 'p'
SELECT u.a FROM u WHERE u.x <> 'p' AND u.z < (SELECT sum(t.c) FROM t WHERE t.a = u.a)
SELECT u.a FROM u WHERE u.x > 'm' AND u.a IN (SELECT t.a FROM t, (SELECT a, max(b) AS m FROM t GROUP BY a) AS s WHERE s.a = t.a AND s.m >= t.b)
SELECT s.n FROM (SELECT b, count(*) AS n FROM t GROUP BY b) AS s RIGHT JOIN (SELECT b AS q FROM v WHERE x > 'n') AS w ON w.q = s.b
SELECT s.n FROM (SELECT b, count(*) AS n FROM t GROUP BY b HAVING count(*) > 1) AS s FULL JOIN (SELECT b AS q FROM v WHERE x > 'n') AS w ON w.q = s.b
SELECT v.x FROM v WHERE v.x > 'n' AND NOT EXISTS (SELECT 1 FROM (SELECT b, sum(a) AS n FROM t GROUP BY b) AS s WHERE s.b = v.b AND s.n > 1)
SELECT t.a, u.z FROM t LEFT JOIN u ON t.a = u.a WHERE t.a = 2
SELECT t.a, u.z FROM u RIGHT JOIN t ON t.a = u.a AND u.z > 1 WHERE t.a IN (1, 2)
SELECT t.a FROM t WHERE t.b < 3 AND EXISTS (SELECT 1 FROM v WHERE v.b = t.b)
SELECT t.a FROM t WHERE t.b < 3 AND NOT EXISTS (SELECT 1 FROM v WHERE v.b = t.b AND v.b <> 1)
SELECT t.a FROM t WHERE t.a IN (SELECT u.a FROM u WHERE u.a > 1 AND u.a < 4)
SELECT t.a, u.z FROM t FULL JOIN u ON t.a = u.a AND t.a = 2
SELECT t.a, s.a, s.b FROM t LEFT JOIN (SELECT u.a, v.b FROM u LEFT JOIN v ON v.b = u.a) AS s ON t.a = s.a WHERE t.a = 1 OR t.a = 3
SELECT a, (SELECT max(z) FROM u) + 1, (SELECT max(z) FROM u) - 1, (SELECT max(z) FROM u WHERE z > 2) FROM t WHERE c >= (SELECT max(z) FROM u) OR b > (SELECT max(z) FROM u AS q)
SELECT a, (SELECT sum(z) FROM u WHERE u.a = t.a), (SELECT sum(z) FROM u WHERE u.a = t.a) FROM t WHERE (SELECT sum(z) FROM u WHERE u.a = t.a) > 1 OR EXISTS (SELECT 1 FROM v WHERE v.b = t.b) = EXISTS (SELECT 1 FROM v WHERE v.b = t.b)
SELECT t.a, s.m, (SELECT max(z) FROM u) FROM t LEFT JOIN (SELECT v.b, (SELECT max(z) FROM u) AS m FROM v) AS s ON s.b = t.b
SELECT t.a FROM t LEFT JOIN v ON v.b = t.b AND v.b > (SELECT min(z) FROM u) WHERE t.c > (SELECT min(z) FROM u)
SELECT (SELECT u.a FROM u WHERE u.a = 2), (SELECT u.z FROM u WHERE u.a = 2), (SELECT a FROM u WHERE a = 2) FROM t
WITH s AS (SELECT t.a, sum(t.b) AS n FROM t WHERE t.b > 1 GROUP BY t.a) SELECT u.x, s.n FROM u JOIN s ON s.a = u.a WHERE s.n = (SELECT max(n) FROM s)
WITH s AS (SELECT t.a, sum(t.b) AS n FROM t GROUP BY t.a) SELECT (SELECT max(n) FROM s), (SELECT min(a) FROM s WHERE n > 2), (SELECT count(*) FROM s)
SELECT t.a, count(*) FROM t JOIN v ON v.b = t.b WHERE v.x = 'n' GROUP BY t.a HAVING sum(t.b) >= (SELECT avg(t.b) FROM t JOIN v ON v.b = t.b WHERE v.x = 'n')
WITH s AS (SELECT a, max(b) AS m FROM t GROUP BY a), r AS (SELECT s.m, count(*) AS n FROM s WHERE s.m < (SELECT max(m) FROM s) GROUP BY s.m) SELECT r.m, r.n FROM r WHERE r.n = (SELECT max(n) FROM r)
SELECT s.b, (SELECT max(q.n) FROM (SELECT b, count(*) AS n FROM t GROUP BY b) AS q) FROM (SELECT b, count(*) AS n FROM t GROUP BY b) AS s UNION ALL SELECT sum(b), sum(n) FROM (SELECT b, count(*) AS n FROM t GROUP BY b) AS s
