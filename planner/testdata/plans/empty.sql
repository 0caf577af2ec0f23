-- small
SELECT t.a, s.n FROM t JOIN (SELECT a, count(*) AS n FROM u WHERE false GROUP BY a) AS s ON t.a = s.a ORDER BY 1
