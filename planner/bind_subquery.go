package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// subquery binds a query that stands in an expression: it can name the columns
// that the expression can.
func (x *exprBinder) subquery(q *sql.Query, pos sql.Pos) (*relation, error) {
	if x.alone != "" {
		return nil, notInAlone(pos, "subquery", x.alone)
	}
	if err := x.countRelation(int(q.Pos)); err != nil {
		return nil, err
	}
	return x.query(q, &environment{parent: x.env, outer: x, bar: withinSubquery}, false)
}

// newSubquery makes a subquery with a fresh ID.
func (b *binder) newSubquery(kind algebra.SubqueryKind, plan algebra.Node, typ algebra.Type) *algebra.Subquery {
	b.lastID++
	return &algebra.Subquery{ID: b.lastID, Kind: kind, Plan: plan, Typ: typ}
}

func (x *exprBinder) exists(e *sql.Exists) (algebra.Expr, error) {
	rel, err := x.subquery(e.Query, e.Pos)
	if err != nil {
		return nil, err
	}
	return x.newSubquery(algebra.SubqueryExists, rel.node, algebra.TBool), nil
}

func (x *exprBinder) scalarSubquery(e *sql.Subquery) (algebra.Expr, error) {
	rel, err := x.subquery(e.Query, e.Pos)
	if err != nil {
		return nil, err
	}
	cols := rel.columns()
	if len(cols) != 1 {
		return nil, value.ErrorAt(int(e.Pos), value.CodeSyntax, "subquery must return only one column")
	}
	return x.newSubquery(algebra.SubqueryScalar, rel.node, cols[0].Type), nil
}

// inQuery binds x IN (query) and (x, y) IN (query).
func (x *exprBinder) inQuery(e *sql.In) (algebra.Expr, error) {
	any, err := x.anyOf(e.X, e.Query, &sql.Quantified{Op: "=", Pos: e.Pos})
	if err != nil {
		return nil, err
	}
	return negateIf(e.Not, any), nil
}

// quantified binds x op ANY (…) and x op ALL (…). ALL is that there is none
// for which the comparison does not hold.
func (x *exprBinder) quantified(e *sql.Quantified) (algebra.Expr, error) {
	if e.Query == nil {
		return x.quantifiedArray(e)
	}
	any, err := x.anyOf(e.X, e.Query, e)
	if err != nil {
		return nil, err
	}
	return negateIf(e.All, any), nil
}

// anyOf binds the test of an operand, or a row of them, against the rows of a
// query: that some row passes it or, for ALL, that some row fails it.
func (x *exprBinder) anyOf(operand sql.Expr, q *sql.Query, e *sql.Quantified) (algebra.Expr, error) {
	operandsOf := []sql.Expr{operand}
	if row, ok := operand.(*sql.Row); ok {
		operandsOf = row.Exprs
	}
	left := make([]algebra.Expr, len(operandsOf))
	for i, o := range operandsOf {
		var err error
		if left[i], err = x.expr(o); err != nil {
			return nil, err
		}
	}
	rel, err := x.subquery(q, e.Pos)
	if err != nil {
		return nil, err
	}
	cols := rel.columns()
	switch {
	case len(cols) > len(left):
		return nil, value.ErrorAt(int(e.Pos), value.CodeSyntax, "subquery has too many columns")
	case len(cols) < len(left):
		return nil, value.ErrorAt(int(e.Pos), value.CodeSyntax, "subquery has too few columns")
	}
	test, err := x.rowTest(left, operandsOf, cols, e)
	if err != nil {
		return nil, err
	}
	sub := x.newSubquery(algebra.SubqueryAny, rel.node, algebra.TBool)
	sub.Test = test
	return sub, nil
}

// opposites are the comparisons that hold where others do not.
var opposites = map[string]string{"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// rowTest compares operands with the columns of a row, and with ALL negates
// that.
func (x *exprBinder) rowTest(left []algebra.Expr, exprs []sql.Expr, cols []algebra.Column, e *sql.Quantified) (algebra.Expr, error) {
	if len(left) == 1 {
		return x.quantifiedTest(left[0], cols[0].Ref(), exprs[0].Position(), e)
	}
	if e.Op != "=" && e.Op != "<>" {
		return nil, notSupported(e.Pos, "the order of row values is")
	}
	eqs := make([]algebra.Expr, len(left))
	for i := range left {
		var err error
		at := operands{e.Op, exprs[i].Position(), e.Pos, e.Pos}
		if eqs[i], err = x.compare(algebra.Eq, left[i], cols[i].Ref(), at); err != nil {
			return nil, err
		}
	}
	return negateIf((e.Op == "<>") != e.All, connect(algebra.And, eqs, e.Pos)), nil
}

// quantifiedTest is one comparison of ANY, or the negation of one of ALL.
func (x *exprBinder) quantifiedTest(l, r algebra.Expr, left sql.Pos, e *sql.Quantified) (algebra.Expr, error) {
	if _, ok := comparisons[e.Op]; ok {
		op := e.Op
		if e.All {
			op = opposites[op]
		}
		return x.compare(comparisons[op], l, r, operands{e.Op, left, e.Pos, e.Pos})
	}
	like, ok := likeOps[e.Op]
	if !ok {
		return nil, notSupported(e.Pos, "the operator "+e.Op+" with ANY or ALL is")
	}
	at := &sql.Literal{Pos: e.Pos}
	like.X, like.Pattern, like.Pos = at, at, e.Pos
	test, err := x.likeOf(&like, l, r)
	return negateIf(e.All && err == nil, test), err
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
func (x *exprBinder) compareRowQuery(e *sql.Binary, row *sql.Row, q *sql.Query) (algebra.Expr, error) {
	any, err := x.anyOf(row, q, &sql.Quantified{Op: e.Op, Pos: e.Pos})
	if err != nil {
		return nil, err
	}
	sub := any.(*algebra.Subquery)
	item := algebra.Item{Column: x.newColumn(noName, algebra.TBool, true), Expr: sub.Test}
	plan := &algebra.Project{Input: sub.Plan, Items: []algebra.Item{item}}
	return x.newSubquery(algebra.SubqueryScalar, plan, algebra.TBool), nil
}
