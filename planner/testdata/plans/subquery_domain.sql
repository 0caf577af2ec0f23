-- small
SELECT a, (SELECT count(*) FROM u WHERE u.z > t.c AND u.a <> t.a) FROM t WHERE b < ALL (SELECT b FROM v)
