package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// pruneColumns drops what nobody reads: columns of scans, items of projects,
// aggregates, columns of both operands of a set operation.
//
//	before: project a over scan t columns a, b, c
//	after:  project a over scan t columns a
//	never:  UNION of (b, x), of which x is read: it compares whole rows
func pruneColumns(c *context, n algebra.Node) algebra.Node { return c.prune(n, algebra.Outputs(n)) }

// prune returns n with at least the wanted columns.
func (c *context) prune(n algebra.Node, want algebra.ColSet) algebra.Node {
	c.opts.Meter.Must(nodeWork + want.Bytes())
	switch n := n.(type) {
	case *algebra.Scan:
		return pruneScan(n, want)
	case *algebra.Values:
		return pruneValues(n, want)
	case *algebra.Spool:
		return pruneSpool(n, want)
	case *algebra.Project:
		return c.pruneProject(n, want)
	case *algebra.Aggregate:
		return c.pruneAggs(n, want)
	case *algebra.Window:
		return c.pruneWindow(n, want)
	case *algebra.SetOp:
		return c.pruneSetOp(n, want)
	}
	return c.pruneBelow(n, want)
}

// pruneBelow prunes the inputs of a node that passes its input's columns on.
func (c *context) pruneBelow(n algebra.Node, want algebra.ColSet) algebra.Node {
	want = want.Union(ownReferences(n))
	return algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return c.prune(in, want) })
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

func pruneSpool(n *algebra.Spool, want algebra.ColSet) algebra.Node {
	out := *n
	out.Cols, out.Ordinals = nil, nil
	for i, col := range n.Cols {
		if want.Has(col.ID) {
			out.Cols, out.Ordinals = append(out.Cols, col), append(out.Ordinals, n.Ordinals[i])
		}
	}
	if len(out.Cols) == len(n.Cols) {
		return n
	}
	return &out
}

func (c *context) pruneProject(n *algebra.Project, want algebra.ColSet) algebra.Node {
	var items []algebra.Item
	var refs algebra.ColSet
	for _, item := range n.Items {
		if want.Has(item.Column.ID) {
			items = append(items, item)
			refs.AddReferences(item.Expr)
		}
	}
	in := c.prune(n.Input, refs)
	if in == n.Input && len(items) == len(n.Items) {
		return n
	}
	return &algebra.Project{Input: in, Items: items}
}

func (c *context) pruneAggs(n *algebra.Aggregate, want algebra.ColSet) algebra.Node {
	out := *n
	out.Aggs = nil
	for _, agg := range n.Aggs {
		if want.Has(agg.Column.ID) {
			out.Aggs = append(out.Aggs, agg)
		}
	}
	if !want.Has(n.GroupingID.ID) {
		out.GroupingID = algebra.Column{}
	}
	out.Input = c.prune(n.Input, ownReferences(&out))
	if out.Input == n.Input && len(out.Aggs) == len(n.Aggs) && out.GroupingID == n.GroupingID {
		return n
	}
	return &out
}

// pruneWindow drops calls, and the window with the last of them.
func (c *context) pruneWindow(n *algebra.Window, want algebra.ColSet) algebra.Node {
	var calls []algebra.WindowCall
	for _, call := range n.Calls {
		if want.Has(call.Column.ID) {
			calls = append(calls, call)
		}
	}
	switch len(calls) {
	case 0:
		return c.prune(n.Input, want)
	case len(n.Calls):
		return c.pruneBelow(n, want)
	}
	out := *n
	out.Calls = calls
	return c.pruneBelow(&out, want)
}

// pruneSetOp prunes the operands of UNION ALL, which alone does not look at the
// columns, by position.
func (c *context) pruneSetOp(n *algebra.SetOp, want algebra.ColSet) algebra.Node {
	keep := make([]int, 0, len(n.Cols))
	for i, col := range n.Cols {
		if want.Has(col.ID) || n.Kind != algebra.Union || !n.All {
			keep = append(keep, i)
		}
	}
	out := *n
	out.Left, out.Right = c.pruneOperand(n.Left, keep), c.pruneOperand(n.Right, keep)
	if out.Left == n.Left && out.Right == n.Right && len(keep) == len(n.Cols) {
		return n
	}
	out.Cols = nil
	for _, i := range keep {
		out.Cols = append(out.Cols, n.Cols[i])
	}
	return &out
}

// pruneOperand prunes an operand to exactly the kept columns, in order.
func (c *context) pruneOperand(n algebra.Node, keep []int) algebra.Node {
	cols := n.Columns()
	var want algebra.ColSet
	kept := make([]algebra.Column, len(keep))
	for k, i := range keep {
		want.Add(cols[i].ID)
		kept[k] = cols[i]
	}
	return withColumns(c.prune(n, want), kept)
}
