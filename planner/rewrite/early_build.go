package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// buildEarly makes the plan; problem says why it cannot be taken.
func (c *context) buildEarly(p *earlyPlan) (n algebra.Node, problem string) {
	b := &builder{earlyPlan: p, node: p.base, by: make(map[algebra.ColumnID]algebra.Expr), carried: make([]carried, len(p.accs.list))}
	if problem = b.raisesLate(); problem != "" {
		return nil, problem
	}
	places := p.places
	var done stepSet
	for i := 0; ; i++ {
		if len(places) > 0 && places[0].done == done {
			b.early(&places[0])
			places = places[1:]
		}
		if i == len(p.order) {
			break
		}
		b.take(p.order[i])
		done |= 1 << p.order[i]
	}
	n = b.late()
	return n, b.problem
}

// take adds a step. The smaller side of an inner join is the one that is looked up.
func (b *builder) take(i int) {
	st := &b.steps[i]
	in := []algebra.Node{b.node}
	switch {
	case st.onLeft:
		in = append(in, st.other)
	case st.other != nil:
		in = []algebra.Node{st.other, b.node}
	}
	b.node = algebra.MapExprs(algebra.WithInputs(st.node, in...), b.now)
	join, ok := b.node.(*algebra.Join)
	if ok && join.Kind == algebra.JoinInner && len(b.by) > 0 && b.est.Rows(join.Left) < b.est.Rows(join.Right) {
		b.node = join.Turned(join.Kind)
	}
}

// early adds an early aggregation.
func (b *builder) early(at *place) {
	agg := &algebra.Aggregate{Input: b.node}
	by := make(map[algebra.ColumnID]algebra.Expr)
	for _, col := range b.keysAt(at) {
		key := b.now(col.Ref()).(*algebra.ColumnRef)
		now, _ := algebra.FindColumn(b.node, key.Column.ID)
		made := b.newColumn(now)
		agg.Keys = append(agg.Keys, algebra.Item{Column: made, Expr: key})
		by[col.ID] = made.Ref()
	}
	agg.Sets = []algebra.KeySet{algebra.AllKeys(len(agg.Keys))}
	parts := &partList{builder: b, agg: agg}
	have := b.outputs(at.done)
	for i, acc := range b.accs.list {
		if acc.begun(have) {
			b.carried[i] = parts.of(acc, &b.carried[i], have)
		}
	}
	b.check(agg)
	b.by, b.node = by, agg
}
