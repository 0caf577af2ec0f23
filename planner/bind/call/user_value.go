package call

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scalar"
	"github.com/cubeloom/cubeloom/planner/bind/setfunc"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bind binds the call in an expression.
func (c *UserCall) bind(name string) algebra.Expr {
	scalar.PlainCall(name, c.call)
	switch {
	case c.call.Over != nil:
		panic(value.ErrorAt(int(c.call.Pos), value.CodeWrongObjectType, "OVER specified, but %s is not a window function nor an aggregate function", name))
	case c.Function.Columns != nil:
		panic(term.NotSupported(c.call.Pos, "a function that returns rows of several columns outside of FROM is"))
	case c.Function.Set:
		return setfunc.Call(c.Exprs, "unnest", c.listed())
	}
	return c.Value()
}

// listed is unnest(ARRAY(SELECT v FROM f(…) AS t (v))), which a call in a select list gives the rows of.
func (c *UserCall) listed() *sql.FuncCall {
	name := func(s string) sql.Ident { return sql.Ident{Name: s, Pos: c.call.Pos} }
	rows := &sql.TableFunc{Call: c.call, Alias: name("t"), Columns: []sql.Ident{name("v")}}
	item := sql.SelectItem{Expr: &sql.ColumnRef{Name: sql.Name{name("v")}}}
	query := &sql.Query{Body: &sql.Select{Items: []sql.SelectItem{item}, From: []sql.TableExpr{rows}, Pos: c.call.Pos}, Pos: c.call.Pos}
	return &sql.FuncCall{Name: sql.Name{name("unnest")}, Args: []sql.Expr{&sql.ArrayQuery{Query: query, Pos: c.call.Pos}}, Pos: c.call.Pos}
}
