package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Aggregates that need the rows of a group in an order are made of windows
// below the aggregation: partitioned by the group's keys and by whether a row
// counts, a window numbers the rows in that order, and an aggregate picks the
// one that is wanted.

// orderedForms make the windows and the result of a call.
var orderedForms = map[function.Form]func(c *orderedCall) (algebra.Expr, error){
	"string_agg": (*orderedCall).stringAgg, "array_agg": (*orderedCall).arrayAgg,
	"arg_min": (*orderedCall).argMin, "arg_max": (*orderedCall).argMax,
	"median":          (*orderedCall).median,
	"percentile_cont": (*orderedCall).percentileCont,
	"percentile_disc": (*orderedCall).percentileDisc,
	"mode":            (*orderedCall).mode,
}

// withinGroup reports whether an aggregate needs WITHIN GROUP.
func withinGroup(name string) bool {
	f := function.Find(function.Aggregate, name)
	return f != nil && f.WithinGroup
}

// orderedAggregate gives how a call is bound that is one of an aggregate by
// order, nil for others. Several distinct values are counted so, too.
func orderedAggregate(name string, e *sql.FuncCall) func(c *orderedCall) (algebra.Expr, error) {
	if name == "count" && e.Distinct {
		if _, ok := countedRow(e); ok {
			return (*orderedCall).countDistinctRows
		}
		if len(e.Args) > 1 {
			return (*orderedCall).countDistinct
		}
	}
	f := function.Find(function.Aggregate, name)
	if f == nil {
		return nil
	}
	return orderedForms[f.Form]
}

// countedRow is the row value that a call counts.
func countedRow(e *sql.FuncCall) (row *sql.Row, ok bool) {
	if len(e.Args) == 1 {
		row, ok = e.Args[0].(*sql.Row)
	}
	return row, ok
}

// ordered binds a call of an aggregate by order. Equal calls share the result.
func (x *exprBinder) ordered(name string, e *sql.FuncCall, bind func(c *orderedCall) (algebra.Expr, error)) (algebra.Expr, error) {
	if err := checkWithinGroup(e); err != nil {
		return nil, err
	}
	inner := x.inAggregate()
	c := &orderedCall{exprBinder: x, name: name, distinct: e.Distinct, pos: e.Pos}
	counted := *e
	if row, ok := countedRow(e); ok && name == "count" {
		counted.Args, c.rows = row.Exprs, true
	}
	var err error
	if c.args, c.positions, err = inner.args(&counted); err != nil {
		return nil, err
	}
	if c.order, err = inner.sortKeys(append(e.WithinGroup[:len(e.WithinGroup):len(e.WithinGroup)], e.OrderBy...)); err != nil {
		return nil, err
	}
	if withinGroup(name) != (len(e.WithinGroup) > 0) {
		return nil, c.noFunction()
	}
	if withinGroup(name) && len(c.order) > 0 && isArrayOrder(c.order[0].Expr) {
		return nil, notSupported(e.Pos, name+" of arrays is")
	}
	if c.filter, err = x.filter(e); err != nil {
		return nil, err
	}
	if c.exprBinder, err = x.levelOf(references(c.everything(), c.filter), "aggregate functions are not allowed in %s", e.Pos); err != nil {
		return nil, err
	}
	if hasSubquery(c.everything()) || c.filter != nil && hasSubquery(c.filter) {
		return nil, notSupported(e.Pos, name+" of a subquery is")
	}
	c.group.used = true
	for _, have := range c.group.ordered {
		if have.equal(c) {
			return have.result, nil
		}
	}
	if c.result, err = bind(c); err != nil {
		return nil, err
	}
	c.group.ordered = append(c.group.ordered, c)
	return c.result, nil
}

// checkWithinGroup refuses DISTINCT and ORDER BY beside WITHIN GROUP.
func checkWithinGroup(e *sql.FuncCall) error {
	switch {
	case len(e.WithinGroup) == 0:
		return nil
	case e.Distinct:
		return value.ErrorAt(int(e.Pos), value.CodeSyntax, "cannot use DISTINCT with WITHIN GROUP")
	case len(e.OrderBy) > 0:
		return value.ErrorAt(int(e.Pos), value.CodeSyntax, "cannot use multiple ORDER BY clauses with WITHIN GROUP")
	}
	return nil
}

// sortKeys binds the keys of an order.
func (x *exprBinder) sortKeys(items []sql.OrderItem) ([]algebra.SortKey, error) {
	var keys []algebra.SortKey
	for _, item := range items {
		bound, err := x.settled(item.Expr)
		if err != nil {
			return nil, err
		}
		keys = append(keys, x.sortKey(item, bound))
	}
	return keys, nil
}

// everything is an expression that refers to all that the call refers to.
func (c *orderedCall) everything() algebra.Expr {
	whens := make([]algebra.When, 0, len(c.args)+len(c.order))
	for _, e := range c.args {
		whens = append(whens, algebra.When{Cond: isNull(e), Then: e})
	}
	for _, k := range c.order {
		whens = append(whens, algebra.When{Cond: isNull(k.Expr), Then: k.Expr})
	}
	return &algebra.Case{Whens: whens, Typ: algebra.TUnknown}
}

func (c *orderedCall) equal(d *orderedCall) bool {
	return c.name == d.name && c.rows == d.rows && c.distinct == d.distinct && sameExprs(c.args, d.args) &&
		sameKeys(c.order, d.order) && algebra.Equal(c.filter, d.filter)
}

// counting gives the conditions under which a row counts: the filter, and that
// none of the expressions is NULL.
func (c *orderedCall) counting(exprs ...algebra.Expr) []algebra.Expr {
	var conds []algebra.Expr
	if c.filter != nil {
		conds = append(conds, c.filter)
	}
	for _, e := range exprs {
		// A key that is never NULL here is not so in every grouping set's rows;
		// windows stand below the sets.
		if algebra.CanBeNull(e) {
			conds = append(conds, notNull(e))
		}
	}
	return conds
}

// numbered adds a window over the rows that count, in an order, and partitioned
// by more; it gives the column of the row's number.
func (c *orderedCall) numbered(counts []algebra.Expr, order []algebra.SortKey, more ...algebra.Expr) *algebra.ColumnRef {
	return c.window(counts, order, more, algebra.WindowCall{Func: algebra.RowNumber}, algebra.TInt64)
}

// window adds a call over the rows that count.
func (c *orderedCall) window(counts []algebra.Expr, order []algebra.SortKey, more []algebra.Expr, call algebra.WindowCall, typ algebra.Type) *algebra.ColumnRef {
	call.Column = c.newColumn(string(call.Func), typ, canGiveNull(call.Func))
	if call.Frame == (algebra.Frame{}) {
		call.Frame = algebra.DefaultFrame()
	}
	w := orderedWindow{partition: more, order: order, calls: []algebra.WindowCall{call}}
	if len(counts) > 0 {
		w.partition = append(w.partition[:len(w.partition):len(w.partition)], connect(algebra.And, counts, c.pos))
	}
	for i := range c.windows {
		if have := &c.windows[i]; sameExprs(have.partition, w.partition) && sameKeys(have.order, w.order) {
			have.calls = append(have.calls, call)
			return call.Column.Ref()
		}
	}
	c.windows = append(c.windows, w)
	return call.Column.Ref()
}

// pick is an expression's value in the one row that counts for which all
// conditions hold.
func (c *orderedCall) pick(e algebra.Expr, counts []algebra.Expr, conds ...algebra.Expr) *algebra.ColumnRef {
	agg := algebra.Agg{Func: algebra.AnyValue, Arg: e}
	if all := append(counts[:len(counts):len(counts)], conds...); len(all) > 0 {
		agg.Filter = connect(algebra.And, all, c.pos)
	}
	return c.group.add(c.binder, agg, c.name, e.Type()).Ref()
}

// noFunction is the error for arguments that the aggregate does not take; those
// of WITHIN GROUP count.
func (c *orderedCall) noFunction() error {
	args := c.args[:len(c.args):len(c.args)]
	if withinGroup(c.name) {
		for _, k := range c.order {
			args = append(args, k.Expr)
		}
	}
	return noFunction(c.name, args, c.pos)
}

// orderedWindows puts the windows of the calls below the aggregation.
func (s *block) orderedWindows() error {
	g := &s.group
	if len(g.ordered) == 0 {
		return nil
	}
	if len(g.sets) != 1 || g.sets[0] != algebra.AllKeys(len(g.keys)) {
		return notSupported(g.ordered[0].pos, g.ordered[0].name+" with several grouping sets is")
	}
	var keys []algebra.Expr
	for _, key := range g.keys {
		if hasSubquery(key.Expr) {
			return notSupported(g.ordered[0].pos, g.ordered[0].name+" of groups by a subquery is")
		}
		keys = append(keys, key.Expr)
	}
	for _, c := range g.ordered {
		for _, w := range c.windows {
			partition := append(keys[:len(keys):len(keys)], w.partition...)
			s.node = &algebra.Window{Input: s.node, PartitionBy: partition, OrderBy: w.order, Calls: w.calls}
		}
	}
	return nil
}
