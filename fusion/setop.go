package fusion

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/setop"
	"github.com/cubeloom/cubeloom/operators/union"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// branch is an input of a union: an operator and the columns that it gives.
type branch struct {
	op   int
	cols []algebra.Column
}

func (g *graph) setOp(n *algebra.SetOp) (int, error) {
	if id, ok, err := g.mergedSetOp(n); ok || err != nil {
		return id, err
	}
	branches, err := g.branches(n, n.Kind == algebra.Union)
	if err != nil {
		return 0, err
	}
	if n.Kind == algebra.Union && n.All {
		return g.uniteAll(n, branches), nil
	}
	op := &aggregate.Operator{}
	var tags []algebra.Column
	if n.Kind != algebra.Union {
		for _, name := range []string{"left", "right"} {
			tag, count := g.fresh(name, algebra.TInt64), g.fresh(name, algebra.TInt64)
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
	id = g.add(op, g.ops[id].Rows/2, id)
	if n.Kind == algebra.Union {
		return id, nil
	}
	return g.add(&setop.Operator{
		Kind: n.Kind, All: n.All, Left: op.Accs[0].Cols[0], Right: op.Accs[1].Cols[0],
	}, g.ops[id].Rows/2, id), nil
}

// branches adds the inputs of a set operation. The inputs of a UNION ALL that
// is itself an input of a union are inputs of that union.
func (g *graph) branches(n *algebra.SetOp, flatten bool) ([]branch, error) {
	var list []branch
	for _, in := range algebra.Inputs(n) {
		if s, ok := in.(*algebra.SetOp); ok && flatten && s.Kind == algebra.Union && s.All {
			nested, err := g.branches(s, true)
			if err != nil {
				return nil, err
			}
			list = append(list, nested...)
			continue
		}
		op, err := g.node(in)
		if err != nil {
			return nil, err
		}
		list = append(list, g.branch(in, op))
	}
	return list, nil
}

// branch is an operator with the result of a node.
func (g *graph) branch(n algebra.Node, op int) branch {
	b := branch{op: op}
	for _, c := range n.Columns() {
		b.cols = append(b.cols, g.column(c))
	}
	return b
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
// i and 0 in the others. It gives the columns of the union without the tags.
func (g *graph) unite(branches []branch, tags []algebra.Column) (int, []algebra.Column) {
	u := &union.Operator{}
	var ids []int
	rows := 0.0
	for i, c := range branches[0].cols {
		col := g.fresh(c.Name, c.Type)
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
