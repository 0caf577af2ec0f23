-- small
SELECT t.a, s.z FROM t, LATERAL (SELECT z FROM u WHERE u.x = t.f ORDER BY z DESC LIMIT 2) AS s
