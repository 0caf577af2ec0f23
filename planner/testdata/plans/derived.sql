-- small
WITH s AS (SELECT a, f, sum(c) AS total FROM t WHERE g >= date '1994-01-01' AND g < date '1994-01-01' + interval '1 year' GROUP BY a, f)
SELECT f, total / 2 AS half FROM s JOIN u USING (a) WHERE a = 5 AND total > 10 AND y IS NOT NULL
ORDER BY total DESC, f LIMIT 3
