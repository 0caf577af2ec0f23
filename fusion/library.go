package fusion

import (
	"fmt"

	"github.com/cubeloom/cubeloom/operators/limit"
	"github.com/cubeloom/cubeloom/operators/project"
	"github.com/cubeloom/cubeloom/operators/sample"
	"github.com/cubeloom/cubeloom/operators/scan"
	"github.com/cubeloom/cubeloom/operators/sort"
	"github.com/cubeloom/cubeloom/operators/unnest"
	"github.com/cubeloom/cubeloom/operators/values"
	"github.com/cubeloom/cubeloom/operators/working"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// addOperators adds the operators of a node and of its inputs: every kind of node has its
// line here.
func addOperators(g *graph, n algebra.Node) int {
	switch n := n.(type) {
	case *algebra.Scan:
		return g.leaf(&scan.Operator{Node: n}, n)
	case *algebra.Values:
		return g.leaf(&values.Operator{Node: n}, n)
	case *algebra.Recursive:
		return g.recursive(n)
	case *algebra.Working:
		return g.add(&working.Operator{Node: n}, g.est.Rows(n))
	case *algebra.Join:
		return g.join(n)
	case *algebra.SetOp:
		return g.setOp(n)
	case *algebra.Spool:
		return g.spool(n)
	case *algebra.Filter:
		return g.filter(n)
	}
	in := g.node(algebra.Inputs(n)[0])
	rows := g.est.Rows(n)
	switch n := n.(type) {
	case *algebra.Project:
		return g.project(n, in)
	case *algebra.Aggregate:
		return g.aggregate(n, in, nil)
	case *algebra.Window:
		return g.window(n, in)
	case *algebra.Sort:
		id := g.add(&sort.Operator{Keys: g.sortKeys(n.Keys), Limit: n.Limit, Offset: n.Offset}, rows, in)
		g.ops[id].Ordered = true
		return id
	case *algebra.Unnest:
		return g.add(&unnest.Operator{Times: g.expr(n.Times), Ordinal: n.Ordinal}, rows, in)
	case *algebra.TableSample:
		return g.add(&sample.Operator{Position: g.expr(n.Position), Draw: n.Draw}, rows, in)
	case *algebra.Limit:
		return g.add(&limit.Operator{Count: n.Count, Offset: n.Offset}, rows, in)
	}
	panic(fmt.Errorf("no operator for %T", n))
}

func (g *graph) project(n *algebra.Project, in int) int {
	var computed []algebra.Item
	renamed := map[algebra.Column]algebra.Column{}
	for _, item := range n.Items {
		e := g.expr(item.Expr)
		if ref, ok := e.(*algebra.ColumnRef); ok {
			renamed[item.Column] = ref.Column
			continue
		}
		computed = append(computed, algebra.Item{Column: item.Column, Expr: e})
	}
	for c, to := range renamed {
		g.rename(c, to)
	}
	if len(computed) == 0 {
		return in
	}
	return g.add(&project.Operator{Items: computed}, g.ops[in].Rows, in)
}
