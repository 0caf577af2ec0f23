package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// guards are conditions that hold where an expression is evaluated: they may guard what its subqueries compute.
type guards struct {
	rows []algebra.Expr // of rows, without subqueries
	once []algebra.Expr // the same for all rows, with or without subqueries
}

// maxGuards is how many conditions of a kind guard a subquery at most: each is a condition of its plan.
const maxGuards = 20

// and are guards and another condition. One of rows with subqueries guards nothing, as their values would be
// computed again with each that it guards.
func (g guards) and(cond algebra.Expr) guards {
	switch {
	case isOnce(cond):
		if len(g.once) < maxGuards {
			g.once = append(slices.Clip(g.once), cond)
		}
	case !hasSubquery(cond) && firstRandom(cond) == nil && len(g.rows) < maxGuards:
		g.rows = append(slices.Clip(g.rows), cond)
	}
	return g
}

// isOnce reports whether a condition is the same for all rows, and whenever it is evaluated.
func isOnce(cond algebra.Expr) bool { return algebra.References(cond).Empty() && !varies(cond) }

// varies reports whether an expression, or a subquery in it, has another value each time.
func varies(e algebra.Expr) bool {
	found := firstRandom(e) != nil
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		if sub, ok := e.(*algebra.Subquery); ok {
			algebra.Walk(sub.Plan, func(n algebra.Node) bool {
				algebra.VisitExprs(n, func(e algebra.Expr) { found = found || varies(e) })
				return !found
			})
		}
		return !found
	})
	return found
}

// empty reports whether nothing guards.
func (g guards) empty() bool { return len(g.rows)+len(g.once) == 0 }

// among reports whether all guards are among others.
func (g guards) among(others guards) bool {
	within := func(some, all []algebra.Expr) bool {
		return !slices.ContainsFunc(some, func(guard algebra.Expr) bool {
			return !slices.ContainsFunc(all, func(e algebra.Expr) bool { return algebra.Equal(e, guard) })
		})
	}
	return within(g.rows, others.rows) && within(g.once, others.once)
}
