// Package query binds queries: WITH, SELECT blocks with their clauses, set operations,
// VALUES, and what stands in FROM.
package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Bind binds a query with its WITH, ORDER BY and LIMIT.
func Bind(b *scope.Binder, q *sql.Query, env *scope.Environment, keepUnknown bool) (*scope.Bound, error) {
	if err := b.Enter(q.Pos); err != nil {
		return nil, err
	}
	defer b.Leave()
	env, err := With(b, q.With, env)
	if err != nil {
		return nil, err
	}
	rel, err := ordered(b, q, env, keepUnknown)
	if err != nil {
		return nil, err
	}
	return limit(b, q, rel)
}

// ordered binds the body and ORDER BY of a query.
func ordered(b *scope.Binder, q *sql.Query, env *scope.Environment, keepUnknown bool) (*scope.Bound, error) {
	if sel, ok := q.Body.(*sql.Select); ok {
		return selectBlock(b, sel, q.OrderBy, env, keepUnknown && len(q.OrderBy) == 0)
	}
	rel, err := bindBody(b, q.Body, env, keepUnknown && len(q.OrderBy) == 0)
	if err != nil || len(q.OrderBy) == 0 {
		return rel, err
	}
	return orderOutput(b, rel, q.OrderBy)
}

// bindBody binds what stands between WITH and ORDER BY.
func bindBody(b *scope.Binder, body sql.QueryBody, env *scope.Environment, keepUnknown bool) (*scope.Bound, error) {
	switch body := body.(type) {
	case *sql.Select:
		return selectBlock(b, body, nil, env, keepUnknown)
	case *sql.SetOp:
		return setOp(b, body, env)
	case *sql.Values:
		return values(b, body, env, keepUnknown)
	case *sql.Query:
		return b.Query(body, env, keepUnknown)
	}
	return nil, value.Errorf(value.CodeInternal, "unknown kind of query body %T", body)
}

// With binds common table expressions, so that errors in ones that are never
// used are found too, and gives the names that they add.
func With(b *scope.Binder, with *sql.With, env *scope.Environment) (*scope.Environment, error) {
	if with == nil {
		return env, nil
	}
	outer := env
	entries := make([]*scope.Environment, len(with.CTEs))
	for i := range with.CTEs {
		cte := &with.CTEs[i]
		for e := env; e != outer; e = e.Parent {
			if e.Name == cte.Name.Name {
				return nil, value.ErrorAt(int(cte.Name.Pos), value.CodeDuplicateAlias,
					"WITH query name %q specified more than once", cte.Name.Name)
			}
		}
		entries[i] = &scope.Environment{Parent: env, Name: cte.Name.Name, CTE: cte, Env: env}
		env = entries[i]
	}
	for _, entry := range entries {
		if with.Recursive {
			// Each can name itself and those behind it, too.
			entry.With, entry.Env = with, env
		}
	}
	for _, entry := range entries {
		if err := defineCTE(b, entry); err != nil {
			return nil, err
		}
	}
	return env, nil
}

// defineCTE binds a common table expression where it is defined, unless one
// before it has referred to it already.
func defineCTE(b *scope.Binder, entry *scope.Environment) error {
	if entry.Bound {
		return nil
	}
	before := b.Randoms
	rel, err := bindCTE(b, entry)
	if err != nil {
		return err
	}
	entry.First, entry.Bound, entry.Random = rel, true, b.Randoms > before
	return checkNames(entry.CTE, len(rel.Columns()))
}

// checkNames refuses more names of columns than an expression has columns.
func checkNames(cte *sql.CTE, columns int) error {
	if len(cte.Columns) > columns {
		return value.ErrorAt(int(cte.Name.Pos), value.CodeInvalidColumnReference,
			"WITH query %q has %d columns available but %d columns specified", cte.Name.Name, columns, len(cte.Columns))
	}
	return nil
}

// useCTE gives a relation for a reference to a common table expression. The
// first reference takes the plan that was bound at the definition; each other
// one gets a plan of its own, whose columns have other IDs.
func useCTE(b *scope.Binder, entry, env *scope.Environment, pos sql.Pos) (*scope.Bound, error) {
	if entry.Recursion != nil {
		return reference(b, entry, env, pos)
	}
	if err := defineCTE(b, entry); err != nil {
		return nil, err
	}
	if rel := entry.First; rel != nil {
		entry.First = nil
		return rel, nil
	}
	if entry.Random {
		return nil, term.NotSupported(pos, "random() in a common table expression that is read more than once is")
	}
	return bindCTE(b, entry)
}

// limit adds LIMIT and OFFSET.
func limit(b *scope.Binder, q *sql.Query, rel *scope.Bound) (*scope.Bound, error) {
	if q.Limit == nil && q.Offset == nil && !q.Ties {
		return rel, nil
	}
	count, err := rowCount(b, q.Limit, "LIMIT", value.CodeInvalidRowCountLimit, -1)
	if err != nil {
		return nil, err
	}
	offset, err := rowCount(b, q.Offset, "OFFSET", value.CodeInvalidRowCountOffset, 0)
	if err != nil {
		return nil, err
	}
	if q.Ties && count != 0 {
		return withTies(b, rel, count, offset)
	}
	if count < 0 && offset == 0 {
		return rel, nil
	}
	return &scope.Bound{Node: &algebra.Limit{Input: rel.Node, Count: count, Offset: offset}}, nil
}

// rowCount evaluates the constant of LIMIT or OFFSET; NULL and nothing give
// none.
func rowCount(b *scope.Binder, e sql.Expr, clause, code string, none int64) (int64, error) {
	if e == nil {
		return none, nil
	}
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Clause: clause}
	if ref := term.FirstColumn(e); ref != nil {
		return 0, value.ErrorAt(int(ref.Position()), value.CodeInvalidColumnReference,
			"argument of %s must not contain variables", clause)
	}
	bound, err := convert.ExprAs(x, e, algebra.TInt64, sqltype.Implicit)
	if err != nil {
		return 0, err
	}
	c, err := b.Constant(bound, int(e.Position()))
	if err != nil {
		return 0, err
	}
	if c.Val.Kind == value.Null {
		return none, nil
	}
	if c.Val.I < 0 {
		return 0, value.ErrorAt(int(e.Position()), code, "%s must not be negative", clause)
	}
	return c.Val.I, nil
}

// orderOutput sorts by columns of a result: what ORDER BY may do behind a set
// operation or VALUES.
func orderOutput(b *scope.Binder, rel *scope.Bound, items []sql.OrderItem) (*scope.Bound, error) {
	cols := rel.Columns()
	keys := make([]algebra.SortKey, len(items))
	for i, item := range items {
		n, err := outputColumn(item.Expr, cols)
		if err != nil {
			return nil, err
		}
		keys[i] = expression.SortKey(b, item, cols[n].Ref())
	}
	return &scope.Bound{Node: &algebra.Sort{Input: rel.Node, Keys: keys, Limit: -1}}, nil
}

// outputColumn finds the output column that a key of ORDER BY names or counts.
func outputColumn(e sql.Expr, cols []algebra.Column) (int, error) {
	if n, ok, err := ordinal(e, len(cols), "ORDER BY"); ok || err != nil {
		return n, err
	}
	ref, ok := e.(*sql.ColumnRef)
	if !ok || len(ref.Name) != 1 {
		return 0, &value.Error{
			Code:    value.CodeFeatureNotSupported,
			Message: "invalid UNION/INTERSECT/EXCEPT ORDER BY clause",
			Detail:  "Only result column names can be used, not expressions or functions.",
			Hint:    "Add the expression/function to every SELECT, or move the UNION into a FROM clause.",
			Pos:     int(e.Position()),
		}
	}
	found := -1
	for i, c := range cols {
		if c.Name != ref.Name[0].Name {
			continue
		}
		if found >= 0 {
			return 0, value.ErrorAt(int(ref.Position()), value.CodeAmbiguousColumn, "ORDER BY %q is ambiguous", c.Name)
		}
		found = i
	}
	if found < 0 {
		return 0, value.ErrorAt(int(ref.Position()), value.CodeUndefinedColumn, "column %q does not exist", ref.Name[0].Name)
	}
	return found, nil
}
