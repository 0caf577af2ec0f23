package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

func (e *environment) find(name string) *environment {
	for ; e != nil; e = e.parent {
		if e.cte != nil && e.name == name {
			return e
		}
	}
	return nil
}

// bindQuery binds a query with its WITH, ORDER BY and LIMIT.
func bindQuery(b *binder, q *sql.Query, env *environment, keepUnknown bool) (*relation, error) {
	if err := b.enter(q.Pos); err != nil {
		return nil, err
	}
	defer b.leave()
	env, err := b.with(q.With, env)
	if err != nil {
		return nil, err
	}
	rel, err := b.ordered(q, env, keepUnknown)
	if err != nil {
		return nil, err
	}
	return b.limit(q, rel)
}

// ordered binds the body and ORDER BY of a query.
func (b *binder) ordered(q *sql.Query, env *environment, keepUnknown bool) (*relation, error) {
	if sel, ok := q.Body.(*sql.Select); ok {
		return b.selectBlock(sel, q.OrderBy, env, keepUnknown && len(q.OrderBy) == 0)
	}
	rel, err := b.body(q.Body, env, keepUnknown && len(q.OrderBy) == 0)
	if err != nil || len(q.OrderBy) == 0 {
		return rel, err
	}
	return b.orderOutput(rel, q.OrderBy)
}

// body binds what stands between WITH and ORDER BY.
func (b *binder) body(body sql.QueryBody, env *environment, keepUnknown bool) (*relation, error) {
	switch body := body.(type) {
	case *sql.Select:
		return b.selectBlock(body, nil, env, keepUnknown)
	case *sql.SetOp:
		return b.setOp(body, env)
	case *sql.Values:
		return b.values(body, env, keepUnknown)
	case *sql.Query:
		return b.query(body, env, keepUnknown)
	}
	return nil, value.Errorf(value.CodeInternal, "unknown kind of query body %T", body)
}

// with binds common table expressions, so that errors in ones that are never
// used are found too, and gives the names that they add.
func (b *binder) with(with *sql.With, env *environment) (*environment, error) {
	if with == nil {
		return env, nil
	}
	outer := env
	entries := make([]*environment, len(with.CTEs))
	for i := range with.CTEs {
		cte := &with.CTEs[i]
		for e := env; e != outer; e = e.parent {
			if e.name == cte.Name.Name {
				return nil, value.ErrorAt(int(cte.Name.Pos), value.CodeDuplicateAlias,
					"WITH query name %q specified more than once", cte.Name.Name)
			}
		}
		entries[i] = &environment{parent: env, name: cte.Name.Name, cte: cte, env: env}
		env = entries[i]
	}
	for _, entry := range entries {
		if with.Recursive {
			// Each can name itself and those behind it, too.
			entry.with, entry.env = with, env
		}
	}
	for _, entry := range entries {
		if err := b.defineCTE(entry); err != nil {
			return nil, err
		}
	}
	return env, nil
}

// defineCTE binds a common table expression where it is defined, unless one
// before it has referred to it already.
func (b *binder) defineCTE(entry *environment) error {
	if entry.bound {
		return nil
	}
	before := b.randoms
	rel, err := b.bindCTE(entry)
	if err != nil {
		return err
	}
	entry.first, entry.bound, entry.random = rel, true, b.randoms > before
	return checkNames(entry.cte, len(rel.columns()))
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
func (b *binder) useCTE(entry, env *environment, pos sql.Pos) (*relation, error) {
	if entry.recursion != nil {
		return b.reference(entry, env, pos)
	}
	if err := b.defineCTE(entry); err != nil {
		return nil, err
	}
	if rel := entry.first; rel != nil {
		entry.first = nil
		return rel, nil
	}
	if entry.random {
		return nil, notSupported(pos, "random() in a common table expression that is read more than once is")
	}
	return b.bindCTE(entry)
}

// limit adds LIMIT and OFFSET.
func (b *binder) limit(q *sql.Query, rel *relation) (*relation, error) {
	if q.Limit == nil && q.Offset == nil && !q.Ties {
		return rel, nil
	}
	count, err := b.rowCount(q.Limit, "LIMIT", value.CodeInvalidRowCountLimit, -1)
	if err != nil {
		return nil, err
	}
	offset, err := b.rowCount(q.Offset, "OFFSET", value.CodeInvalidRowCountOffset, 0)
	if err != nil {
		return nil, err
	}
	if q.Ties && count != 0 {
		return b.withTies(rel, count, offset)
	}
	if count < 0 && offset == 0 {
		return rel, nil
	}
	return &relation{node: &algebra.Limit{Input: rel.node, Count: count, Offset: offset}}, nil
}

// rowCount evaluates the constant of LIMIT or OFFSET; NULL and nothing give
// none.
func (b *binder) rowCount(e sql.Expr, clause, code string, none int64) (int64, error) {
	if e == nil {
		return none, nil
	}
	x := &exprBinder{binder: b, scope: &scope{}, clause: clause}
	if ref := firstColumn(e); ref != nil {
		return 0, value.ErrorAt(int(ref.Position()), value.CodeInvalidColumnReference,
			"argument of %s must not contain variables", clause)
	}
	bound, err := x.exprAs(e, algebra.TInt64, sqltype.Implicit)
	if err != nil {
		return 0, err
	}
	c, err := b.constant(bound, int(e.Position()))
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
func (b *binder) orderOutput(rel *relation, items []sql.OrderItem) (*relation, error) {
	cols := rel.columns()
	keys := make([]algebra.SortKey, len(items))
	for i, item := range items {
		n, err := outputColumn(item.Expr, cols)
		if err != nil {
			return nil, err
		}
		keys[i] = b.sortKey(item, cols[n].Ref())
	}
	return &relation{node: &algebra.Sort{Input: rel.node, Keys: keys, Limit: -1}}, nil
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

// sortKey gives NULLs their place: last in ascending and first in descending
// order where nothing else is said. Arrays are in the order of their elements.
func (b *binder) sortKey(item sql.OrderItem, e algebra.Expr) algebra.SortKey {
	first := item.Desc
	if item.Nulls != sql.NullsDefault {
		first = item.Nulls == sql.NullsFirst
	}
	if e.Type().Kind == algebra.Array {
		e = b.arrayOrder(e, item.Expr.Position())
	}
	e = b.comparedChar(e)
	return algebra.SortKey{Expr: e, Desc: item.Desc, NullsFirst: first}
}
