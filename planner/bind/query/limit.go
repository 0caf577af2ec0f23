package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// limit adds LIMIT and OFFSET.
func limit(b *scope.Binder, q *sql.Query, rel *scope.Bound) *scope.Bound {
	if q.Limit == nil && q.Offset == nil && !q.Ties {
		return rel
	}
	count := rowCount(b, q.Limit, "LIMIT", value.CodeInvalidRowCountLimit, -1)
	offset := rowCount(b, q.Offset, "OFFSET", value.CodeInvalidRowCountOffset, 0)
	if q.Ties && count != 0 {
		return withTies(b, rel, count, offset)
	}
	if count < 0 && offset == 0 {
		return rel
	}
	return &scope.Bound{Node: &algebra.Limit{Input: rel.Node, Count: count, Offset: offset}}
}

// rowCount evaluates the constant of LIMIT or OFFSET; NULL and nothing give
// none.
func rowCount(b *scope.Binder, e sql.Expr, clause, code string, none int64) int64 {
	if e == nil {
		return none
	}
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Clause: clause}
	if ref := term.FirstColumn(e); ref != nil {
		panic(value.ErrorAt(int(ref.Position()), value.CodeInvalidColumnReference,
			"argument of %s must not contain variables", clause))
	}
	bound := convert.Count(x, x.Expr(e), clause, e.Position())
	c := b.Constant(bound, int(e.Position()))
	if c.Val.Kind == value.Null {
		return none
	}
	if c.Val.I < 0 {
		panic(value.ErrorAt(int(e.Position()), code, "%s must not be negative", clause))
	}
	return c.Val.I
}

// orderOutput sorts by columns of a result: what ORDER BY may do behind a set
// operation or VALUES.
func orderOutput(b *scope.Binder, rel *scope.Bound, items []sql.OrderItem) *scope.Bound {
	cols := rel.Columns()
	keys := make([]algebra.SortKey, len(items))
	for i, item := range items {
		n := outputColumn(item.Expr, cols)
		keys[i] = expression.SortKey(b, item, cols[n].Ref())
	}
	return &scope.Bound{Node: &algebra.Sort{Input: rel.Node, Keys: keys, Limit: -1}}
}

// outputColumn finds the output column that a key of ORDER BY names or counts.
func outputColumn(e sql.Expr, cols []algebra.Column) int {
	if n, ok := ordinal(e, len(cols), "ORDER BY"); ok {
		return n
	}
	ref, ok := e.(*sql.ColumnRef)
	if !ok || len(ref.Name) != 1 {
		panic(&value.Error{
			Code:    value.CodeFeatureNotSupported,
			Message: "invalid UNION/INTERSECT/EXCEPT ORDER BY clause",
			Detail:  "Only result column names can be used, not expressions or functions.",
			Hint:    "Add the expression/function to every SELECT, or move the UNION into a FROM clause.",
			Pos:     int(e.Position()),
		})
	}
	found := -1
	for i, c := range cols {
		if c.Name != ref.Name[0].Name {
			continue
		}
		if found >= 0 {
			panic(value.ErrorAt(int(ref.Position()), value.CodeAmbiguousColumn, "ORDER BY %q is ambiguous", c.Name))
		}
		found = i
	}
	if found < 0 {
		panic(value.ErrorAt(int(ref.Position()), value.CodeUndefinedColumn, "column %q does not exist", ref.Name[0].Name))
	}
	return found
}
