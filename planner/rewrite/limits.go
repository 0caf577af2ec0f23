package rewrite

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// pushLimits makes a sort with a limit look for the first rows only, and moves
// limits below what keeps each row: projects, and the operands of UNION ALL. A
// recursion with a limit ends when it has rows enough.
//
//	before: limit 3 over sort by a
//	after:  sort by a, the first 3
//	never:  limit 3 over UNION: without ALL it needs all rows
func pushLimits(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		if limit, ok := n.(*algebra.Limit); ok {
			return pushLimit(limit)
		}
		return n
	})
}

func pushLimit(n *algebra.Limit) algebra.Node {
	switch in := n.Input.(type) {
	case *algebra.Project:
		return mapInput(in, pushLimit(&algebra.Limit{Input: in.Input, Count: n.Count, Offset: n.Offset}))
	case *algebra.Sort:
		if in.Limit < 0 && in.Offset == 0 {
			return &algebra.Sort{Input: in.Input, Keys: in.Keys, Limit: n.Count, Offset: n.Offset}
		}
	case *algebra.Limit:
		return pushLimit(bothLimits(n, in))
	case *algebra.Recursive:
		if wanted := n.Count + n.Offset; n.Count >= 0 && wanted >= 0 && (in.Limit < 0 || wanted < in.Limit) {
			out := *in
			out.Limit = wanted
			return &algebra.Limit{Input: &out, Count: n.Count, Offset: n.Offset}
		}
	case *algebra.Filter, *algebra.Join:
		return limitRecursion(n)
	case *algebra.SetOp:
		if in.Kind == algebra.Union && in.All && n.Count >= 0 && n.Count <= math.MaxInt64-n.Offset {
			return &algebra.Limit{Input: limitOperands(in, n.Count+n.Offset), Count: n.Count, Offset: n.Offset}
		}
	}
	return n
}

// bothLimits is a limit of what another limit lets through.
func bothLimits(n, in *algebra.Limit) *algebra.Limit {
	out := &algebra.Limit{Input: in.Input, Count: n.Count, Offset: in.Offset + n.Offset}
	if out.Offset < 0 {
		out.Offset = math.MaxInt64
	}
	if in.Count >= 0 {
		left := max(in.Count-n.Offset, 0)
		if n.Count < 0 || left < n.Count {
			out.Count = left
		}
	}
	return out
}

// limitOperands limits the operands of a UNION ALL that are not limited so far
// already.
func limitOperands(n *algebra.SetOp, count int64) algebra.Node {
	return algebra.MapInputs(n, func(in algebra.Node) algebra.Node {
		if rows, ok := algebra.MaxRows(in); ok && rows <= count {
			return in
		}
		return pushLimit(&algebra.Limit{Input: in, Count: count})
	})
}
