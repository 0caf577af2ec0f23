package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// foldPushed computes what became constant of conditions that were pushed into
// projects, and leaves out what they let no row of through.
//
//	before: (project 'w' as t over w, filtered by 'w' = 's') union all (project 's' as t over s, filtered by 's' = 's')
//	after:  project 's' as t over s
//	never:  w left join (s filtered by 'w' = 's'): the rows of w stay
func foldPushed(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		switch of := n.(type) {
		case *algebra.Filter:
			n = foldFilter(algebra.MapExprs(n, c.fold).(*algebra.Filter))
		case *algebra.Join:
			n = foldJoin(algebra.MapExprs(of, c.fold).(*algebra.Join))
		}
		if slices.ContainsFunc(algebra.Inputs(n), isEmpty) {
			return removeNoop(n)
		}
		return n
	})
}
