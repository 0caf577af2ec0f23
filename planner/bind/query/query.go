// Package query binds queries: WITH, SELECT blocks with their clauses, set operations,
// VALUES, and what stands in FROM.
package query

import (
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Bind binds a query with its WITH, ORDER BY and LIMIT.
func Bind(b *scope.Binder, q *sql.Query, env *scope.Environment, keepUnknown bool) *scope.Bound {
	b.Enter(q.Pos)
	defer b.Leave()
	env = With(b, q.With, env)
	return limit(b, q, env, ordered(b, q, env, keepUnknown))
}

// ordered binds the body and ORDER BY of a query.
func ordered(b *scope.Binder, q *sql.Query, env *scope.Environment, keepUnknown bool) *scope.Bound {
	if sel, ok := q.Body.(*sql.Select); ok {
		return selectBlock(b, sel, q.OrderBy, env, keepUnknown && (len(q.OrderBy) == 0 || len(sel.DistinctOn) == 0))
	}
	rel := bindBody(b, q.Body, env, keepUnknown && len(q.OrderBy) == 0)
	if len(q.OrderBy) == 0 {
		return rel
	}
	return orderOutput(b, rel, q.OrderBy)
}

// bindBody binds what stands between WITH and ORDER BY.
func bindBody(b *scope.Binder, body sql.QueryBody, env *scope.Environment, keepUnknown bool) *scope.Bound {
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
	panic(value.Errorf(value.CodeInternal, "unknown kind of query body %T", body))
}
