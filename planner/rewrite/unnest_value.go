package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// join joins a plan that has one row at most to the relation. Guards on the rows of queries around
// it alone are conditions of the plan.
func (v *valuer) join(plan algebra.Node) {
	kind := algebra.JoinLeft
	if hasOneRow(plan) && len(v.guards.rows) == 0 {
		kind = algebra.JoinInner
	}
	own, outer := split(v.guards.rows, algebra.Outputs(v.in).Intersects)
	v.in = v.apply(kind, v.in, filter(overRows(plan, outer), outer), own)
}

// overRows has a plan that aggregates all rows aggregate none where a condition on the rows of queries
// around it is not true: what it computes of them may raise an error.
func overRows(n algebra.Node, around []algebra.Expr) algebra.Node {
	switch n := n.(type) {
	case *algebra.Filter, *algebra.Project:
		return mapInput(n, overRows(algebra.Inputs(n)[0], around))
	case *algebra.Aggregate:
		if hasOneRow(n) {
			return mapInput(n, filter(n.Input, around))
		}
	}
	return n
}

// scalar is the value of a column in the plan's only row. Where it is not
// certain that there are no more rows they are counted, and the error is raised
// by who needs the value.
func (v *valuer) scalar(plan algebra.Node, id algebra.ColumnID) algebra.Expr {
	col, _ := algebra.FindColumn(plan, id)
	col.Nullable = true
	if in, e := v.computedLate(plan, id); e != nil {
		v.join(in)
		return e
	}
	if v.hasRowAtMost(plan) {
		v.join(plan)
		return col.Ref()
	}
	one := v.aggregate(algebra.AnyValue, col.Ref())
	rows := v.aggregate(algebra.CountStar, nil)
	v.join(aggregation(plan, one, rows))
	checked := newCall(algebra.AtMostOne, rows.Column.Ref())
	return &algebra.Case{Whens: []algebra.When{{Cond: checked, Then: one.Column.Ref()}}, Typ: col.Type}
}

// computedLate returns the aggregates of a plan with one row, and the value that is computed of them, where that is to be
// late and may raise an error.
func (v *valuer) computedLate(plan algebra.Node, id algebra.ColumnID) (in algebra.Node, e algebra.Expr) {
	p, ok := plan.(*algebra.Project)
	if !ok || !v.late || !hasOneRow(p) {
		return nil, nil
	}
	for _, item := range p.Items {
		if item.Column.ID == id && algebra.MayRaise(item.Expr, nil) && firstRandom(item.Expr) == nil {
			return p.Input, item.Expr
		}
	}
	return nil, nil
}

// hasRowAtMost reports whether a plan has at most one row for each row of the
// relation.
func (v *valuer) hasRowAtMost(plan algebra.Node) bool {
	if rows, ok := algebra.MaxRows(plan); ok && rows <= 1 {
		return true
	}
	p := v.pull(plan, algebra.Outputs(v.in))
	if p == nil || p.single {
		return p != nil
	}
	var equated algebra.ColSet
	inner := algebra.Outputs(p.node)
	for _, cond := range p.conds {
		if _, e, ok := outerEquals(cond, inner); ok {
			if ref, ok := e.(*algebra.ColumnRef); ok {
				equated.Add(ref.Column.ID)
			}
		}
	}
	return !equated.Empty() && algebra.Unique(p.node, equated)
}

// aggregate makes an aggregate with a fresh column.
func (v *valuer) aggregate(f algebra.AggFunc, arg algebra.Expr) algebra.Agg {
	var of algebra.Type
	if arg != nil {
		of = arg.Type()
	}
	typ, _ := algebra.AggResult(f, of)
	nullable := !f.Row().Counts || len(v.guards.rows) > 0
	return algebra.Agg{Column: v.newColumn(algebra.Column{Name: string(f), Type: typ, Nullable: nullable}), Func: f, Arg: arg}
}

// aggregation aggregates all rows of a plan.
func aggregation(plan algebra.Node, aggs ...algebra.Agg) algebra.Node {
	return &algebra.Aggregate{Input: plan, Sets: []algebra.KeySet{0}, Aggs: aggs}
}

// exists is whether a plan has a row.
func (v *valuer) exists(plan algebra.Node) algebra.Expr {
	rows := v.aggregate(algebra.CountStar, nil)
	v.join(aggregation(plan, rows))
	return newCall(algebra.Gt, rows.Column.Ref(), int64Const(0))
}

// comparison is a test that compares a value of the relation with one of the
// subquery's rows.
type comparison struct {
	call         *algebra.Call
	outer, inner algebra.Expr
}

// comparisonOf reads a test as a comparison.
func comparisonOf(plan algebra.Node, test algebra.Expr) (comparison, bool) {
	call, ok := test.(*algebra.Call)
	if !ok || mirror[call.Func] == "" {
		return comparison{}, false
	}
	cols := algebra.Outputs(plan)
	outer, inner := algebra.References(call.Args[0]), algebra.References(call.Args[1])
	if outer.Intersects(cols) || !inner.SubsetOf(cols) {
		return comparison{}, false
	}
	return comparison{call, call.Args[0], call.Args[1]}, true
}

// byExtremes reports whether the least and the greatest value decide whether
// there is a row that passes.
func (c comparison) byExtremes() bool {
	_, ok := algebra.AggResult(algebra.Min, c.inner.Type())
	return ok && c.call.Func != algebra.Eq
}

// any is the three-valued OR of a test over a plan's rows.
func (v *valuer) any(plan algebra.Node, test algebra.Expr) algebra.Expr {
	cmp, single := comparisonOf(plan, test)
	switch {
	case single && cmp.byExtremes():
		return v.anyByExtremes(plan, cmp)
	case !algebra.CanBeNull(test):
		return v.exists(filter(plan, algebra.Conjuncts(test)))
	case single:
		copied, of := v.clone(plan)
		hit := v.exists(filter(plan, []algebra.Expr{test}))
		c := v.count(copied, of.expr(cmp.inner))
		return c.decide(hit, cmp.outer)
	}
	passes := v.aggregate(algebra.CountStar, nil)
	passes.Filter = test
	unknown := v.aggregate(algebra.CountStar, nil)
	unknown.Filter = newCall(algebra.IsNull, test)
	v.join(aggregation(plan, passes, unknown))
	return &algebra.Case{Typ: algebra.TBool, Else: boolConst(false), Whens: []algebra.When{
		{Cond: newCall(algebra.Gt, passes.Column.Ref(), int64Const(0)), Then: boolConst(true)},
		{Cond: newCall(algebra.Gt, unknown.Column.Ref(), int64Const(0)), Then: &algebra.Const{Typ: algebra.TBool}},
	}}
}

// anyByExtremes is a comparison with the least or the greatest value.
func (v *valuer) anyByExtremes(plan algebra.Node, cmp comparison) algebra.Expr {
	least, greatest := v.aggregate(algebra.Min, cmp.inner), v.aggregate(algebra.Max, cmp.inner)
	c := newRowCounts(v, cmp.inner)
	v.join(aggregation(plan, least, greatest, c.rows, c.values))
	with := func(agg algebra.Agg) algebra.Expr {
		return newCall(cmp.call.Func, cmp.outer, agg.Column.Ref())
	}
	hit := with(greatest)
	switch cmp.call.Func {
	case algebra.Gt, algebra.Ge:
		hit = with(least)
	case algebra.Ne:
		hit = newCall(algebra.Or, with(least), with(greatest))
	}
	return c.decide(hit, cmp.outer)
}

// rowCounts count a subquery's rows and those whose value is not NULL.
type rowCounts struct{ rows, values algebra.Agg }

func newRowCounts(v *valuer, val algebra.Expr) rowCounts {
	return rowCounts{v.aggregate(algebra.CountStar, nil), v.aggregate(algebra.Count, val)}
}

// count joins the counts of a plan's rows to the relation.
func (v *valuer) count(plan algebra.Node, val algebra.Expr) rowCounts {
	c := newRowCounts(v, val)
	v.join(aggregation(plan, c.rows, c.values))
	return c
}

// none is that there are no rows.
func (c rowCounts) none() algebra.Expr {
	return newCall(algebra.Eq, c.rows.Column.Ref(), int64Const(0))
}

// decide is the value of ANY: true with a hit, else NULL where a comparison
// was with NULL, else false.
func (c rowCounts) decide(hit, outer algebra.Expr) algebra.Expr {
	null := newCall(algebra.Or, newCall(algebra.IsNull, outer),
		newCall(algebra.Lt, c.values.Column.Ref(), c.rows.Column.Ref()))
	return &algebra.Case{Typ: algebra.TBool, Else: boolConst(false), Whens: []algebra.When{
		{Cond: hit, Then: boolConst(true)},
		{Cond: c.none(), Then: boolConst(false)},
		{Cond: null, Then: &algebra.Const{Typ: algebra.TBool}},
	}}
}

// none keeps the rows of the relation for which the test is false for all rows
// of a plan: an anti join. One with NULL is neither true nor false: it may not
// occur. For a single equality counts show whether it does, so that the join
// is by its values.
func (v *valuer) none(plan algebra.Node, test algebra.Expr) algebra.Node {
	cmp, single := comparisonOf(plan, test)
	if !algebra.CanBeNull(test) {
		return v.apply(algebra.JoinAnti, v.in, plan, algebra.Conjuncts(test))
	}
	if !single || cmp.call.Func != algebra.Eq {
		var conds []algebra.Expr
		for _, cond := range algebra.Conjuncts(test) {
			if algebra.CanBeNull(cond) {
				cond = newCall(algebra.Not, newCall(algebra.IsFalse, cond))
			}
			conds = append(conds, cond)
		}
		return v.apply(algebra.JoinAnti, v.in, plan, conds)
	}
	copied, of := v.clone(plan)
	c := v.count(copied, of.expr(cmp.inner))
	known := notNull(cmp.outer)
	if algebra.CanBeNull(cmp.inner) {
		all := newCall(algebra.Eq, c.values.Column.Ref(), c.rows.Column.Ref())
		known = newCall(algebra.And, known, all)
	}
	in := filter(v.in, []algebra.Expr{newCall(algebra.Or, c.none(), known)})
	return v.apply(algebra.JoinAnti, in, plan, []algebra.Expr{test})
}
