-- small
SELECT t.a, u.z FROM t JOIN u ON t.a = u.a WHERE t.k IN (SELECT k FROM t AS o GROUP BY k HAVING count(*) > 300) AND u.x = 'p'
