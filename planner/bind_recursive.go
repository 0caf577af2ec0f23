package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Where a recursive expression must not refer to itself.
const (
	withinBase      = "its non-recursive term"
	withinSubquery  = "a subquery"
	withinOuterJoin = "an outer join"
)

// barred is the environment of a part of a query in which a recursive expression
// around must not refer to itself; where one is in force, an outer join adds none.
func barred(env *environment, where string) *environment {
	for e := env; where == withinOuterJoin && e != nil; e = e.parent {
		if e.bar != "" {
			return env
		}
	}
	return &environment{parent: env, bar: where}
}

// barrier is the innermost bar between a place and an expression's entry; ""
// where there is none.
func (e *environment) barrier(entry *environment) string {
	for ; e != nil && e != entry; e = e.parent {
		if e.bar != "" && (e.barOf == nil || e.barOf == entry) {
			return e.bar
		}
	}
	return ""
}

// bindCTE binds the query of a common table expression.
func (b *binder) bindCTE(entry *environment) (*relation, error) {
	if entry.with == nil {
		return b.query(entry.cte.Query, entry.env, false)
	}
	saved := entry.recursion
	entry.recursion = &recursion{}
	b.open = append(b.open, entry)
	rel, err := b.recursiveQuery(entry)
	b.open = b.open[:len(b.open)-1]
	entry.recursion = saved
	return rel, err
}

// recursiveQuery binds a query that may refer to itself.
func (b *binder) recursiveQuery(entry *environment) (*relation, error) {
	q, r := entry.cte.Query, entry.recursion
	union, ok := q.Body.(*sql.SetOp)
	if r.union = ok && union.Kind == "union"; !r.union {
		return b.query(q, entry.env, false)
	}
	if err := b.enter(q.Pos); err != nil {
		return nil, err
	}
	defer b.leave()
	env, err := b.with(q.With, entry.env)
	if err != nil {
		return nil, err
	}
	base, err := b.nested(union.Left, &environment{parent: env, bar: withinBase, barOf: entry}, union.Pos)
	if err == nil {
		err = checkNames(entry.cte, len(base.columns()))
	}
	if err != nil {
		return nil, err
	}
	b.lastID++
	r.id = b.lastID
	r.working = b.workingColumns(base)
	term, err := b.nested(union.Right, env, union.Pos)
	if err != nil {
		return nil, err
	}
	if r.used {
		return b.recursive(entry, union, base, term)
	}
	rel, err := b.combine(union, base, term)
	if err != nil {
		return nil, err
	}
	if len(q.OrderBy) > 0 {
		if rel, err = b.orderOutput(rel, q.OrderBy); err != nil {
			return nil, err
		}
	}
	return b.limit(q, rel)
}

// workingColumns are the columns of the working table: they have the types of the
// non-recursive term, whatever its numerics' scales and its texts' lengths are.
func (b *binder) workingColumns(base *relation) []algebra.Column {
	cols := make([]algebra.Column, len(base.columns()))
	for i, c := range base.columns() {
		typ := c.Type
		switch typ.Kind {
		case algebra.Unknown, algebra.Text:
			typ = algebra.TText
		case algebra.Decimal:
			typ = algebra.TNumeric
		}
		cols[i] = b.newColumn(c.Name, typ, true)
	}
	return cols
}

// reference binds a reference to an expression whose query is being bound, as
// PostgreSQL allows one: once, in the recursive term, and not within what needs
// all of the rows.
func (b *binder) reference(entry, env *environment, pos sql.Pos) (*relation, error) {
	refuse := func(pos sql.Pos, format string, args ...any) (*relation, error) {
		return nil, value.ErrorAt(int(pos), value.CodeInvalidRecursion, format, args...)
	}
	name, r := entry.cte.Name, entry.recursion
	for i := len(b.open) - 1; b.open[i] != entry; i-- {
		if b.open[i].with == entry.with {
			return nil, value.ErrorAt(int(name.Pos), value.CodeFeatureNotSupported, "mutual recursion between WITH items is not implemented")
		}
	}
	bar := env.barrier(entry)
	switch {
	case !r.union:
		return refuse(name.Pos, "recursive query %q does not have the form non-recursive-term UNION [ALL] recursive-term", name.Name)
	case bar != "":
		return refuse(pos, "recursive reference to query %q must not appear within %s", name.Name, bar)
	case r.used:
		return refuse(pos, "recursive reference to query %q must not appear more than once", name.Name)
	}
	r.used = true
	return &relation{node: &algebra.Working{Of: r.id, Cols: r.working}}, nil
}

// recursive puts the two terms of a recursive expression together.
func (b *binder) recursive(entry *environment, union *sql.SetOp, base, term *relation) (*relation, error) {
	q, r := entry.cte.Query, entry.recursion
	if err := plainRecursion(q); err != nil {
		return nil, err
	}
	if len(term.columns()) != len(r.working) {
		return nil, value.ErrorAt(int(union.Pos), value.CodeSyntax, "each UNION query must have the same number of columns")
	}
	n := &algebra.Recursive{ID: r.id, Distinct: !union.All, Limit: -1, Cols: make([]algebra.Column, len(r.working))}
	types := make([]algebra.Type, len(r.working))
	for i, c := range r.working {
		pair := []algebra.Expr{c.Ref(), outputExpr(term.node, i)}
		overall, err := commonType(pair, "UNION", []sql.Pos{union.Pos, union.Pos})
		if err != nil {
			return nil, err
		}
		if overall.Kind != c.Type.Kind {
			return nil, &value.Error{
				Code: value.CodeDatatypeMismatch,
				Message: "recursive query \"" + entry.cte.Name.Name + "\" column " + itoa(i+1) + " has type " + sqltype.Name(c.Type) +
					" in non-recursive term but type " + sqltype.Name(overall) + " overall",
				Hint: "Cast the output of the non-recursive term to the correct type.", Pos: int(itemPos(union.Left, i, union.Pos)),
			}
		}
		types[i] = c.Type
		n.Cols[i] = b.newColumn(c.Name, c.Type, true)
	}
	var err error
	if n.Base, err = b.convertColumns(base.node, types, union.Pos); err != nil {
		return nil, err
	}
	if n.Term, err = b.convertColumns(term.node, types, union.Pos); err != nil {
		return nil, err
	}
	return &relation{node: n}, nil
}

// plainRecursion refuses what a recursive query cannot have behind its terms.
func plainRecursion(q *sql.Query) error {
	refuse := func(clause string, pos sql.Pos) error {
		return value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "%s in a recursive query is not implemented", clause)
	}
	switch {
	case len(q.OrderBy) > 0:
		return refuse("ORDER BY", q.OrderBy[0].Expr.Position())
	case q.Offset != nil:
		return refuse("OFFSET", q.Offset.Position())
	case q.Limit != nil:
		return refuse("LIMIT", q.Limit.Position())
	}
	return nil
}

// itemPos is where output column i of a query's leftmost SELECT stands; other is
// the place for those that are not written there one by one.
func itemPos(body sql.QueryBody, i int, other sql.Pos) sql.Pos {
	switch body := body.(type) {
	case *sql.SetOp:
		return itemPos(body.Left, i, other)
	case *sql.Query:
		return itemPos(body.Body, i, other)
	case *sql.Select:
		for _, item := range body.Items[:min(i+1, len(body.Items))] {
			if _, star := item.Expr.(*sql.Star); star {
				return other
			}
		}
		if i < len(body.Items) {
			return body.Items[i].Expr.Position()
		}
	}
	return other
}
