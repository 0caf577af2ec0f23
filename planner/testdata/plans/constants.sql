-- small
SELECT 1 + 1 AS two, upper('x') || 'y' AS t, date '2000-01-31' + interval '1 month' AS d, 1 / 3.0 AS third WHERE 2 > 1
