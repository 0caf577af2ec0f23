package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// setFunction binds a call of a set-returning function in an expression. Equal calls
// share one: all of them go through their rows at the same time.
func (x *exprBinder) setFunction(name string, e *sql.FuncCall) (algebra.Expr, error) {
	if err := x.rowsAllowed(e.Pos); err != nil {
		return nil, err
	}
	c, err := x.setCall(name, e)
	if err != nil {
		return nil, err
	}
	for _, have := range x.rows.calls {
		if have.col.Name == name && sameExprs(have.args, c.args) {
			return have.col.Ref(), nil
		}
	}
	// The shorter ones of several have NULL behind their ends.
	c.col = x.newColumn(name, c.col.Type, true)
	x.rows.calls = append(x.rows.calls, c)
	return c.col.Ref(), nil
}

// rowsAllowed refuses a set-returning function where none may stand.
func (x *exprBinder) rowsAllowed(pos sql.Pos) error {
	refusal := &value.Error{Code: value.CodeFeatureNotSupported, Pos: int(pos)}
	switch {
	case x.inAgg:
		refusal.Message = "aggregate function calls cannot contain set-returning function calls"
	case x.inCall:
		refusal.Message = "window function calls cannot contain set-returning function calls"
	case x.rowsBar != "":
		refusal.Message = "set-returning functions are not allowed in " + x.rowsBar
	case x.rows == nil:
		refusal.Message = "set-returning functions are not allowed in " + x.clause
		return refusal
	default:
		return nil
	}
	refusal.Hint = "You might be able to move the set-returning function into a LATERAL FROM item."
	return refusal
}

// without binds expressions in which no set-returning function may stand.
func (x *exprBinder) without(where string) *exprBinder {
	inner := *x
	inner.rows, inner.rowsBar = nil, where
	return &inner
}

// expandRows makes the columns of the set-returning functions that wanted says.
func (s *block) expandRows(wanted func(*setCall) bool) {
	var calls []*setCall
	for _, c := range s.rows.calls {
		if wanted(c) && !c.made {
			calls, c.made = append(calls, c), true
		}
	}
	if len(calls) > 0 {
		s.node = s.expand(s.node, calls, nil)
	}
}

// expandKeys makes the columns of the set-returning functions that rows are
// grouped by; what stands in those groups is an expression over them.
func (s *block) expandKeys() {
	var keys algebra.ColSet
	for _, key := range s.group.keys {
		keys.AddReferences(key.Expr)
	}
	s.expandRows(func(c *setCall) bool { return keys.Has(c.col.ID) })
}

// expand gives each row of a node as often as the longest of several calls has
// rows, with the columns of the calls and, where there is one, that of the number.
// Arguments are computed once for each row of the node.
func (b *binder) expand(in algebra.Node, calls []*setCall, ordinality *algebra.Column) algebra.Node {
	passed := passOn(in.Columns())
	args := make([][]algebra.Expr, len(calls))
	items := passed[:len(passed):len(passed)]
	for i, c := range calls {
		for _, arg := range c.args {
			if _, constant := arg.(*algebra.Const); !constant {
				item := algebra.Item{Column: b.newColumn("argument", arg.Type(), algebra.CanBeNull(arg)), Expr: arg}
				items = append(items, item)
				arg = item.Column.Ref()
			}
			args[i] = append(args[i], arg)
		}
	}
	if len(items) > len(passed) {
		in = &algebra.Project{Input: in, Items: items}
	}
	ordinal := b.newColumn("ordinal", algebra.TInt64, false)
	if ordinality != nil {
		ordinal = *ordinality
	}
	var times algebra.Expr
	for i, c := range calls {
		times = longer(times, c.times(args[i]))
	}
	rows := &algebra.Repetition{Input: in, Times: times, Ordinal: ordinal}
	for i, c := range calls {
		e := c.value(args[i], ordinal.Ref())
		if len(calls) > 1 {
			within := call(algebra.Le, algebra.TBool, sql.NoPos, ordinal.Ref(), c.times(args[i]))
			e = &algebra.Case{Whens: []algebra.When{{Cond: within, Then: e}}, Typ: e.Type()}
		}
		passed = append(passed, algebra.Item{Column: c.col, Expr: e})
	}
	if ordinality != nil {
		passed = append(passed, algebra.Item{Column: ordinal, Expr: ordinal.Ref()})
	}
	return &algebra.Project{Input: rows, Items: passed}
}

// longer is the larger of two numbers of rows, of which NULL is none.
func longer(most, n algebra.Expr) algebra.Expr {
	if most == nil {
		return n
	}
	atLeast := call(algebra.Ge, algebra.TBool, sql.NoPos, n, most)
	enough := connect(algebra.Or, []algebra.Expr{atLeast, isNull(most)}, sql.NoPos)
	return &algebra.Case{Whens: []algebra.When{{Cond: enough, Then: n}}, Else: most, Typ: algebra.TInt64}
}
