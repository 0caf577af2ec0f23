-- small
SELECT t.a, u.x, v.x AS vx
FROM t LEFT JOIN u ON t.a = u.a AND u.z > 5 LEFT JOIN v ON v.b = t.b
WHERE u.x = 'p' AND t.c BETWEEN 10 AND 20
