package tpch

import "github.com/cubeloom/cubeloom/cmd/cubeloom/workload"

// everyday are questions of kinds that the 22 queries leave out, each of one kind, with small answers.
var everyday = [][2]string{
	// Window functions.
	{"row_number", "SELECT sum(n) FROM (SELECT row_number() OVER (PARTITION BY l_suppkey ORDER BY l_shipdate, l_orderkey, l_linenumber) AS n FROM lineitem) AS w WHERE n <= 3"},
	{"rank", "SELECT max(r), sum(r) FROM (SELECT rank() OVER (PARTITION BY l_returnflag ORDER BY l_extendedprice DESC) AS r FROM lineitem) AS w"},
	{"share", "SELECT max(s), count(*) FROM (SELECT l_extendedprice * 100 / sum(l_extendedprice) OVER (PARTITION BY l_orderkey) AS s FROM lineitem) AS w WHERE s > 50"},
	{"running", "SELECT max(t) FROM (SELECT sum(o_totalprice) OVER (ORDER BY o_orderdate, o_orderkey) AS t FROM orders) AS w"},
	{"moving", "SELECT max(a) FROM (SELECT sum(o_totalprice) OVER (PARTITION BY o_custkey ORDER BY o_orderdate, o_orderkey ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS a FROM orders) AS w"},
	{"moving_max", "SELECT sum(m) FROM (SELECT max(o_totalprice) OVER (ORDER BY o_orderdate, o_orderkey ROWS BETWEEN 100 PRECEDING AND 100 FOLLOWING) AS m FROM orders) AS w"},
	{"days", "SELECT max(t) FROM (SELECT sum(o_totalprice) OVER (PARTITION BY o_custkey ORDER BY o_orderdate RANGE BETWEEN interval '90' day PRECEDING AND CURRENT ROW) AS t FROM orders) AS w"},
	{"lag", "SELECT sum(o_orderdate - d), count(d) FROM (SELECT o_orderdate, lag(o_orderdate) OVER (PARTITION BY o_custkey ORDER BY o_orderdate, o_orderkey) AS d FROM orders) AS w"},
	{"first_value", "SELECT sum(f), sum(l) FROM (SELECT first_value(o_totalprice) OVER (PARTITION BY o_custkey ORDER BY o_orderdate, o_orderkey) AS f, nth_value(o_totalprice, 2) OVER (PARTITION BY o_custkey ORDER BY o_orderdate, o_orderkey) AS l FROM orders) AS w"},
	{"ntile", "SELECT t, count(*), min(o_totalprice) FROM (SELECT ntile(100) OVER (ORDER BY o_totalprice, o_orderkey) AS t, o_totalprice FROM orders) AS w GROUP BY t"},
	{"sessions", "SELECT max(n), count(*) FROM (SELECT o_custkey, s, count(*) AS n FROM (SELECT o_custkey, sum(CASE WHEN o_orderdate - d > 180 THEN 1 ELSE 0 END) OVER (PARTITION BY o_custkey ORDER BY o_orderdate, o_orderkey) AS s FROM (SELECT o_custkey, o_orderkey, o_orderdate, lag(o_orderdate) OVER (PARTITION BY o_custkey ORDER BY o_orderdate, o_orderkey) AS d FROM orders) AS a) AS b GROUP BY o_custkey, s) AS c"},
	// Aggregates of ordered values.
	{"percentiles", "SELECT l_returnflag, percentile_disc(0.5) WITHIN GROUP (ORDER BY l_extendedprice), percentile_disc(0.99) WITHIN GROUP (ORDER BY l_extendedprice) FROM lineitem GROUP BY l_returnflag"},
	{"medians", "SELECT sum(m) FROM (SELECT l_partkey, percentile_disc(0.5) WITHIN GROUP (ORDER BY l_extendedprice) AS m FROM lineitem GROUP BY l_partkey) AS g"},
	{"mode", "SELECT l_shipmode, mode() WITHIN GROUP (ORDER BY l_partkey) IS NULL FROM lineitem GROUP BY l_shipmode"},
	{"string_agg", "SELECT max(length(t)), sum(length(t)) FROM (SELECT o_custkey, string_agg(o_orderpriority, ',' ORDER BY o_orderdate, o_orderkey) AS t FROM orders GROUP BY o_custkey) AS g"},
	{"array_agg", "SELECT count(*), sum(x) FROM (SELECT unnest(a) AS x FROM (SELECT array_agg(o_orderkey) AS a FROM orders GROUP BY o_custkey) AS g) AS u"},
	{"filter", "SELECT l_returnflag, l_linestatus, count(*) FILTER (WHERE l_discount > 0.05), min(l_comment), max(l_comment) FROM lineitem GROUP BY l_returnflag, l_linestatus"},
	{"distincts", "SELECT l_shipmode, count(DISTINCT l_orderkey), count(DISTINCT l_partkey), count(DISTINCT l_suppkey) FROM lineitem GROUP BY l_shipmode"},
	{"latest", "SELECT sum(o_totalprice) FROM (SELECT DISTINCT ON (o_custkey) o_custkey, o_totalprice FROM orders ORDER BY o_custkey, o_orderdate DESC, o_orderkey) AS d"},
	// Orders and sets.
	{"first", "SELECT l_orderkey, l_linenumber, l_comment FROM lineitem ORDER BY l_comment, l_orderkey, l_linenumber LIMIT 10"},
	{"page", "SELECT l_orderkey, l_linenumber, l_extendedprice FROM lineitem ORDER BY l_extendedprice, l_orderkey, l_linenumber LIMIT 10 OFFSET 3000000"},
	{"sorted", "SELECT count(*), max(n) FROM (SELECT row_number() OVER () AS n, l_orderkey FROM (SELECT l_orderkey FROM lineitem ORDER BY l_shipdate, l_extendedprice, l_orderkey, l_linenumber OFFSET 1) AS o) AS w"},
	{"except", "SELECT count(*) FROM (SELECT l_partkey, l_suppkey FROM lineitem WHERE l_returnflag = 'A' EXCEPT SELECT l_partkey, l_suppkey FROM lineitem WHERE l_returnflag = 'R') AS e"},
	{"intersect", "SELECT count(*) FROM (SELECT o_custkey FROM orders WHERE o_orderdate < date '1995-01-01' INTERSECT SELECT o_custkey FROM orders WHERE o_orderdate >= date '1995-01-01') AS e"},
	{"union", "SELECT count(*) FROM (SELECT l_shipdate AS d, l_suppkey AS s FROM lineitem UNION SELECT l_receiptdate, l_suppkey FROM lineitem) AS u"},
	{"distinct", "SELECT count(*) FROM (SELECT DISTINCT l_partkey, l_suppkey, l_shipmode FROM lineitem) AS d"},
	// Joins.
	{"join", "SELECT o_orderpriority, sum(l_extendedprice) FROM lineitem JOIN orders ON l_orderkey = o_orderkey GROUP BY o_orderpriority"},
	{"left_join", "SELECT count(*), count(o_orderkey), sum(o_totalprice) FROM customer LEFT JOIN orders ON c_custkey = o_custkey AND o_orderstatus = 'F'"},
	{"full_join", "SELECT count(*), count(a.k), count(b.k) FROM (SELECT l_partkey AS k, sum(l_quantity) AS q FROM lineitem WHERE l_returnflag = 'A' GROUP BY l_partkey) AS a FULL JOIN (SELECT l_partkey AS k, sum(l_quantity) AS q FROM lineitem WHERE l_returnflag = 'R' GROUP BY l_partkey) AS b ON a.k = b.k"},
	{"anti_join", "SELECT count(*) FROM orders WHERE NOT EXISTS (SELECT 1 FROM lineitem WHERE l_orderkey = o_orderkey AND l_shipmode = 'AIR')"},
	{"in", "SELECT count(*) FROM lineitem WHERE l_partkey IN (SELECT p_partkey FROM part WHERE p_size = 15) OR l_suppkey IN (SELECT s_suppkey FROM supplier WHERE s_acctbal < 0)"},
	{"text_join", "SELECT count(*) FROM (SELECT c_phone AS p FROM customer) AS a JOIN (SELECT c_phone AS p, c_acctbal FROM customer WHERE c_acctbal > 0) AS b ON a.p = b.p"},
	{"ranges", "SELECT b.n, count(*) FROM orders JOIN (SELECT n, n * 50000 AS low, n * 50000 + 50000 AS high FROM generate_series(0, 11) AS g(n)) AS b ON o_totalprice >= b.low AND o_totalprice < b.high GROUP BY b.n"},
	{"lateral", "SELECT sum(t) FROM customer, LATERAL (SELECT max(o_totalprice) AS t FROM orders WHERE o_custkey = c_custkey) AS l WHERE c_acctbal > 5000"},
	{"scalar", "SELECT count(*) FROM orders WHERE o_totalprice > (SELECT avg(i.o_totalprice) FROM orders AS i WHERE i.o_custkey = orders.o_custkey)"},
	// Texts, numbers and dates.
	{"upper", "SELECT upper(l_shipmode) || '-' || l_returnflag AS k, count(*) FROM lineitem GROUP BY upper(l_shipmode) || '-' || l_returnflag"},
	{"like", "SELECT count(*) FROM lineitem WHERE l_comment LIKE '%furiously%' AND l_comment NOT LIKE '%express%'"},
	{"ilike", "SELECT count(*) FROM orders WHERE o_comment ILIKE '%Special%Requests%'"},
	{"words", "SELECT split_part(l_comment, ' ', 2) AS w, count(*) AS n FROM lineitem GROUP BY split_part(l_comment, ' ', 2) ORDER BY n DESC, w LIMIT 10"},
	{"substring", "SELECT substring(c_phone, 1, 2) AS k, count(*), sum(c_acctbal) FROM customer GROUP BY substring(c_phone, 1, 2)"},
	{"replace", "SELECT sum(length(replace(o_comment, 'requests', 'r'))) FROM orders"},
	{"position", "SELECT position('ly' IN o_comment) AS p, count(*) FROM orders GROUP BY position('ly' IN o_comment)"},
	{"comments", "SELECT count(DISTINCT l_comment) FROM lineitem"},
	{"months", "SELECT date_trunc('month', l_shipdate)::date AS m, sum(l_extendedprice * (1 - l_discount)) FROM lineitem GROUP BY date_trunc('month', l_shipdate)"},
	{"weekdays", "SELECT extract(dow FROM l_shipdate) AS d, extract(year FROM l_shipdate) AS y, count(*), sum(l_quantity) FROM lineitem GROUP BY extract(dow FROM l_shipdate), extract(year FROM l_shipdate)"},
	{"interval", "SELECT count(*) FROM lineitem WHERE l_receiptdate > l_shipdate + interval '25' day"},
	{"case", "SELECT CASE WHEN l_quantity < 10 THEN 'few' WHEN l_quantity < 30 THEN 'some' ELSE 'many' END AS k, count(*), sum(CASE WHEN l_shipmode IN ('AIR', 'REG AIR') THEN l_extendedprice ELSE 0 END) FROM lineitem GROUP BY CASE WHEN l_quantity < 10 THEN 'few' WHEN l_quantity < 30 THEN 'some' ELSE 'many' END"},
	{"buckets", "SELECT floor(l_extendedprice / 1000) AS b, count(*) FROM lineitem GROUP BY floor(l_extendedprice / 1000)"},
	{"roots", "SELECT count(*) FROM lineitem WHERE sqrt(l_extendedprice::double precision) > 200 AND ln(l_quantity::double precision) > 2"},
	{"to_text", "SELECT max(length(l_orderkey::text || l_linenumber::text)) FROM lineitem"},
	{"to_number", "SELECT sum(substring(c_phone, 1, 2)::integer) FROM customer"},
	{"series", "SELECT sum(n), count(*) FROM generate_series(1, 10000000) AS g(n) WHERE n % 3 = 0"},
	{"recursive", "WITH RECURSIVE r(n, t) AS (SELECT 1, 1::bigint UNION ALL SELECT n + 1, t + n FROM r WHERE n < 10000) SELECT max(n), max(t) FROM r"},
}

// Everyday returns questions of the kinds that the 22 queries leave out.
func Everyday() []workload.Query {
	queries := make([]workload.Query, len(everyday))
	for i, q := range everyday {
		queries[i] = workload.Query{Name: q[0], SQL: q[1]}
	}
	return queries
}
