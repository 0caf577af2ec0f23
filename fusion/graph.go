package fusion

import (
	"fmt"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/cuboid"
	"github.com/cubeloom/cubeloom/operators/filter"
	"github.com/cubeloom/cubeloom/operators/finalize"
	"github.com/cubeloom/cubeloom/operators/limit"
	"github.com/cubeloom/cubeloom/operators/project"
	"github.com/cubeloom/cubeloom/operators/repeat"
	"github.com/cubeloom/cubeloom/operators/scan"
	"github.com/cubeloom/cubeloom/operators/sort"
	"github.com/cubeloom/cubeloom/operators/values"
	"github.com/cubeloom/cubeloom/operators/window"
	"github.com/cubeloom/cubeloom/operators/working"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// graph builds the operators of a plan. A column that only renames another is
// no work: it is replaced by that other one in all that follows.
type graph struct {
	ops       []*Op
	decisions []Decision
	costs     machine.Join         // of the place where joins are likely to run
	made      map[algebra.Node]int // the operator that has the result of a node
	alias     map[algebra.ColumnID]algebra.Expr
	est       *estimate.Estimator
	// tables are the estimated numbers of values of the keys of builds, before
	// conditions on other columns left rows out.
	tables map[int]float64
	next   algebra.ColumnID
	opts   Options
	loops  map[int]*Loop
}

// nodeWork is what looking at a node of the plan costs, in bytes looked at.
const nodeWork = 256

func newGraph(plan algebra.Node, opts Options) *graph {
	est := opts.Estimates
	if est == nil {
		est = estimate.New(nil)
	}
	g := &graph{made: map[algebra.Node]int{}, alias: map[algebra.ColumnID]algebra.Expr{}, est: est, tables: map[int]float64{}, opts: opts, loops: map[int]*Loop{}, costs: opts.Machine.Host.Join}
	if opts.Device {
		g.costs = opts.Machine.Device.Join
	}
	algebra.Walk(plan, func(n algebra.Node) bool {
		est.Meter().Must(nodeWork)
		for _, c := range n.Columns() {
			g.next = max(g.next, c.ID)
		}
		return true
	})
	return g
}

// decide notes how an operator is done.
func (g *graph) decide(op int, d strategy.Decision) {
	g.decisions = append(g.decisions, Decision{op, d})
}

// fresh makes a column with an ID that the plan does not have.
func (g *graph) fresh(name string, t algebra.Type) algebra.Column {
	g.next++
	return algebra.Column{ID: g.next, Name: name, Type: t}
}

// add appends an operator that reads inputs.
func (g *graph) add(op operators.Operator, rows float64, inputs ...int) int {
	o := &Op{Operator: op, ID: len(g.ops), Inputs: inputs, Rows: max(rows, 1), traits: op.Traits()}
	o.cols = op.Columns()
	for _, in := range inputs {
		g.ops[in].consumers = append(g.ops[in].consumers, o.ID)
		if o.traits.Passes {
			o.cols = append(o.cols[:len(o.cols):len(o.cols)], g.ops[in].cols...)
		}
	}
	if len(inputs) > 0 && o.traits.Passes {
		o.Ordered = g.ops[inputs[0]].Ordered
	}
	g.ops = append(g.ops, o)
	return o.ID
}

// column is the column that c stands for.
func (g *graph) column(c algebra.Column) algebra.Column {
	if e, ok := g.alias[c.ID]; ok {
		return e.(*algebra.ColumnRef).Column
	}
	return c
}

func (g *graph) expr(e algebra.Expr) algebra.Expr {
	if e == nil {
		return nil
	}
	return algebra.Substitute(e, g.alias)
}

func (g *graph) exprs(list []algebra.Expr) []algebra.Expr {
	out := make([]algebra.Expr, len(list))
	for i, e := range list {
		out[i] = g.expr(e)
	}
	return out
}

// rename makes column c another name for the column to.
func (g *graph) rename(c, to algebra.Column) {
	if c.ID != to.ID {
		g.alias[c.ID] = to.Ref()
	}
}

// node adds the operators of a plan and gives the one that has its result, with
// the rows that the planner estimates. What several nodes read is added once.
func (g *graph) node(n algebra.Node) (int, error) {
	if id, ok := g.made[n]; ok {
		return id, nil
	}
	id, err := g.operators(n)
	if err == nil {
		g.ops[id].Rows, g.made[n] = max(g.est.Rows(n), 1), id
	}
	return id, err
}

func (g *graph) operators(n algebra.Node) (int, error) {
	switch n := n.(type) {
	case *algebra.Scan:
		return g.leaf(&scan.Operator{Node: n}, n), nil
	case *algebra.Values:
		return g.leaf(&values.Operator{Node: n}, n), nil
	case *algebra.Recursive:
		return g.recursive(n)
	case *algebra.Working:
		return g.add(&working.Operator{Node: n}, g.est.Rows(n)), nil
	case *algebra.Join:
		return g.join(n)
	case *algebra.SetOp:
		return g.setOp(n)
	}
	in, err := g.node(algebra.Inputs(n)[0])
	if err != nil {
		return 0, err
	}
	rows := g.est.Rows(n)
	switch n := n.(type) {
	case *algebra.Filter:
		return g.add(&filter.Operator{Conds: g.exprs(n.Conds)}, rows, in), nil
	case *algebra.Project:
		return g.project(n, in), nil
	case *algebra.Aggregate:
		return g.aggregate(n, in), nil
	case *algebra.Window:
		return g.window(n, in), nil
	case *algebra.Sort:
		id := g.add(&sort.Operator{Keys: g.sortKeys(n.Keys), Limit: n.Limit, Offset: n.Offset}, rows, in)
		g.ops[id].Ordered = true
		return id, nil
	case *algebra.Repetition:
		return g.add(&repeat.Operator{Times: g.expr(n.Times), Ordinal: n.Ordinal}, rows, in), nil
	case *algebra.Limit:
		return g.add(&limit.Operator{Count: n.Count, Offset: n.Offset}, rows, in), nil
	}
	return 0, fmt.Errorf("no operator for %T", n)
}

// leaf adds an operator that gives the rows of a node in their order.
func (g *graph) leaf(op operators.Operator, n algebra.Node) int {
	id := g.add(op, g.est.Rows(n))
	g.ops[id].Ordered = g.opts.KeepOrder
	return id
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

func (g *graph) sortKeys(keys []algebra.SortKey) []algebra.SortKey {
	out := make([]algebra.SortKey, len(keys))
	for i, k := range keys {
		k.Expr = g.expr(k.Expr)
		out[i] = k
	}
	return out
}

// finish gives the result of the root the form that is asked for: what an
// aggregation leaves may hold numeric in a form of its own.
func (g *graph) finish(root int, cols []algebra.Column, form operators.Form) int {
	numeric := false
	for _, c := range cols {
		numeric = numeric || c.Type.Kind == algebra.Numeric
	}
	if numeric || form == operators.Plain {
		root = g.formable(root)
	}
	g.ops[root].Form = form
	return root
}

// formable gives an operator with the same result that can give it in any form.
func (g *graph) formable(op int) int {
	switch g.ops[op].Operator.(type) {
	case *aggregate.Operator, *cuboid.Operator, *window.Operator:
		return g.add(&finalize.Operator{}, g.ops[op].Rows, op)
	}
	return op
}
