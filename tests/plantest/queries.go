package plantest

import "github.com/cubeloom/cubeloom/planner/algebra"

// Queries are the plans of known queries, by name.
func Queries() map[string]algebra.Node {
	return map[string]algebra.Node{
		"ssb-q1.1": SSB11(), "ssb-q2.1": SSB21(), "ssb-q4.1": SSB41(), "tpch-q1": TPCH1(), "cube-3": Cube3(),
	}
}

func (b *Builder) lineorder() *algebra.Scan {
	return b.Scan("lineorder", 6001171,
		Ints("lo_custkey", algebra.TInt32, 1, 30000),
		Ints("lo_partkey", algebra.TInt32, 1, 200000),
		Ints("lo_suppkey", algebra.TInt32, 1, 2000),
		Ints("lo_orderdate", algebra.TInt32, 19920101, 19980802),
		Ints("lo_quantity", algebra.TInt32, 1, 50),
		Ints("lo_extendedprice", algebra.TInt32, 90100, 10494950),
		Ints("lo_discount", algebra.TInt32, 0, 10),
		Ints("lo_revenue", algebra.TInt32, 81090, 10494950),
		Ints("lo_supplycost", algebra.TInt32, 54060, 125939),
	)
}

func (b *Builder) date() *algebra.Scan {
	return b.Scan("date", 2556,
		Ints("d_datekey", algebra.TInt32, 19920101, 19981230),
		Ints("d_year", algebra.TInt32, 1992, 1998),
	)
}

func (b *Builder) supplier() *algebra.Scan {
	return b.Scan("supplier", 2000,
		Ints("s_suppkey", algebra.TInt32, 1, 2000), Words("s_region", 5), Words("s_nation", 25))
}

func (b *Builder) part() *algebra.Scan {
	return b.Scan("part", 200000,
		Ints("p_partkey", algebra.TInt32, 1, 200000), Words("p_category", 25), Words("p_brand1", 1000), Words("p_mfgr", 5))
}

func (b *Builder) customer() *algebra.Scan {
	return b.Scan("customer", 30000,
		Ints("c_custkey", algebra.TInt32, 1, 30000), Words("c_region", 5), Words("c_nation", 25))
}

// SSB11 is SSB's first query: a filter on the fact table, one small dimension,
// one sum.
func SSB11() algebra.Node {
	b := &Builder{}
	lo, d := b.lineorder(), b.date()
	fact := Filter(lo,
		Is(algebra.Ge, Ref(lo, "lo_discount"), Int(1)), Is(algebra.Le, Ref(lo, "lo_discount"), Int(3)),
		Is(algebra.Lt, Ref(lo, "lo_quantity"), Int(25)))
	dates := Filter(d, Is(algebra.Eq, Ref(d, "d_year"), Int(1993)))
	join := Join(algebra.JoinInner, fact, dates, "lo_orderdate", "d_datekey")
	revenue := Call(algebra.Mul, algebra.TInt32, Ref(join, "lo_extendedprice"), Ref(join, "lo_discount"))
	return b.GroupBy(join, nil, b.Agg("revenue", algebra.Sum, revenue))
}

// SSB21 joins three dimensions and groups by two of them.
func SSB21() algebra.Node {
	b := &Builder{}
	lo, d, p, s := b.lineorder(), b.date(), b.part(), b.supplier()
	parts := Filter(p, Is(algebra.Eq, Ref(p, "p_category"), Text("MFGR#12")))
	suppliers := Filter(s, Is(algebra.Eq, Ref(s, "s_region"), Text("AMERICA")))
	join := Join(algebra.JoinInner, lo, parts, "lo_partkey", "p_partkey")
	join = Join(algebra.JoinInner, join, suppliers, "lo_suppkey", "s_suppkey")
	join = Join(algebra.JoinInner, join, d, "lo_orderdate", "d_datekey")
	agg := b.GroupBy(join, []string{"d_year", "p_brand1"}, b.Agg("revenue", algebra.Sum, Ref(join, "lo_revenue")))
	out := b.Project(agg, []string{"revenue", "d_year", "p_brand1"}, Ref(agg, "revenue"), Ref(agg, "d_year"), Ref(agg, "p_brand1"))
	return Sort(out, "d_year", "p_brand1")
}

// SSB41 joins all four dimensions.
func SSB41() algebra.Node {
	b := &Builder{}
	lo, d, p, s, c := b.lineorder(), b.date(), b.part(), b.supplier(), b.customer()
	america := func(n algebra.Node, col string) algebra.Node {
		return Filter(n, Is(algebra.Eq, Ref(n, col), Text("AMERICA")))
	}
	mfgr := Ref(p, "p_mfgr")
	parts := Filter(p, Call(algebra.Or, algebra.TBool, Is(algebra.Eq, mfgr, Text("MFGR#1")), Is(algebra.Eq, mfgr, Text("MFGR#2"))))
	join := Join(algebra.JoinInner, lo, america(s, "s_region"), "lo_suppkey", "s_suppkey")
	join = Join(algebra.JoinInner, join, america(c, "c_region"), "lo_custkey", "c_custkey")
	join = Join(algebra.JoinInner, join, parts, "lo_partkey", "p_partkey")
	join = Join(algebra.JoinInner, join, d, "lo_orderdate", "d_datekey")
	profit := Call(algebra.Sub, algebra.TInt32, Ref(join, "lo_revenue"), Ref(join, "lo_supplycost"))
	agg := b.GroupBy(join, []string{"d_year", "c_nation"}, b.Agg("profit", algebra.Sum, profit))
	return Sort(agg, "d_year", "c_nation")
}

// TPCH1 is the first query of TPC-H: decimals, averages, a sort.
func TPCH1() algebra.Node {
	b := &Builder{}
	money := algebra.TDecimal(15, 2)
	l := b.Scan("lineitem", 6001215,
		Ints("l_quantity", money, 100, 5000),
		Ints("l_extendedprice", money, 90100, 10494950),
		Ints("l_discount", money, 0, 10),
		Ints("l_tax", money, 0, 8),
		Words("l_returnflag", 3), Words("l_linestatus", 2),
		Ints("l_shipdate", algebra.TDate, 8036, 10561),
	)
	in := Filter(l, Is(algebra.Le, Ref(l, "l_shipdate"), Date(10471)))
	one := Decimal(1, 1, 0)
	price := algebra.TDecimal(32, 4)
	discounted := Call(algebra.Mul, price, Ref(l, "l_extendedprice"),
		Call(algebra.Sub, algebra.TDecimal(16, 2), one, Ref(l, "l_discount")))
	charge := Call(algebra.Mul, algebra.TDecimal(38, 6), discounted,
		Call(algebra.Add, algebra.TDecimal(16, 2), one, Ref(l, "l_tax")))
	agg := b.GroupBy(in, []string{"l_returnflag", "l_linestatus"},
		b.Agg("sum_qty", algebra.Sum, Ref(l, "l_quantity")),
		b.Agg("sum_base_price", algebra.Sum, Ref(l, "l_extendedprice")),
		b.Agg("sum_disc_price", algebra.Sum, discounted),
		b.Agg("sum_charge", algebra.Sum, charge),
		b.Agg("avg_qty", algebra.Avg, Ref(l, "l_quantity")),
		b.Agg("avg_price", algebra.Avg, Ref(l, "l_extendedprice")),
		b.Agg("avg_disc", algebra.Avg, Ref(l, "l_discount")),
		b.Agg("count_order", algebra.CountStar, nil),
	)
	return Sort(agg, "l_returnflag", "l_linestatus")
}

// Cube3 is a GROUP BY CUBE over three dimensions of one table, with a HAVING.
func Cube3() algebra.Node {
	b := &Builder{}
	t := b.Scan("facts", 1000000,
		Ints("a", algebra.TInt32, 0, 99), Ints("b", algebra.TInt32, 0, 99), Words("c", 100),
		Ints("v", algebra.TInt64, -1000, 1000))
	agg := b.Cube(b.GroupBy(t, []string{"a", "b", "c"},
		b.Agg("n", algebra.CountStar, nil),
		b.Agg("sum", algebra.Sum, Ref(t, "v")),
		b.Agg("avg", algebra.Avg, Ref(t, "v"))))
	n := Ref(agg, "n")
	many := &algebra.Const{Val: Int(10).Val, Typ: algebra.TInt64}
	return Filter(agg, Is(algebra.Ge, n, many))
}
