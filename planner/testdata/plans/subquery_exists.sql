-- small
SELECT t.a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.z > 3) AND NOT EXISTS (SELECT * FROM v WHERE v.b = t.b AND v.b <> t.k)
