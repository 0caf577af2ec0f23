package setfunc

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Call binds a call of a set-returning function in an expression. Equal calls
// share one: all of them go through their rows at the same time.
func Call(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	rowsAllowed(x, e.Pos)
	c := Rows(x, name, e)
	for _, have := range x.Rows.Calls {
		if have.Col.Name == name && term.SameExprs(have.Args, c.Args) {
			return have.Col.Ref()
		}
	}
	// The shorter ones of several have NULL behind their ends.
	c.Col = x.NewColumn(name, c.Col.Type, true)
	x.Rows.Calls = append(x.Rows.Calls, c)
	return c.Col.Ref()
}

// rowsAllowed refuses a set-returning function where none may stand.
func rowsAllowed(x *scope.Exprs, pos sql.Pos) {
	refusal := &value.Error{Code: value.CodeFeatureNotSupported, Pos: int(pos)}
	switch {
	case x.InAgg:
		refusal.Message = "aggregate function calls cannot contain set-returning function calls"
	case x.InCall:
		refusal.Message = "window function calls cannot contain set-returning function calls"
	case x.RowsBar != "":
		refusal.Message = "set-returning functions are not allowed in " + x.RowsBar
	case x.Rows == nil:
		refusal.Message = "set-returning functions are not allowed in " + x.Clause
		panic(refusal)
	default:
		return
	}
	refusal.Hint = "You might be able to move the set-returning function into a LATERAL FROM item."
	panic(refusal)
}

// Expand gives each row of a node as often as the longest of several calls has
// rows, with the columns of the calls and, where there is one, that of the number.
// Arguments are computed once for each row of the node.
func Expand(b *scope.Binder, in algebra.Node, calls []*scope.SetCall, ordinality *algebra.Column) algebra.Node {
	passed := term.PassOn(in.Columns())
	args := make([][]algebra.Expr, len(calls))
	items := passed[:len(passed):len(passed)]
	for i, c := range calls {
		for _, arg := range c.Args {
			if _, constant := arg.(*algebra.Const); !constant {
				item := algebra.Item{Column: b.NewColumn("argument", arg.Type(), algebra.CanBeNull(arg)), Expr: arg}
				items = append(items, item)
				arg = item.Column.Ref()
			}
			args[i] = append(args[i], arg)
		}
	}
	if len(items) > len(passed) {
		in = &algebra.Project{Input: in, Items: items}
	}
	ordinal := b.NewColumn("ordinal", algebra.TInt64, false)
	if ordinality != nil {
		ordinal = *ordinality
	}
	var times algebra.Expr
	for i, c := range calls {
		times = longer(times, c.Times(args[i]))
	}
	rows := &algebra.Unnest{Input: in, Times: times, Ordinal: ordinal}
	for i, c := range calls {
		e := c.Value(args[i], ordinal.Ref())
		if len(calls) > 1 {
			within := term.Call(algebra.Le, algebra.TBool, sql.NoPos, ordinal.Ref(), c.Times(args[i]))
			e = &algebra.Case{Whens: []algebra.When{{Cond: within, Then: e}}, Typ: e.Type()}
		}
		passed = append(passed, algebra.Item{Column: c.Col, Expr: e})
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
	atLeast := term.Call(algebra.Ge, algebra.TBool, sql.NoPos, n, most)
	enough := term.Connect(algebra.Or, []algebra.Expr{atLeast, term.IsNull(most)}, sql.NoPos)
	return &algebra.Case{Whens: []algebra.When{{Cond: enough, Then: n}}, Else: most, Typ: algebra.TInt64}
}
