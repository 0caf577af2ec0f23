-- small
SELECT t.a, u.z, v.x
FROM t LEFT JOIN u ON u.a = t.a, v
WHERE t.a = 3 AND v.b = t.b AND (t.f = 'p' AND v.x = 'q' OR t.f = 'r' AND v.x = 's')
  AND EXISTS (SELECT 1 FROM u AS w WHERE w.a = t.a)
