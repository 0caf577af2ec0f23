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

// limit adds LIMIT and OFFSET. Their expressions can name columns of enclosing queries only.
func limit(b *scope.Binder, q *sql.Query, env *scope.Environment, rel *scope.Bound) *scope.Bound {
	if q.Limit == nil && q.Offset == nil && !q.Ties {
		return rel
	}
	count := rowCount(b, q.Limit, env, "LIMIT")
	offset := rowCount(b, q.Offset, env, "OFFSET")
	if q.Ties && q.Limit == nil {
		panic(value.Errorf(value.CodeInvalidRowCountLimit, "row count cannot be null in FETCH FIRST ... WITH TIES clause"))
	}
	offset = b.Folded(term.Coalesce([]algebra.Expr{offset, term.Int64Value(0)}, algebra.TInt64))
	rows, counts := count.(*algebra.Const)
	start, starts := offset.(*algebra.Const)
	switch {
	case !counts || !starts || q.Ties && rows.Val.Kind != value.Null && rows.Val.I != 0:
		return numbered(b, rel, count, offset, q.Ties)
	case rows.Val.Kind != value.Null:
		return &scope.Bound{Node: &algebra.Limit{Input: rel.Node, Count: rows.Val.I, Offset: start.Val.I}}
	case start.Val.I == 0:
		return rel
	}
	return &scope.Bound{Node: &algebra.Limit{Input: rel.Node, Count: -1, Offset: start.Val.I}}
}

// rowCount binds the argument of LIMIT or OFFSET, a constant where it can be; NULL for nothing.
func rowCount(b *scope.Binder, e sql.Expr, env *scope.Environment, clause string) algebra.Expr {
	if e == nil {
		return &algebra.Const{Typ: algebra.TInt64}
	}
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Env: env, Clause: clause}
	if ref := term.FirstColumn(e); ref != nil && env.Enclosing() == nil {
		panic(value.ErrorAt(int(ref.Position()), value.CodeInvalidColumnReference,
			"argument of %s must not contain variables", clause))
	}
	bound := b.Folded(convert.Count(x, x.Expr(e), clause, e.Position()))
	c, known := bound.(*algebra.Const)
	if !known {
		return computed(b, bound, clause)
	}
	if err := value.CheckRowCount(clause, c.Val.I); err != nil {
		panic(err)
	}
	return c
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
