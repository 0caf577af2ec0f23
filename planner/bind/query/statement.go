package query

import (
	"github.com/cubeloom/cubeloom/planner/bind/call"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
)

// NewBinder makes a binder of statements over a catalog, which is used once.
func NewBinder(cat scope.Catalog, opts *scope.Options) *scope.Binder {
	return scope.NewBinder(cat, opts, scope.Grammar{Expr: expression.Bind, Call: call.Bind, Query: Bind})
}
