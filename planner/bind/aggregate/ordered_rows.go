package aggregate

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
)

// WithinGroup reports whether an aggregate needs WITHIN GROUP.
func WithinGroup(name string) bool {
	f := function.Find(function.Aggregate, name)
	return f != nil && f.WithinGroup
}

// counting returns the conditions under which a row counts: the filter, and that
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
// by more; it returns the column of the row's number.
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
