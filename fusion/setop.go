package fusion

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/setop"
	"github.com/cubeloom/cubeloom/operators/union"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/sql/value"
)

// branch is an input of a union: an operator and the columns that it gives.
type branch struct {
	op   int
	cols []algebra.Column
}

func (g *graph) setOp(n *algebra.SetOp) int {
	if id, ok := g.mergedSetOp(n); ok {
		return id
	}
	branches := g.branches(n, n.Kind == algebra.Union)
	if n.Kind == algebra.Union && n.All {
		return g.uniteAll(n, branches)
	}
	op := &aggregate.Operator{}
	var tags []algebra.Column
	if n.Kind != algebra.Union {
		for _, name := range []string{"left", "right"} {
			tag, count := g.newColumn(name, algebra.TInt64), g.newColumn(name, algebra.TInt64)
			tags = append(tags, tag)
			op.Accs = append(op.Accs, aggregate.Accumulator{
				Op: kernel.AccSumCount, Arg: tag.Ref(), Cols: []algebra.Column{count},
			})
		}
	}
	id, cols := g.unite(branches, tags)
	for i, c := range n.Cols {
		op.Keys = append(op.Keys, algebra.Item{Column: c, Expr: cols[i].Ref()})
	}
	id = g.grouped(op, len(op.Keys), g.ops[id].Rows/2, id)
	if n.Kind == algebra.Union {
		return id
	}
	return g.add(&setop.Operator{
		Kind: n.Kind, All: n.All, Left: op.Accs[0].Cols[0], Right: op.Accs[1].Cols[0],
	}, g.ops[id].Rows/2, id)
}

// branches adds the inputs of a set operation. The inputs of a UNION ALL that
// is itself an input of a union are inputs of that union.
func (g *graph) branches(n *algebra.SetOp, flatten bool) []branch {
	var list []branch
	for _, in := range algebra.Inputs(n) {
		if s, ok := in.(*algebra.SetOp); ok && flatten && s.Kind == algebra.Union && s.All {
			list = append(list, g.branches(s, true)...)
			continue
		}
		list = append(list, g.branch(in, g.node(in)))
	}
	return list
}

// branch is an operator with the result of a node.
func (g *graph) branch(n algebra.Node, op int) branch {
	b := branch{op: op}
	for _, c := range n.Columns() {
		b.cols = append(b.cols, g.column(c))
	}
	return b
}

// spool adds what reads the rows of a plan that several nodes read, under columns of its
// own: a union of them alone.
func (g *graph) spool(n *algebra.Spool) int {
	op := g.node(n.Input)
	op = g.formable(op)
	g.made[n.Input] = op
	rows := branch{op: op}
	for _, c := range n.Cols {
		col, _ := n.Of(c.ID)
		rows.cols = append(rows.cols, g.column(col))
	}
	id, cols := g.unite([]branch{rows}, nil)
	g.ops[id].Operator.(*union.Operator).Spool = n.Name
	for i, c := range n.Cols {
		g.rename(c, cols[i])
	}
	return id
}

// uniteAll adds the union of branches that is all of a set operation.
func (g *graph) uniteAll(n *algebra.SetOp, branches []branch) int {
	id, cols := g.unite(branches, nil)
	for i, c := range n.Cols {
		g.rename(c, cols[i])
	}
	return id
}

// unite adds the union of branches. Column i of tags is 1 in the rows of branch
// i and 0 in the others. It returns the columns of the union without the tags.
func (g *graph) unite(branches []branch, tags []algebra.Column) (int, []algebra.Column) {
	u := &union.Operator{}
	var ids []int
	rows := 0.0
	for i, c := range branches[0].cols {
		col := g.newColumn(c.Name, c.Type)
		for _, b := range branches {
			col.Nullable = col.Nullable || b.cols[i].Nullable
		}
		u.Cols = append(u.Cols, col)
	}
	cols := u.Cols
	for i, b := range branches {
		part := make(union.Part, 0, len(b.cols)+len(tags))
		for _, c := range b.cols {
			part = append(part, union.PartCol{From: c})
		}
		for t := range tags {
			one := value.Value{Kind: value.Int}
			if t == i {
				one.I = 1
			}
			part = append(part, union.PartCol{Const: one})
		}
		u.Parts = append(u.Parts, part)
		id := g.formable(b.op)
		g.ops[id].Form = operators.Plain
		ids = append(ids, id)
		rows += g.ops[id].Rows
	}
	u.Cols = append(cols[:len(cols):len(cols)], tags...)
	return g.add(u, rows, ids...), cols
}

// mergedSetOp adds a set operation as a merge, the paper's set operations of sorted
// inputs, where one side is a base table in the order of a column, the other comes in
// that order, and it costs less than to group the rows of both; ok reports whether it
// has. INTERSECT are the rows of the left side that the right one has, EXCEPT those
// that it does not have, each once; UNION the rows of the left side and those of the
// right one that the left one does not have.
func (g *graph) mergedSetOp(n *algebra.SetOp) (id int, ok bool) {
	left, right := n.Left, n.Right
	once := algebra.UniqueRows(left)
	switch {
	case n.Kind == algebra.Union && (n.All || !once || !algebra.UniqueRows(right)), n.All && !once:
		return 0, false
	case n.Kind == algebra.Union:
		left, right = right, left
	}
	join := &algebra.Join{Kind: algebra.JoinAnti, Left: left, Right: right}
	if n.Kind == algebra.Intersect {
		join.Kind = algebra.JoinSemi
	}
	for i, c := range left.Columns() {
		join.Keys = append(join.Keys, algebra.JoinKey{Left: c.Ref(), Right: right.Columns()[i].Ref(), NullSafe: true})
	}
	d, s := g.chosenSetOp(n, join)
	if s == nil {
		return 0, false
	}
	if n.Kind == algebra.Union {
		id = g.mergedUnion(n, join, s)
		g.decide(id, d)
		return id, true
	}
	id = g.addMerge(join, s)
	g.decide(id, d)
	distinct := &aggregate.Operator{}
	for i, c := range left.Columns() {
		if once {
			g.rename(n.Cols[i], g.column(c))
		} else {
			distinct.Keys = append(distinct.Keys, algebra.Item{Column: n.Cols[i], Expr: g.column(c).Ref()})
		}
	}
	if !once {
		id = g.grouped(distinct, len(distinct.Keys), g.ops[id].Rows, id)
	}
	return id, true
}

// mergedUnion adds a UNION whose right side without the rows of the left one is a merge.
func (g *graph) mergedUnion(n *algebra.SetOp, rest *algebra.Join, s *side) int {
	first := g.branch(n.Left, g.node(n.Left))
	return g.uniteAll(n, []branch{first, g.branch(n.Right, g.addMerge(rest, s))})
}

// chosenSetOp chooses the strategy of a set operation that may be a merge by join; s is
// the side that it is merged with, nil where the rows of both are grouped.
func (g *graph) chosenSetOp(n *algebra.SetOp, join *algebra.Join) (d strategy.Decision, s *side) {
	merges, sides := g.mergeOffers(join)
	return g.chosen("set operation", g.groupCost(n), merges, sides)
}

// groupCost is what a set operation costs as an aggregation of both sides.
func (g *graph) groupCost(n *algebra.SetOp) float64 {
	return g.costs.Built*(g.est.Rows(n.Left)+g.est.Rows(n.Right)) + g.scanCost(n.Left) + g.scanCost(n.Right)
}
