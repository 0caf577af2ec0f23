package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// joinParts joins the parts of a UNION ALL, each by itself, in the place of all their
// rows: the parts need not be kept, and few of their rows are left.
//
//	before: (a union all b) join d filtered by y = 1
//	after:  (a join d filtered by y = 1) union all (b join d filtered by y = 1)
//	never:  the same with a d of which all rows match: more would be kept than before
func joinParts(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		if join, ok := n.(*algebra.Join); ok {
			return c.joinPart(join)
		}
		return n
	})
}

// joinPart is a join of the parts of its left side, where that pays.
func (c *context) joinPart(n *algebra.Join) algebra.Node {
	switch n.Kind {
	case algebra.JoinInner, algebra.JoinSemi, algebra.JoinAnti:
	default:
		return n
	}
	if !isTable(n.Right) {
		return n
	}
	var items []algebra.Item // above the union
	left := n.Left
	if p, ok := left.(*algebra.Project); ok {
		items, left = p.Items, p.Input
	}
	union, ok := left.(*algebra.SetOp)
	if !ok || union.Kind != algebra.Union || !union.All || items != nil && !onlyColumns(items) {
		return n
	}
	p := &c.est.Machine().Planning
	again := c.cost(n.Right) + c.est.Rows(n.Right)*p.Build
	if c.kept(n)+float64(len(partsOf(union))-1)*again >= c.kept(union) {
		return n
	}
	return c.joined(n, union, items)
}

// isTable reports whether a plan reads one table, so that it costs little to do it for
// each part.
func isTable(n algebra.Node) bool {
	switch n := n.(type) {
	case *algebra.Scan:
		return true
	case *algebra.Filter:
		return isTable(n.Input)
	case *algebra.Project:
		return isTable(n.Input)
	}
	return false
}

func onlyColumns(items []algebra.Item) bool {
	for _, item := range items {
		if _, ok := item.Expr.(*algebra.ColumnRef); !ok {
			return false
		}
	}
	return true
}

// partsOf are the parts of a UNION ALL of several.
func partsOf(n algebra.Node) []algebra.Node {
	if union, ok := n.(*algebra.SetOp); ok && union.Kind == algebra.Union && union.All {
		return append(partsOf(union.Left), partsOf(union.Right)...)
	}
	return []algebra.Node{n}
}

// joined is a join whose left side is a union, below items where there are some, as a
// union of joins.
func (c *context) joined(n *algebra.Join, union *algebra.SetOp, items []algebra.Item) algebra.Node {
	if items == nil {
		items = passOn(union.Cols)
	}
	want := n.Columns()
	var all algebra.Node
	for _, part := range partsOf(union) {
		next := c.joinedPart(n, union, part, items)
		if all == nil {
			all = next
			continue
		}
		both := &algebra.SetOp{Kind: algebra.Union, All: true, Left: all, Right: next, Cols: make([]algebra.Column, len(want))}
		for i, col := range want {
			both.Cols[i] = c.newColumn(col)
		}
		all = both
	}
	return renameColumns(all, want)
}

// joinedPart joins a part of a union as n does its left side. What it reads of the
// right side is a copy.
func (c *context) joinedPart(n *algebra.Join, union *algebra.SetOp, part algebra.Node, items []algebra.Item) algebra.Node {
	have := part.Columns()
	by := make(map[algebra.ColumnID]algebra.Expr)
	for _, item := range items {
		id := item.Expr.(*algebra.ColumnRef).Column.ID
		for k, col := range union.Cols {
			if col.ID == id {
				by[item.Column.ID] = have[k].Ref()
			}
		}
	}
	right, of := c.clone(n.Right)
	in := algebra.MapExprs(algebra.WithInputs(n, part, right), func(e algebra.Expr) algebra.Expr {
		return of.expr(algebra.Substitute(e, by))
	})
	cols := make([]algebra.Item, 0, len(n.Columns()))
	for _, col := range n.Columns() {
		e := algebra.Substitute(col.Ref(), by)
		cols = append(cols, algebra.Item{Column: c.newColumn(col), Expr: of.expr(e)})
	}
	return &algebra.Project{Input: in, Items: cols}
}
