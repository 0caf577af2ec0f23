package tpch

// The tables as the specification has them (clause 1.4). Fixed text is varchar:
// the specification leaves padding open.
var tableColumns = [...]struct{ name, columns string }{
	{"nation", "n_nationkey integer, n_name varchar(25), n_regionkey integer, n_comment varchar(152)"},
	{"region", "r_regionkey integer, r_name varchar(25), r_comment varchar(152)"},
	{"supplier", "s_suppkey integer, s_name varchar(25), s_address varchar(40), s_nationkey integer, " +
		"s_phone varchar(15), s_acctbal numeric(15,2), s_comment varchar(101)"},
	{"customer", "c_custkey integer, c_name varchar(25), c_address varchar(40), c_nationkey integer, " +
		"c_phone varchar(15), c_acctbal numeric(15,2), c_mktsegment varchar(10), c_comment varchar(117)"},
	{"part", "p_partkey integer, p_name varchar(55), p_mfgr varchar(25), p_brand varchar(10), p_type varchar(25), " +
		"p_size integer, p_container varchar(10), p_retailprice numeric(15,2), p_comment varchar(23)"},
	{"partsupp", "ps_partkey integer, ps_suppkey integer, ps_availqty integer, ps_supplycost numeric(15,2), " +
		"ps_comment varchar(199)"},
	{"orders", "o_orderkey bigint, o_custkey integer, o_orderstatus varchar(1), o_totalprice numeric(15,2), " +
		"o_orderdate date, o_orderpriority varchar(15), o_clerk varchar(15), o_shippriority integer, " +
		"o_comment varchar(79)"},
	{"lineitem", "l_orderkey bigint, l_partkey integer, l_suppkey integer, l_linenumber integer, " +
		"l_quantity numeric(15,2), l_extendedprice numeric(15,2), l_discount numeric(15,2), " +
		"l_tax numeric(15,2), l_returnflag varchar(1), l_linestatus varchar(1), l_shipdate date, " +
		"l_commitdate date, l_receiptdate date, l_shipinstruct varchar(25), l_shipmode varchar(10), " +
		"l_comment varchar(44)"},
}

// The order of the tables.
const (
	nation = iota
	region
	supplier
	customer
	part
	partsupp
	orders
	lineitem
)
