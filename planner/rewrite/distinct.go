package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// distinct makes an aggregate of every UNION that removes duplicates, unless neither
// side has any, so that it may be a merge; and drops the removal of duplicates where
// there can be none.
//
//	before: aggregate by a, x over u, whose key is a
//	after:  project a, x
//	never:  aggregate by x: what is no key may repeat
func distinct(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		switch n := n.(type) {
		case *algebra.SetOp:
			if n.Kind == algebra.Union && !n.All && !(algebra.UniqueRows(n.Left) && algebra.UniqueRows(n.Right)) {
				return c.distinctUnion(n)
			}
		case *algebra.Aggregate:
			return dropDistinct(n)
		}
		return n
	})
}

// distinctUnion is UNION as GROUP BY all columns of UNION ALL.
func (c *context) distinctUnion(n *algebra.SetOp) algebra.Node {
	all := &algebra.SetOp{Kind: algebra.Union, All: true, Left: duplicates(n.Left), Right: duplicates(n.Right)}
	keys := make([]algebra.Item, len(n.Cols))
	for i, col := range n.Cols {
		below := c.newColumn(col)
		all.Cols = append(all.Cols, below)
		keys[i] = algebra.Item{Column: col, Expr: below.Ref()}
	}
	return &algebra.Aggregate{Input: all, Keys: keys, Sets: []algebra.KeySet{algebra.AllKeys(len(keys))}}
}

// duplicates returns an operand before its duplicates are removed, which the
// aggregate above will do.
func duplicates(n algebra.Node) algebra.Node {
	agg, ok := n.(*algebra.Aggregate)
	if !ok || !isDistinct(agg) {
		return n
	}
	items := make([]algebra.Item, len(agg.Keys))
	copy(items, agg.Keys)
	return &algebra.Project{Input: agg.Input, Items: items}
}

// isDistinct reports whether an aggregate only removes duplicates.
func isDistinct(n *algebra.Aggregate) bool {
	return len(n.Aggs) == 0 && n.GroupingID.ID == 0 && n.IsPlain() && len(n.Keys) > 0
}

func dropDistinct(n *algebra.Aggregate) algebra.Node {
	if !isDistinct(n) {
		return n
	}
	var cols algebra.ColSet
	for _, key := range n.Keys {
		if ref, ok := key.Expr.(*algebra.ColumnRef); ok {
			cols.Add(ref.Column.ID)
		}
	}
	if !algebra.Unique(n.Input, cols) {
		return n
	}
	return &algebra.Project{Input: n.Input, Items: n.Keys}
}
