package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// recursions runs the rules over the plans of each recursive expression,
// which is a leaf to the other rules: they are planned once, however many iterations
// there will be.
//
//	before: recursive whose term filters i < 10 AND 1 < 2
//	after:  recursive whose term filters i < 10
//	never:  a query WITH a name that is not recursive: its plan is seen by the other rules
func recursions(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		r, ok := n.(*algebra.Recursive)
		if !ok {
			return n
		}
		out := *r
		out.Base, out.Term = c.apart(r.Base), c.apart(r.Term)
		if r.Counted != nil {
			out.Counted = c.apart(r.Counted)
		}
		return &out
	})
}

// apart runs the rules over a plan of its own.
func (c *context) apart(n algebra.Node) algebra.Node {
	if c.err != nil {
		return n
	}
	opts := c.opts
	opts.Trace, opts.LastID = false, c.lastID
	after, _, err := c.run(n, opts)
	if err != nil {
		c.err = err
		return n
	}
	return after
}
