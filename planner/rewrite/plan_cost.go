package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// cost guesses what computing a plan costs, in terms of machine.Planning.
func (c *context) cost(n algebra.Node) float64 {
	p := &c.est.Machine().Planning
	total := 0.0
	for _, in := range algebra.Inputs(n) {
		total += c.cost(in)
	}
	rows := c.est.Rows(n)
	switch n := n.(type) {
	case *algebra.Scan:
		return total + rows*float64(max(len(n.Cols), 1))*p.Read
	case *algebra.Filter:
		return total + c.est.Rows(n.Input)*float64(len(n.Conds))*p.Read
	case *algebra.Spool:
		return total + rows*float64(len(n.Cols))*p.Read
	case *algebra.Join:
		built := c.est.Rows(n.Right)
		return total + built*p.Build + c.est.Rows(n.Left)*p.Lookup(built) + rows*p.Out
	case *algebra.Aggregate:
		each := p.Group
		if rows <= p.FewGroups {
			each = min(each, p.FewGroup*float64(max(len(n.Aggs), 1)))
		}
		return total + c.est.Rows(n.Input)*each*float64(len(n.Sets))
	case *algebra.Window, *algebra.Sort:
		return total + c.est.Rows(algebra.Inputs(n)[0])*p.Sort
	case *algebra.SetOp:
		if n.Kind == algebra.Union && n.All {
			return total + c.kept(n)
		}
		return total + (c.est.Rows(n.Left)+c.est.Rows(n.Right))*p.Group
	case *algebra.Recursive:
		return total + rows*p.Group
	}
	return total + rows*p.Read
}

// kept guesses what it costs to keep the rows of a plan.
func (c *context) kept(n algebra.Node) float64 {
	return c.est.Rows(n) * float64(len(n.Columns())) * c.est.Machine().Planning.Keep
}
