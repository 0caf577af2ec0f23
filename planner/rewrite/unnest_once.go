package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// recall returns the value that an equal subquery has: one with the same plan, of
// which the same column counts, whose columns every row of the relation still
// has as they were computed.
func (v *valuer) recall(sub *algebra.Subquery, plan algebra.Node) (algebra.Expr, bool) {
	nodes := countNodes(plan)
	for _, c := range v.computed {
		v.opts.Meter.Must(nodeWork)
		// Comparing plans takes long: those of nested subqueries differ in size already.
		if c.kind != sub.Kind || c.nodes != nodes {
			continue
		}
		columns, ok := algebra.Match(c.plan, plan)
		if !ok || columns[subqueryColumn(sub)].ID != c.col {
			continue
		}
		if algebra.References(c.value).SubsetOf(algebra.Outputs(v.in)) && reaches(v.in, c.in) {
			return c.value, true
		}
	}
	return nil, false
}

// countNodes is the number of nodes of a plan.
func countNodes(n algebra.Node) int {
	count := 1
	for _, in := range algebra.Inputs(n) {
		count += countNodes(in)
	}
	return count
}

// subqueryColumn is the column whose value a scalar subquery has, 0 for others.
func subqueryColumn(sub *algebra.Subquery) algebra.ColumnID {
	if sub.Kind != algebra.SubqueryScalar {
		return 0
	}
	return sub.Plan.Columns()[0].ID
}

// reaches reports whether rows of a part of a plan come out of the plan with their
// columns as they are: no outer join has filled them with NULLs.
func reaches(n, part algebra.Node) bool {
	if n == part {
		return true
	}
	switch n := n.(type) {
	case *algebra.Filter:
		return reaches(n.Input, part)
	case *algebra.Join:
		switch n.Kind {
		case algebra.JoinInner:
			return reaches(n.Left, part) || reaches(n.Right, part)
		case algebra.JoinLeft, algebra.JoinSemi, algebra.JoinAnti:
			return reaches(n.Left, part)
		case algebra.JoinRight:
			return reaches(n.Right, part)
		}
	}
	return false
}
