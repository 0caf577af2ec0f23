package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// joinKeys makes keys of the conditions of a join that equate an expression
// of one side with one of the other.
//
//	before: inner join if t.a = u.a AND t.b < u.z
//	after:  inner join on t.a = u.a if t.b < u.z
//	never:  left join if t.a = t.c: both columns are of one side
func joinKeys(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		join, ok := n.(*algebra.Join)
		if !ok || len(join.Residual) == 0 {
			return n
		}
		left, right := algebra.Outputs(join.Left), algebra.Outputs(join.Right)
		c := *join
		c.Keys = append([]algebra.JoinKey(nil), join.Keys...)
		c.Residual = nil
		for _, cond := range join.Residual {
			if key, ok := joinKey(cond, left, right); ok {
				c.Keys = append(c.Keys, key)
			} else {
				c.Residual = append(c.Residual, cond)
			}
		}
		if len(c.Keys) == len(join.Keys) {
			return n
		}
		return &c
	})
}

// joinKey reads a condition as a key of a join of two sides with these columns.
func joinKey(cond algebra.Expr, left, right algebra.ColSet) (algebra.JoinKey, bool) {
	call, ok := cond.(*algebra.Call)
	nullSafe := false
	if ok && call.Func == algebra.Not {
		nullSafe = true
		call, ok = call.Args[0].(*algebra.Call)
	}
	if !ok || nullSafe && call.Func != algebra.Distinct || !nullSafe && call.Func != algebra.Eq {
		return algebra.JoinKey{}, false
	}
	a, b := call.Args[0], call.Args[1]
	refsA, refsB := algebra.References(a), algebra.References(b)
	if refsA.Empty() || refsB.Empty() {
		return algebra.JoinKey{}, false
	}
	switch {
	case refsA.SubsetOf(left) && refsB.SubsetOf(right):
		return algebra.JoinKey{Left: a, Right: b, NullSafe: nullSafe}, true
	case refsA.SubsetOf(right) && refsB.SubsetOf(left):
		return algebra.JoinKey{Left: b, Right: a, NullSafe: nullSafe}, true
	}
	return algebra.JoinKey{}, false
}
