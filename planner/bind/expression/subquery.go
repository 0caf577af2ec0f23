package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Subquery binds a query that stands in an expression: it can name the columns
// that the expression can.
func Subquery(x *scope.Exprs, q *sql.Query, pos sql.Pos) *scope.Bound {
	if x.Alone != "" {
		panic(notInAlone(pos, "subquery", x.Alone))
	}
	x.CountRelation(int(q.Pos))
	return x.Query(q, &scope.Environment{Parent: x.Env, Outer: x, Bar: scope.WithinSubquery}, false)
}

// NewSubquery makes a subquery with a fresh ID.
func NewSubquery(b *scope.Binder, kind algebra.SubqueryKind, plan algebra.Node, typ algebra.Type) *algebra.Subquery {
	b.LastID++
	return &algebra.Subquery{ID: b.LastID, Kind: kind, Plan: plan, Typ: typ}
}

func exists(x *scope.Exprs, e *sql.Exists) algebra.Expr {
	rel := Subquery(x, e.Query, e.Pos)
	return NewSubquery(x.Binder, algebra.SubqueryExists, rel.Node, algebra.TBool)
}

func scalarSubquery(x *scope.Exprs, e *sql.Subquery) algebra.Expr {
	rel := Subquery(x, e.Query, e.Pos)
	cols := rel.Columns()
	if len(cols) != 1 {
		panic(value.ErrorAt(int(e.Pos), value.CodeSyntax, "subquery must return only one column"))
	}
	return NewSubquery(x.Binder, algebra.SubqueryScalar, rel.Node, cols[0].Type)
}

// inQuery binds x IN (query) and (x, y) IN (query).
func inQuery(x *scope.Exprs, e *sql.In) algebra.Expr {
	any := anyOf(x, e.X, e.Query, &sql.Quantified{Op: "=", Pos: e.Pos})
	return term.NegateIf(e.Not, any)
}

// anyOf binds the test of an operand, or a row of them, against the rows of a
// query: that some row passes it or, for ALL, that some row fails it.
func anyOf(x *scope.Exprs, operand sql.Expr, q *sql.Query, e *sql.Quantified) algebra.Expr {
	operandsOf := []sql.Expr{operand}
	if row, ok := operand.(*sql.Row); ok {
		operandsOf = withColumns(x, row).Exprs
	}
	left := lists.Map(operandsOf, x.Expr)
	rel := Subquery(x, q, e.Pos)
	cols := rel.Columns()
	switch {
	case len(cols) > len(left):
		panic(value.ErrorAt(int(e.Pos), value.CodeSyntax, "subquery has too many columns"))
	case len(cols) < len(left):
		panic(value.ErrorAt(int(e.Pos), value.CodeSyntax, "subquery has too few columns"))
	}
	test := rowTest(x, left, operandsOf, cols, e)
	sub := NewSubquery(x.Binder, algebra.SubqueryAny, rel.Node, algebra.TBool)
	sub.Test = test
	return sub
}

// rowTest compares operands with the columns of a row, and with ALL negates
// that.
func rowTest(x *scope.Exprs, left []algebra.Expr, exprs []sql.Expr, cols []algebra.Column, e *sql.Quantified) algebra.Expr {
	if len(left) == 1 {
		return quantifiedTest(x, left[0], cols[0].Ref(), exprs[0].Position(), e)
	}
	compare := func(i int, f algebra.Func) algebra.Expr {
		at := term.Operands{Op: e.Op, Left: exprs[i].Position(), Right: e.Pos, Pos: e.Pos}
		return Compare(x, f, left[i], cols[i].Ref(), at)
	}
	switch _, known := comparisons[e.Op]; {
	case !known:
		panic(term.NotSupported(e.Pos, "the operator "+e.Op+" of row values is"))
	case e.Op != "=" && e.Op != "<>":
		return term.NegateIf(e.All, inOrder(e.Op, len(left), e.Pos, compare))
	}
	eqs := lists.Map(lists.Upto[int](len(left)), func(i int) algebra.Expr { return compare(i, algebra.Eq) })
	return term.NegateIf((e.Op == "<>") != e.All, term.Connect(algebra.And, eqs, e.Pos))
}

// rowAndQuery reports whether a comparison is one of a row value with a query.
func rowAndQuery(e *sql.Binary) (*sql.Row, *sql.Query, bool) {
	row, isRow := e.L.(*sql.Row)
	sub, isQuery := e.R.(*sql.Subquery)
	if !isRow || !isQuery {
		return nil, nil, false
	}
	return row, sub.Query, true
}

// compareRowQuery binds (a, b) = (query): a scalar subquery that makes the
// comparison with its row.
func compareRowQuery(x *scope.Exprs, e *sql.Binary, row *sql.Row, q *sql.Query) algebra.Expr {
	any := anyOf(x, row, q, &sql.Quantified{Op: e.Op, Pos: e.Pos})
	sub := any.(*algebra.Subquery)
	item := algebra.Item{Column: x.NewColumn(term.NoName, algebra.TBool, true), Expr: sub.Test}
	plan := &algebra.Project{Input: sub.Plan, Items: []algebra.Item{item}}
	return NewSubquery(x.Binder, algebra.SubqueryScalar, plan, algebra.TBool)
}
