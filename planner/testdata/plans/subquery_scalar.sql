-- small
SELECT a, (SELECT count(*) FROM v WHERE v.x = t.f), (SELECT x FROM u WHERE u.a = t.a) FROM t WHERE d > (SELECT avg(y) FROM u) AND c < (SELECT sum(z) FROM u WHERE u.x = t.f)
