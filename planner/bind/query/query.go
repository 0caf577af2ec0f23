// Package query binds queries: WITH, SELECT blocks with their clauses, set operations,
// VALUES, and what stands in FROM.
package query

import (
	"github.com/cubeloom/cubeloom/planner/bind/scope"
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
		return selectBlock(b, sel, q.OrderBy, env, keepUnknown && (len(q.OrderBy) == 0 || len(sel.DistinctOn) == 0))
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
		return values(b, body, env)
	case *sql.Query:
		return b.Query(body, env, keepUnknown)
	}
	return nil, value.Errorf(value.CodeInternal, "unknown kind of query body %T", body)
}
