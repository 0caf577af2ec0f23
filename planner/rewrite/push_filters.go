package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// pushFilters moves each condition as far down as it can be evaluated. A
// condition that may raise an error stays behind the conditions that stood
// before it: they may be there to guard it.
//
//	before: filter t.k = 1 over t join u
//	after:  t filtered by k = 1, join u
//	never:  filter a > 1 over the first 10 rows: the limit counts the rows before it
func pushFilters(c *context, n algebra.Node) algebra.Node { return push(n, nil) }

// push returns n with conditions applied to its result.
func push(n algebra.Node, conds []algebra.Expr) algebra.Node {
	switch n := n.(type) {
	case *algebra.Filter:
		all := append(append([]algebra.Expr(nil), n.Conds...), conds...)
		pushed := push(n.Input, all)
		if f, ok := pushed.(*algebra.Filter); ok && f.Input == n.Input && sameExprs(f.Conds, n.Conds) {
			return n
		}
		return pushed
	case *algebra.Project:
		return mapInput(n, push(n.Input, substituteAll(conds, n.Items)))
	case *algebra.Join:
		return pushJoin(n, conds)
	case *algebra.Aggregate:
		return pushAggregate(n, conds)
	case *algebra.Window:
		return pushWindow(n, conds)
	case *algebra.SetOp:
		return pushSetOp(n, conds)
	case *algebra.Sort:
		if n.Limit < 0 && n.Offset == 0 {
			return mapInput(n, push(n.Input, conds))
		}
	}
	return filter(algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return push(in, nil) }), conds)
}

// substituteAll brings conditions on computed columns into terms of what they
// are computed from.
func substituteAll(conds []algebra.Expr, items []algebra.Item) []algebra.Expr {
	if len(conds) == 0 {
		return nil
	}
	by := make(map[algebra.ColumnID]algebra.Expr, len(items))
	for _, item := range items {
		by[item.Column.ID] = item.Expr
	}
	return lists.Map(conds, func(cond algebra.Expr) algebra.Expr { return algebra.Substitute(cond, by) })
}

// pushAggregate pushes conditions on keys that every grouping set has: they
// hold for a whole group or for none of it.
func pushAggregate(n *algebra.Aggregate, conds []algebra.Expr) algebra.Node {
	var keys algebra.ColSet
	always := n.KeysInAllSets()
	for i, key := range n.Keys {
		if always.Has(i) {
			keys.Add(key.Column.ID)
		}
	}
	below, above := split(conds, func(refs algebra.ColSet) bool { return !refs.Empty() && refs.SubsetOf(keys) })
	return filter(mapInput(n, push(n.Input, substituteAll(below, n.Keys))), above)
}

// pushWindow pushes conditions on columns that the window is partitioned by:
// they hold for a whole partition or for none of it.
func pushWindow(n *algebra.Window, conds []algebra.Expr) algebra.Node {
	var keys algebra.ColSet
	for _, e := range n.PartitionBy {
		if ref, ok := e.(*algebra.ColumnRef); ok {
			keys.Add(ref.Column.ID)
		}
	}
	below, above := split(conds, func(refs algebra.ColSet) bool { return !refs.Empty() && refs.SubsetOf(keys) })
	return filter(mapInput(n, push(n.Input, below)), above)
}

// split returns the conditions whose columns pass a test, and the others. One
// that may raise an error is with the others as soon as a condition before it
// is.
func split(conds []algebra.Expr, passes func(refs algebra.ColSet) bool) (yes, no []algebra.Expr) {
	for _, cond := range conds {
		if passes(algebra.References(cond)) && (len(no) == 0 || !algebra.MayRaise(cond, nil)) {
			yes = append(yes, cond)
		} else {
			no = append(no, cond)
		}
	}
	return yes, no
}

// pushSetOp pushes conditions into both operands: a row of the result stands
// for equal rows of theirs.
func pushSetOp(n *algebra.SetOp, conds []algebra.Expr) algebra.Node {
	return algebra.MapInputs(n, func(in algebra.Node) algebra.Node {
		cols := in.Columns()
		items := make([]algebra.Item, len(cols))
		for i, c := range n.Cols {
			items[i] = algebra.Item{Column: c, Expr: cols[i].Ref()}
		}
		return push(in, substituteAll(conds, items))
	})
}

// pushJoin sends conditions from above a join, and its own, to its sides.
//
// A condition from above may go to a side that the join preserves; to the
// other side of an outer join it may not, since it would see the side's rows
// before the NULLs are filled in. The join's own conditions are the reverse.
func pushJoin(n *algebra.Join, conds []algebra.Expr) algebra.Node {
	left, right := algebra.Outputs(n.Left), algebra.Outputs(n.Right)
	onLeft := func(refs algebra.ColSet) bool { return refs.SubsetOf(left) }
	onRight := func(refs algebra.ColSet) bool { return !refs.Empty() && refs.SubsetOf(right) }
	own := n.Residual
	if n.Kind == algebra.JoinInner {
		own, conds = append(append([]algebra.Expr(nil), own...), conds...), nil
	}
	var toLeft, toRight, more []algebra.Expr
	if preservesLeft(n.Kind) {
		toLeft, conds = split(conds, onLeft)
	}
	if n.Kind == algebra.JoinRight {
		toRight, conds = split(conds, onRight)
	}
	if !keepsAll(n.Kind, true) {
		more, own = split(own, onLeft)
		toLeft = append(toLeft, more...)
	}
	if !keepsAll(n.Kind, false) {
		more, own = split(own, onRight)
		toRight = append(toRight, more...)
	}
	out := algebra.MapInputs(n, func(in algebra.Node) algebra.Node {
		if in == n.Left {
			return push(in, toLeft)
		}
		return push(in, toRight)
	})
	if !sameExprs(own, n.Residual) {
		c := *out.(*algebra.Join)
		c.Residual = own
		out = &c
	}
	return filter(out, conds)
}

// preservesLeft reports whether a left row of the result is as it was below.
func preservesLeft(k algebra.JoinKind) bool {
	return k == algebra.JoinLeft || k == algebra.JoinSemi || k == algebra.JoinAnti
}

// keepsAll reports whether every row of a side is in the result whatever the
// join's conditions say, or for an anti join, is in it because of them.
func keepsAll(k algebra.JoinKind, left bool) bool {
	switch k {
	case algebra.JoinFull:
		return true
	case algebra.JoinLeft, algebra.JoinAnti:
		return left
	case algebra.JoinRight:
		return !left
	}
	return false
}
