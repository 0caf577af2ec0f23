-- small
SELECT a, (SELECT max(z) FROM u)
FROM t
WHERE c > (SELECT max(z) FROM u) AND (b < (SELECT min(z) FROM u) OR c + 1 = (SELECT max(w.z) FROM u AS w))
