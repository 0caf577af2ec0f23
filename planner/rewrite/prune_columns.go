package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// pruneColumns drops what nobody reads: columns of scans, items of projects,
// aggregates, columns of both operands of a set operation.
func pruneColumns(c *context, n algebra.Node) algebra.Node { return prune(n, algebra.Outputs(n)) }

// prune gives n with at least the wanted columns.
func prune(n algebra.Node, want algebra.ColSet) algebra.Node {
	switch n := n.(type) {
	case *algebra.Scan:
		return pruneScan(n, want)
	case *algebra.Values:
		return pruneValues(n, want)
	case *algebra.Project:
		return pruneProject(n, want)
	case *algebra.Aggregate:
		return pruneAggs(n, want)
	case *algebra.Window:
		return pruneWindow(n, want)
	case *algebra.SetOp:
		return pruneSetOp(n, want)
	}
	return pruneBelow(n, want)
}

// pruneBelow prunes the inputs of a node that passes its input's columns on.
func pruneBelow(n algebra.Node, want algebra.ColSet) algebra.Node {
	want = want.Union(ownReferences(n))
	return algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return prune(in, want) })
}

// ownReferences are the columns that a node's own expressions refer to.
func ownReferences(n algebra.Node) algebra.ColSet {
	var refs algebra.ColSet
	algebra.VisitExprs(n, refs.AddReferences)
	return refs
}

func pruneScan(n *algebra.Scan, want algebra.ColSet) algebra.Node {
	kept := 0
	for i := range n.Cols {
		if want.Has(n.Cols[i].ID) {
			kept++
		}
	}
	if kept == len(n.Cols) {
		return n
	}
	c := *n
	c.Cols, c.Ordinals, c.ColStats = make([]algebra.Column, 0, kept), make([]int, 0, kept), make([]algebra.Stats, 0, kept)
	for i, col := range n.Cols {
		if want.Has(col.ID) {
			c.Cols = append(c.Cols, col)
			c.Ordinals = append(c.Ordinals, n.Ordinals[i])
			c.ColStats = append(c.ColStats, n.ColStats[i])
		}
	}
	return &c
}

func pruneValues(n *algebra.Values, want algebra.ColSet) algebra.Node {
	var keep []int
	for i, col := range n.Cols {
		if want.Has(col.ID) {
			keep = append(keep, i)
		}
	}
	if len(keep) == len(n.Cols) {
		return n
	}
	return selectValues(n, keep)
}

func pruneProject(n *algebra.Project, want algebra.ColSet) algebra.Node {
	var items []algebra.Item
	var refs algebra.ColSet
	for _, item := range n.Items {
		if want.Has(item.Column.ID) {
			items = append(items, item)
			refs.AddReferences(item.Expr)
		}
	}
	in := prune(n.Input, refs)
	if in == n.Input && len(items) == len(n.Items) {
		return n
	}
	return &algebra.Project{Input: in, Items: items}
}

func pruneAggs(n *algebra.Aggregate, want algebra.ColSet) algebra.Node {
	c := *n
	c.Aggs = nil
	for _, agg := range n.Aggs {
		if want.Has(agg.Column.ID) {
			c.Aggs = append(c.Aggs, agg)
		}
	}
	if !want.Has(n.GroupingID.ID) {
		c.GroupingID = algebra.Column{}
	}
	c.Input = prune(n.Input, ownReferences(&c))
	if c.Input == n.Input && len(c.Aggs) == len(n.Aggs) && c.GroupingID == n.GroupingID {
		return n
	}
	return &c
}

// pruneWindow drops calls, and the window with the last of them.
func pruneWindow(n *algebra.Window, want algebra.ColSet) algebra.Node {
	var calls []algebra.WindowCall
	for _, call := range n.Calls {
		if want.Has(call.Column.ID) {
			calls = append(calls, call)
		}
	}
	switch len(calls) {
	case 0:
		return prune(n.Input, want)
	case len(n.Calls):
		return pruneBelow(n, want)
	}
	c := *n
	c.Calls = calls
	return pruneBelow(&c, want)
}

// pruneSetOp prunes the operands of UNION ALL, which alone does not look at the
// columns, by position.
func pruneSetOp(n *algebra.SetOp, want algebra.ColSet) algebra.Node {
	keep := make([]int, 0, len(n.Cols))
	for i, col := range n.Cols {
		if want.Has(col.ID) || n.Kind != algebra.Union || !n.All {
			keep = append(keep, i)
		}
	}
	c := *n
	c.Left, c.Right = pruneOperand(n.Left, keep), pruneOperand(n.Right, keep)
	if c.Left == n.Left && c.Right == n.Right && len(keep) == len(n.Cols) {
		return n
	}
	c.Cols = nil
	for _, i := range keep {
		c.Cols = append(c.Cols, n.Cols[i])
	}
	return &c
}

// pruneOperand prunes an operand to exactly the kept columns, in order.
func pruneOperand(n algebra.Node, keep []int) algebra.Node {
	cols := n.Columns()
	var want algebra.ColSet
	kept := make([]algebra.Column, len(keep))
	for k, i := range keep {
		want.Add(cols[i].ID)
		kept[k] = cols[i]
	}
	return withColumns(prune(n, want), kept)
}

// withColumns gives n with exactly these columns in this order.
func withColumns(n algebra.Node, cols []algebra.Column) algebra.Node {
	have := n.Columns()
	same := len(have) == len(cols)
	for i := 0; same && i < len(cols); i++ {
		same = have[i].ID == cols[i].ID && have[i].Name == cols[i].Name
	}
	if same {
		return n
	}
	byID := make(map[algebra.ColumnID]algebra.Column, len(have))
	for _, c := range have {
		byID[c.ID] = c
	}
	items := make([]algebra.Item, len(cols))
	for i, c := range cols {
		items[i] = algebra.Item{Column: c, Expr: byID[c.ID].Ref()}
		items[i].Column.Nullable = byID[c.ID].Nullable
	}
	return &algebra.Project{Input: n, Items: items}
}
