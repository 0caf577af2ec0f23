package aggregate

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Aggregates that need the rows of a group in an order are made of windows
// below the aggregation: partitioned by the group's keys and by whether a row
// counts, a window numbers the rows in that order, and an aggregate picks the
// one that is wanted.

// OrderedForms make the windows and the result of a call.
var OrderedForms = map[function.Form]func(c *scope.OrderedCall) (algebra.Expr, error){
	"string_agg": stringAgg, "array_agg": arrayAgg,
	"arg_min": argMin, "arg_max": argMax,
	"median":          median,
	"percentile_cont": percentileCont,
	"percentile_disc": percentileDisc,
	"mode":            mode,
}

// WithinGroup reports whether an aggregate needs WITHIN GROUP.
func WithinGroup(name string) bool {
	f := function.Find(function.Aggregate, name)
	return f != nil && f.WithinGroup
}

// OrderedForm gives how a call is bound that is one of an aggregate by
// order, nil for others. Several distinct values are counted so, too.
func OrderedForm(name string, e *sql.FuncCall) func(c *scope.OrderedCall) (algebra.Expr, error) {
	if name == "count" && e.Distinct {
		if _, ok := countedRow(e); ok {
			return countDistinctRows
		}
		if len(e.Args) > 1 {
			return countDistinct
		}
	}
	f := function.Find(function.Aggregate, name)
	if f == nil {
		return nil
	}
	return OrderedForms[f.Form]
}

// countedRow is the row value that a call counts.
func countedRow(e *sql.FuncCall) (row *sql.Row, ok bool) {
	if len(e.Args) == 1 {
		row, ok = e.Args[0].(*sql.Row)
	}
	return row, ok
}

// Ordered binds a call of an aggregate by order. Equal calls share the result.
func Ordered(x *scope.Exprs, name string, e *sql.FuncCall, bind func(c *scope.OrderedCall) (algebra.Expr, error)) (algebra.Expr, error) {
	if err := checkWithinGroup(e); err != nil {
		return nil, err
	}
	inner := x.InAggregate()
	c := &scope.OrderedCall{Exprs: x, Name: name, Distinct: e.Distinct, Pos: e.Pos}
	counted := *e
	if row, ok := countedRow(e); ok && name == "count" {
		counted.Args, c.Rows = row.Exprs, true
	}
	var err error
	if c.Args, c.Positions, err = convert.Args(inner, &counted); err != nil {
		return nil, err
	}
	if c.Order, err = sortKeys(inner, append(e.WithinGroup[:len(e.WithinGroup):len(e.WithinGroup)], e.OrderBy...)); err != nil {
		return nil, err
	}
	if WithinGroup(name) != (len(e.WithinGroup) > 0) {
		return nil, noFunction(c)
	}
	if WithinGroup(name) && len(c.Order) > 0 && expression.IsArrayOrder(c.Order[0].Expr) {
		return nil, term.NotSupported(e.Pos, name+" of arrays is")
	}
	if c.Filter, err = Filter(x, e); err != nil {
		return nil, err
	}
	if c.Exprs, err = LevelOf(x, term.References(everything(c), c.Filter), "aggregate functions are not allowed in %s", e.Pos); err != nil {
		return nil, err
	}
	if term.HasSubquery(everything(c)) || c.Filter != nil && term.HasSubquery(c.Filter) {
		return nil, term.NotSupported(e.Pos, name+" of a subquery is")
	}
	c.Group.Used = true
	for _, have := range c.Group.Ordered {
		if equal(have, c) {
			return have.Result, nil
		}
	}
	if c.Result, err = bind(c); err != nil {
		return nil, err
	}
	c.Group.Ordered = append(c.Group.Ordered, c)
	return c.Result, nil
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
func sortKeys(x *scope.Exprs, items []sql.OrderItem) ([]algebra.SortKey, error) {
	var keys []algebra.SortKey
	for _, item := range items {
		bound, err := convert.Settled(x, item.Expr)
		if err != nil {
			return nil, err
		}
		keys = append(keys, expression.SortKey(x.Binder, item, bound))
	}
	return keys, nil
}

// everything is an expression that refers to all that the call refers to.
func everything(c *scope.OrderedCall) algebra.Expr {
	whens := make([]algebra.When, 0, len(c.Args)+len(c.Order))
	for _, e := range c.Args {
		whens = append(whens, algebra.When{Cond: term.IsNull(e), Then: e})
	}
	for _, k := range c.Order {
		whens = append(whens, algebra.When{Cond: term.IsNull(k.Expr), Then: k.Expr})
	}
	return &algebra.Case{Whens: whens, Typ: algebra.TUnknown}
}

func equal(c *scope.OrderedCall, d *scope.OrderedCall) bool {
	return c.Name == d.Name && c.Rows == d.Rows && c.Distinct == d.Distinct && term.SameExprs(c.Args, d.Args) &&
		term.SameKeys(c.Order, d.Order) && algebra.Equal(c.Filter, d.Filter)
}

// counting gives the conditions under which a row counts: the filter, and that
// none of the expressions is NULL.
func counting(c *scope.OrderedCall, exprs ...algebra.Expr) []algebra.Expr {
	var conds []algebra.Expr
	if c.Filter != nil {
		conds = append(conds, c.Filter)
	}
	for _, e := range exprs {
		// A key that is never NULL here is not so in every grouping set's rows;
		// windows stand below the sets.
		if algebra.CanBeNull(e) {
			conds = append(conds, term.NotNull(e))
		}
	}
	return conds
}

// numbered adds a window over the rows that count, in an order, and partitioned
// by more; it gives the column of the row's number.
func numbered(c *scope.OrderedCall, counts []algebra.Expr, order []algebra.SortKey, more ...algebra.Expr) *algebra.ColumnRef {
	return window(c, counts, order, more, algebra.WindowCall{Func: algebra.RowNumber}, algebra.TInt64)
}

// window adds a call over the rows that count.
func window(c *scope.OrderedCall, counts []algebra.Expr, order []algebra.SortKey, more []algebra.Expr, call algebra.WindowCall, typ algebra.Type) *algebra.ColumnRef {
	call.Column = c.NewColumn(string(call.Func), typ, term.CanGiveNull(call.Func))
	if call.Frame == (algebra.Frame{}) {
		call.Frame = algebra.DefaultFrame()
	}
	w := scope.OrderedWindow{Partition: more, Order: order, Calls: []algebra.WindowCall{call}}
	if len(counts) > 0 {
		w.Partition = append(w.Partition[:len(w.Partition):len(w.Partition)], term.Connect(algebra.And, counts, c.Pos))
	}
	for i := range c.Windows {
		if have := &c.Windows[i]; term.SameExprs(have.Partition, w.Partition) && term.SameKeys(have.Order, w.Order) {
			have.Calls = append(have.Calls, call)
			return call.Column.Ref()
		}
	}
	c.Windows = append(c.Windows, w)
	return call.Column.Ref()
}

// pick is an expression's value in the one row that counts for which all
// conditions hold.
func pick(c *scope.OrderedCall, e algebra.Expr, counts []algebra.Expr, conds ...algebra.Expr) *algebra.ColumnRef {
	agg := algebra.Agg{Func: algebra.AnyValue, Arg: e}
	if all := append(counts[:len(counts):len(counts)], conds...); len(all) > 0 {
		agg.Filter = term.Connect(algebra.And, all, c.Pos)
	}
	return c.Group.Add(c.Binder, agg, c.Name, e.Type()).Ref()
}

// noFunction is the error for arguments that the aggregate does not take; those
// of WITHIN GROUP count.
func noFunction(c *scope.OrderedCall) error {
	args := c.Args[:len(c.Args):len(c.Args)]
	if WithinGroup(c.Name) {
		for _, k := range c.Order {
			args = append(args, k.Expr)
		}
	}
	return term.NoFunction(c.Name, args, c.Pos)
}
