package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// pull takes a plan apart; nil where what refers to the outer relation stands
// below an operator that it cannot pass.
func (u *unnester) pull(n algebra.Node, outer algebra.ColSet) *pulled {
	if !algebra.FreeColumns(n).Intersects(outer) {
		return &pulled{node: n, outer: outer}
	}
	switch n := n.(type) {
	case *algebra.Filter:
		return u.pullFilter(n, outer)
	case *algebra.Project:
		return u.pullProject(n, outer)
	case *algebra.Join:
		return u.pullJoin(n, outer)
	case *algebra.Aggregate:
		return u.pullAggregate(n, outer)
	case *algebra.Sort:
		if n.Limit < 0 && n.Offset == 0 { // the order of a subquery's rows means nothing
			return u.pull(n.Input, outer)
		}
		return u.pullLimit(n, u.pull(n.Input, outer))
	case *algebra.Limit:
		return u.pullLimit(n, u.pull(n.Input, outer))
	case *algebra.Window:
		return u.pullWindow(n, u.pull(n.Input, outer))
	}
	return nil
}

func (u *unnester) pullFilter(n *algebra.Filter, outer algebra.ColSet) *pulled {
	p := u.pull(n.Input, outer)
	if p == nil {
		return nil
	}
	conds := substituteIn(n.Conds, p.exprs())
	if p.single {
		p.after = append(p.after, conds...)
		return p
	}
	var own []algebra.Expr
	for _, cond := range conds {
		if p.isOuter(cond) {
			p.conds = append(p.conds, cond)
		} else {
			own = append(own, cond)
		}
	}
	p.node = filter(p.node, own)
	return p
}

func (u *unnester) pullProject(n *algebra.Project, outer algebra.ColSet) *pulled {
	p := u.pull(n.Input, outer)
	if p == nil {
		return nil
	}
	by := p.exprs()
	p.deferred = nil
	var items []algebra.Item
	var made, needed algebra.ColSet
	for _, item := range n.Items {
		item.Expr = algebra.Substitute(item.Expr, by)
		if p.single || p.isOuter(item.Expr) {
			p.deferred = append(p.deferred, item)
			needed.AddReferences(item.Expr)
		} else {
			items = append(items, item)
			made.Add(item.Column.ID)
		}
	}
	if p.single {
		return p
	}
	for _, cond := range p.conds {
		needed.AddReferences(cond)
	}
	for _, c := range p.node.Columns() {
		if needed.Has(c.ID) && !made.Has(c.ID) {
			items = append(items, algebra.Item{Column: c, Expr: c.Ref()})
		}
	}
	p.node = &algebra.Project{Input: p.node, Items: items}
	return p
}

// pullJoin takes a join apart: an inner join on both sides, one that preserves
// its left rows, or filters them, on the left side.
func (u *unnester) pullJoin(n *algebra.Join, outer algebra.ColSet) *pulled {
	left, right := u.pull(n.Left, outer), u.pull(n.Right, outer)
	if left == nil || right == nil || left.single || right.single {
		return nil
	}
	p := &pulled{outer: outer, conds: slices.Concat(left.conds, right.conds), deferred: slices.Concat(left.deferred, right.deferred)}
	by := p.exprs()
	join := &algebra.Join{Kind: n.Kind, Left: left.node, Right: right.node}
	for _, key := range n.Keys {
		key.Left, key.Right = algebra.Substitute(key.Left, by), algebra.Substitute(key.Right, by)
		if p.isOuter(key.Left) || p.isOuter(key.Right) {
			p.conds = append(p.conds, equality(key))
		} else {
			join.Keys = append(join.Keys, key)
		}
	}
	for _, cond := range substituteIn(n.Residual, by) {
		if p.isOuter(cond) {
			p.conds = append(p.conds, cond)
		} else {
			join.Residual = append(join.Residual, cond)
		}
	}
	p.node = join
	switch n.Kind {
	case algebra.JoinInner:
		return p
	case algebra.JoinLeft, algebra.JoinSemi, algebra.JoinAnti:
		if len(p.conds) == len(left.conds) && len(right.deferred) == 0 {
			return p
		}
	}
	return nil
}

// pullAggregate groups in addition by what the pulled conditions compare, so
// that they can be applied to the groups.
func (u *unnester) pullAggregate(n *algebra.Aggregate, outer algebra.ColSet) *pulled {
	p := u.pull(n.Input, outer)
	all := hasEmptySet(n)
	if p == nil || p.single || all && (len(n.Sets) > 1 || n.GroupingID.ID != 0) {
		return nil
	}
	by := p.exprs()
	agg := algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr { return algebra.Substitute(e, by) }).(*algebra.Aggregate)
	apart := true
	algebra.VisitExprs(agg, func(e algebra.Expr) { apart = apart && !p.isOuter(e) && !(all && isPartial(e)) })
	if !apart {
		return nil
	}
	g := &grouper{context: u.context, agg: *agg, inner: algebra.Outputs(p.node)}
	g.agg.Input = p.node
	g.agg.Keys = slices.Clone(agg.Keys)
	g.agg.Sets = slices.Clone(agg.Sets)
	conds := make([]algebra.Expr, len(p.conds))
	for i, cond := range p.conds {
		if conds[i] = g.lift(cond); conds[i] == nil {
			return nil
		}
	}
	p.conds, p.deferred, p.node = conds, nil, &g.agg
	if all {
		p.single = true
		p.deferred = u.orOfNothing(&g.agg)
	}
	return p
}

// isPartial reports whether an expression divides or reads a text, which raises an error for
// some values: rows that no outer row asks for may have those.
func isPartial(e algebra.Expr) bool {
	found := false
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		if call, ok := e.(*algebra.Call); ok {
			divides := call.Func == algebra.Div || call.Func == algebra.Mod
			reads := call.Func == algebra.Cast && call.Args[0].Type().IsString()
			found = found || (divides || reads) && algebra.MayRaise(call, nil)
		}
		return !found
	})
	return found
}

// orOfNothing makes new columns for the aggregates of a group, and the old
// ones of them: in a row that has no group a count is 0, and the others are
// NULL.
func (u *unnester) orOfNothing(n *algebra.Aggregate) []algebra.Item {
	n.Aggs = slices.Clone(n.Aggs)
	items := make([]algebra.Item, len(n.Aggs))
	for i := range n.Aggs {
		old := n.Aggs[i].Column
		n.Aggs[i].Column = u.newColumn(old)
		found := n.Aggs[i].Column
		found.Nullable = true
		items[i] = algebra.Item{Column: old, Expr: found.Ref()}
		if n.Aggs[i].Func.Row().Counts {
			items[i].Expr = &algebra.Case{
				Whens: []algebra.When{{Cond: notNull(found.Ref()), Then: found.Ref()}},
				Else:  int64Const(0), Typ: algebra.TInt64,
			}
		}
	}
	return items
}

// grouper brings conditions on the input of an aggregation into terms of its
// groups.
type grouper struct {
	*context
	agg   algebra.Aggregate
	inner algebra.ColSet // the input's columns
}

// lift returns a condition on the groups that is true for the groups of just the
// rows that the condition is true for; nil where there is none.
func (g *grouper) lift(cond algebra.Expr) algebra.Expr {
	if !algebra.References(cond).Intersects(g.inner) {
		return cond
	}
	if out, ok := g.onKeys(cond); ok {
		return out
	}
	outer, inner, ok := outerEquals(cond, g.inner)
	if !ok || len(g.agg.Keys) >= maxGroupKeys {
		return nil
	}
	key := algebra.Item{
		Column: g.newColumn(algebra.Column{Name: keyName(inner), Type: inner.Type(), Nullable: algebra.CanBeNull(inner)}),
		Expr:   inner,
	}
	for i := range g.agg.Sets {
		g.agg.Sets[i] |= 1 << len(g.agg.Keys)
	}
	g.agg.Keys = append(g.agg.Keys, key)
	if cond.(*algebra.Call).Func == algebra.Not {
		return newCall(algebra.Not, newCall(algebra.Distinct, outer, key.Column.Ref()))
	}
	return newCall(algebra.Eq, outer, key.Column.Ref())
}

// maxGroupKeys is how many keys an aggregation can have.
const maxGroupKeys = 64

func keyName(e algebra.Expr) string {
	if ref, ok := e.(*algebra.ColumnRef); ok {
		return ref.Column.Name
	}
	return "key"
}

// onKeys returns a condition in terms of keys that all sets have, where it is
// about such keys only.
func (g *grouper) onKeys(cond algebra.Expr) (algebra.Expr, bool) {
	by := make(map[algebra.ColumnID]algebra.Expr)
	always := g.agg.KeysInAllSets()
	for i, key := range g.agg.Keys {
		if ref, ok := key.Expr.(*algebra.ColumnRef); ok && always.Has(i) {
			by[ref.Column.ID] = key.Column.Ref()
		}
	}
	out := algebra.Substitute(cond, by)
	return out, !algebra.References(out).Intersects(g.inner)
}
