-- small
SELECT t.a, s.a FROM t LEFT JOIN (u AS s FULL JOIN u ON true) ON CASE WHEN true THEN true END IS NULL
