package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// inferFilters adds, for columns that joins make equal, the conditions on one of
// them that compare it with constants to the others, so that both sides of a
// join are filtered: for inner joins in all directions, for others to the side
// whose rows without a partner do not matter.
//
//	before: filter t.a = 1 over t inner join u on t.a = u.a
//	after:  the same, and u.a = 1
//	never:  t left join u on t.a = u.a AND u.a = 1: the left rows stay whatever t.a is
func inferFilters(c *context, n algebra.Node) algebra.Node { return inferIn(n, nil) }

// inferIn rewrites n, of whose result only rows matter for which the known
// conditions hold.
func inferIn(n algebra.Node, known []algebra.Expr) algebra.Node {
	group := gather(n)
	var inferred []algebra.Expr
	if len(group.joins) > 0 {
		inferred = group.infer()
	}
	known = append(append(slices.Clip(known), group.conds...), inferred...)
	// The group's own nodes are part of it; what it joins is not.
	out := group.mapLeaves(n, func(leaf algebra.Node) algebra.Node { return inferLeaf(leaf, known) })
	return filter(out, inferred)
}

// inferLeaf rewrites what a group joins.
func inferLeaf(n algebra.Node, known []algebra.Expr) algebra.Node {
	switch n := n.(type) {
	case *algebra.Filter:
		return mapInput(n, inferLeaf(n.Input, known))
	case *algebra.Join:
		return inferAcross(n, known)
	}
	return algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return inferIn(in, nil) })
}

// inferAcross rewrites an outer, semi or anti join. What holds for the left rows
// that matter holds for the right ones that can match them; the reverse is so
// for a right join, and for a semi join too.
func inferAcross(n *algebra.Join, known []algebra.Expr) algebra.Node {
	forLeft, forRight := known, known
	var left, right []algebra.Expr
	switch n.Kind {
	case algebra.JoinSemi:
		left = inferSide(n, n.Left, gather(n.Right).conds)
		right = inferSide(n, n.Right, append(slices.Clip(known), gather(n.Left).conds...))
		forRight = nil
	case algebra.JoinLeft, algebra.JoinAnti:
		right = inferSide(n, n.Right, append(slices.Clip(known), gather(n.Left).conds...))
		forRight = nil
	case algebra.JoinRight:
		left = inferSide(n, n.Left, append(slices.Clip(known), gather(n.Right).conds...))
		forLeft = nil
	default:
		forLeft, forRight = nil, nil
	}
	return algebra.MapInputs(n, func(in algebra.Node) algebra.Node {
		if in == n.Left {
			return filter(inferIn(in, append(slices.Clip(forLeft), left...)), left)
		}
		return filter(inferIn(in, append(slices.Clip(forRight), right...)), right)
	})
}

// inferSide returns the conditions on a side of a join that follow from those
// that are known of columns which the join equates with the side's.
func inferSide(n *algebra.Join, side algebra.Node, known []algebra.Expr) []algebra.Expr {
	cols := algebra.Outputs(side)
	g := joinGroup{conds: slices.Clip(known)}
	for _, cond := range append(keyEqualities(n.Keys), n.Residual...) {
		if _, _, ok := equalColumns(cond); ok {
			g.conds = append(g.conds, cond)
		}
	}
	g.conds = append(g.conds, gather(side).conds...)
	var out []algebra.Expr
	for _, cond := range g.infer() {
		if algebra.References(cond).SubsetOf(cols) {
			out = append(out, cond)
		}
	}
	return out
}

// keyEqualities are keys as conditions, but for those that NULLs pass.
func keyEqualities(keys []algebra.JoinKey) []algebra.Expr {
	var conds []algebra.Expr
	for _, key := range keys {
		if !key.NullSafe {
			conds = append(conds, newCall(algebra.Eq, key.Left, key.Right))
		}
	}
	return conds
}

// joinGroup is a tree of inner joins and of the filters above and between
// them.
type joinGroup struct {
	joins map[algebra.Node]bool // nodes of the group: joins and filters
	conds []algebra.Expr
}

func gather(n algebra.Node) *joinGroup {
	g := &joinGroup{joins: make(map[algebra.Node]bool)}
	g.add(n)
	return g
}

// add reports whether n belongs to the group.
func (g *joinGroup) add(n algebra.Node) bool {
	switch n := n.(type) {
	case *algebra.Filter:
		if !g.add(n.Input) {
			g.conds = append(g.conds, n.Conds...)
			return false
		}
		g.joins[n] = true
		g.conds = append(g.conds, n.Conds...)
		return true
	case *algebra.Join:
		if n.Kind != algebra.JoinInner {
			return false
		}
		g.joins[n] = true
		g.conds = append(g.conds, n.Residual...)
		g.conds = append(g.conds, keyEqualities(n.Keys)...)
		g.add(n.Left)
		g.add(n.Right)
		return true
	}
	return false
}

// mapLeaves applies f to what the group joins.
func (g *joinGroup) mapLeaves(n algebra.Node, f func(algebra.Node) algebra.Node) algebra.Node {
	if !g.joins[n] {
		return f(n)
	}
	return algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return g.mapLeaves(in, f) })
}

// infer returns the conditions that follow and are not there yet.
func (g *joinGroup) infer() []algebra.Expr {
	equal := make(classes)
	for _, cond := range g.conds {
		if l, r, ok := equalColumns(cond); ok {
			equal.union(l, r)
		}
	}
	if len(equal) == 0 {
		return nil
	}
	known := newExprSet(g.conds)
	var inferred []algebra.Expr
	for _, cond := range g.conds {
		ref, ok := comparedWithConstants(cond)
		if !ok {
			continue
		}
		for _, other := range equal.members(ref.Column) {
			c := algebra.Substitute(cond, map[algebra.ColumnID]algebra.Expr{ref.Column.ID: other.Ref()})
			if known.add(c) {
				inferred = append(inferred, c)
			}
		}
	}
	return inferred
}

// equalColumns reads a = b of two columns of one type.
func equalColumns(cond algebra.Expr) (l, r algebra.Column, ok bool) {
	call, ok := cond.(*algebra.Call)
	if !ok || call.Func != algebra.Eq {
		return l, r, false
	}
	a, okA := call.Args[0].(*algebra.ColumnRef)
	b, okB := call.Args[1].(*algebra.ColumnRef)
	if !okA || !okB || a.Column.Type != b.Column.Type {
		return l, r, false
	}
	return a.Column, b.Column, true
}

// comparedWithConstants reads a comparison of one bare column with constants.
func comparedWithConstants(cond algebra.Expr) (*algebra.ColumnRef, bool) {
	call, ok := cond.(*algebra.Call)
	if !ok || len(call.Args) < 2 || !allConstant(call.Args[1:]) {
		return nil, false
	}
	switch call.Func {
	case algebra.Eq, algebra.Lt, algebra.Le, algebra.Gt, algebra.Ge, algebra.In, algebra.Like:
		ref, ok := call.Args[0].(*algebra.ColumnRef)
		return ref, ok
	}
	return nil, false
}

// classes are sets of columns that are equal, by member.
type classes map[algebra.ColumnID]*[]algebra.Column

func (c classes) union(a, b algebra.Column) {
	ca, cb := c.class(a), c.class(b)
	if ca == cb {
		return
	}
	for _, col := range *cb {
		*ca = append(*ca, col)
		c[col.ID] = ca
	}
}

func (c classes) class(a algebra.Column) *[]algebra.Column {
	if c[a.ID] == nil {
		c[a.ID] = &[]algebra.Column{a}
	}
	return c[a.ID]
}

func (c classes) members(a algebra.Column) []algebra.Column {
	if c[a.ID] == nil {
		return nil
	}
	return *c[a.ID]
}
