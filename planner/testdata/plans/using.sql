-- small
SELECT a, b, x, count(*) FROM t FULL JOIN u USING (a) NATURAL JOIN v WHERE a IN (1, 2) GROUP BY ROLLUP (a, b), x
