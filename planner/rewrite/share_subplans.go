package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// shareSubplans computes once what occurs several times in a plan, as a view does that the
// query names twice, or what a scalar subquery repeats of FROM, where that costs less.
//
//	before: sum over (t join u), count over (t join u)
//	after:  sum over j, count over j, which is t join u once
//	never:  the same where one filters u by 'p' and the other by 'q'
func shareSubplans(c *context, n algebra.Node) algebra.Node {
	return c.shareEqual(c.shareTotals(n))
}
