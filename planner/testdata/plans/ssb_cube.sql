-- ssb
SELECT d_year, c_region, s_region, sum(lo_revenue) AS revenue, grouping(d_year, c_region, s_region) AS level
FROM lineorder
JOIN date ON lo_orderdate = d_datekey
JOIN customer ON lo_custkey = c_custkey
JOIN supplier ON lo_suppkey = s_suppkey
GROUP BY CUBE (d_year, c_region, s_region)
HAVING grouping(d_year) = 0 AND count(*) >= 10
ORDER BY level, revenue DESC
LIMIT 20
