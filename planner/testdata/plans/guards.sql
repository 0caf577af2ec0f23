-- small
SELECT a FROM t WHERE f LIKE '%x%' AND k <> 0 AND 10 / k > 2 AND a < 5 AND c::integer > 3
