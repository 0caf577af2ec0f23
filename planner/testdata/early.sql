-- a product with one weight
SELECT e.machine, sum(c.value * e.weight) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
-- the total of all targets
SELECT sum(c.value * e.weight) FROM cells c JOIN edges e USING (component);
-- decimals keep their scale
SELECT e.machine, sum(c.amount * e.share), avg(c.amount * e.share) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
-- counts
SELECT e.machine, count(*), count(e.weight), sum(e.weight) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
-- both extremes for a weight that may be negative, one for others
SELECT e.machine, min(c.value * e.weight), max(c.value) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
SELECT a.area, max(c.amount * a.part) FROM cells c JOIN areas a USING (region) GROUP BY a.area;
-- variances by count, sum and sum of squares
SELECT e.machine, var_samp(c.value * e.weight) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
-- conditions of either side
SELECT e.machine, sum(c.value * e.weight) FILTER (WHERE c.month < 6 AND e.weight > 0) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
-- grouping sets
SELECT e.machine, c.month, sum(c.value * e.weight) FROM cells c JOIN edges e USING (component) GROUP BY ROLLUP (e.machine, c.month);
-- one map after the other
SELECT e.machine, a.area, sum(c.value * e.weight * a.part) FROM cells c JOIN edges e USING (component) JOIN areas a USING (region) GROUP BY e.machine, a.area;
SELECT e.machine, a.area, q.quarter, sum(c.value * e.weight) FROM cells c JOIN edges e USING (component) JOIN areas a USING (region) JOIN quarters q USING (month) GROUP BY e.machine, a.area, q.quarter;
-- the product is made in a subquery
SELECT machine, sum(x) FROM (SELECT e.machine, c.value * e.weight AS x FROM cells c JOIN edges e USING (component)) t GROUP BY machine;
-- rows without a partner
SELECT a.area, sum(c.value * a.part), count(*) FROM cells c LEFT JOIN areas a USING (region) GROUP BY a.area;
-- distinct values of the facts, which are keys then
SELECT e.machine, count(DISTINCT c.value) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
-- not: nothing is known of the numbers
SELECT e.machine, sum(c.wide * e.big) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
SELECT e.machine, sum(c.loose * e.weight) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
SELECT e.machine, sum(c.ratio * e.weight) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
-- a sum of both sides, for which the facts are counted by value
SELECT e.machine, sum(c.value + e.weight) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
-- not: a quotient is rounded for each row
SELECT e.machine, sum(c.amount / e.share) FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
-- not: each row has one partner
SELECT p.title, sum(c.value * p.component) FROM cells c JOIN parts p ON c.wide = p.component GROUP BY p.title;
-- not: as many groups as rows
SELECT e.machine, c.wide, sum(c.value * e.weight) FROM cells c JOIN edges e USING (component) GROUP BY e.machine, c.wide;
-- not: the order of texts
SELECT e.machine, string_agg(c.name, ',') FROM cells c JOIN edges e USING (component) GROUP BY e.machine;
