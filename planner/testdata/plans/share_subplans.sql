-- small
WITH s AS (SELECT t.a, sum(t.b) AS n FROM t WHERE t.c > 1 GROUP BY t.a)
SELECT u.x, s.n
FROM u JOIN s ON s.a = u.a
WHERE s.n = (SELECT max(n) FROM s) AND s.n > (SELECT avg(n) FROM s WHERE n < 100)
