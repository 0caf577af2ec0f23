package call

import (
	"cmp"
	"fmt"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ReturnsRows reports whether the call stands for a query: any other returns one value.
func (c *UserCall) ReturnsRows() bool { return c.Function.Set || c.Function.Columns != nil }

// Rows is the query that the call stands for, with the columns that the function declares.
func (c *UserCall) Rows() *scope.Bound {
	var node algebra.Node
	c.CountRelation(int(c.call.Pos))
	c.Calling(c.Function, func() { node = c.rows() })
	absent := c.absent()
	if absent != nil {
		node = &algebra.Filter{Input: node, Conds: []algebra.Expr{term.NegateIf(true, absent)}}
	}
	if !c.Function.Set {
		one := &algebra.Values{Rows: make([][]value.Value, 1)}
		node = &algebra.Join{Kind: algebra.JoinLeft, Left: one, Right: firstRow(node)}
	}
	return &scope.Bound{Node: node}
}

// rows binds the query of the text.
func (c *UserCall) rows() algebra.Node {
	e, q := c.parsed()
	if e != nil {
		q = &sql.Query{Body: &sql.Select{Items: []sql.SelectItem{{Expr: e}}, Pos: e.Position()}, Pos: e.Position()}
	}
	rel := c.Query(q, c.InText(c.Function, c.Args), false)
	declared := c.Function.Columns
	if declared == nil {
		declared = []scope.Parameter{{Name: cmp.Or(c.Function.Result, c.Function.Name), Type: c.Function.Returns, Domain: c.Function.Domain}}
	}
	columns := rel.Columns()
	if err := c.counted(len(columns), len(declared)); err != nil {
		panic(err)
	}
	x := &scope.Exprs{Binder: c.Binder, Scope: &scope.Scope{}}
	items := make([]algebra.Item, len(columns))
	for i, column := range columns {
		to := declared[i].Type
		e := Returned(x, column.Ref(), to, func(actual string) error { return c.other(i, actual, to) }, q.Pos)
		e = convert.InDomain(x, e, declared[i].Domain)
		items[i] = algebra.Item{Column: c.NewColumn(declared[i].Name, e.Type(), column.Nullable || declared[i].Domain != nil), Expr: e}
		c.NoteDomain(items[i].Column, declared[i].Domain)
	}
	return &algebra.Project{Input: rel.Node, Items: items}
}

// counted is the error of a query that has another number of columns than the function declares.
func (c *UserCall) counted(has, declared int) error {
	switch {
	case has == declared:
		return nil
	case c.Function.Columns == nil:
		return mismatch(c.Function.Returns, "Final statement must return exactly one column.")
	case has < declared:
		return mismatch(resultOf(c.Function), "Final statement returns too few columns.")
	}
	return mismatch(resultOf(c.Function), "Final statement returns too many columns.")
}

// other is the error of a column that has another type than the function declares.
func (c *UserCall) other(i int, actual string, declared algebra.Type) error {
	if c.Function.Columns == nil {
		return mismatch(declared, "Actual return type is "+actual+".")
	}
	return mismatch(resultOf(c.Function), fmt.Sprintf("Final statement returns %s instead of %s at column %d.", actual, declared, i+1))
}

// Check fails where the text of a function is wrong. Its errors have their places in the text.
func Check(b *scope.Binder, f *scope.UserFunction) {
	c := &UserCall{Exprs: &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Clause: "functions"}, Function: f, call: &sql.FuncCall{Pos: sql.NoPos}}
	for _, p := range f.Params {
		c.Args = append(c.Args, b.NewColumn(p.Name, p.Type, true).Ref())
	}
	b.Checking(f)
	if c.ReturnsRows() {
		c.rows()
	} else {
		c.text()
	}
}

// CheckDefault fails where an expression cannot be the default of a parameter.
func CheckDefault(b *scope.Binder, def sql.Expr, typ algebra.Type) {
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Clause: "DEFAULT expressions", Alone: expression.InDefault}
	bound := x.Expr(def)
	if from := bound.Type(); from.Kind != algebra.Unknown && sqltype.ConversionNeeds(from, typ) > sqltype.Assignment {
		e := value.Errorf(value.CodeDatatypeMismatch, "argument of DEFAULT must be type %s, not type %s", sqltype.Name(typ), sqltype.Name(from))
		e.Pos = int(def.Position())
		panic(e)
	}
	convert.Coerce(x, bound, typ, sqltype.Assignment, def.Position())
}
