package fusion

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/cuboid"
	"github.com/cubeloom/cubeloom/operators/finalize"
	"github.com/cubeloom/cubeloom/operators/groups"
	"github.com/cubeloom/cubeloom/operators/window"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// graph builds the operators of a plan. A column that only renames another is
// no work: it is replaced by that other one in all that follows.
type graph struct {
	ops       []*Op
	decisions []Decision
	costs     machine.Join         // of the place where joins are likely to run
	made      map[algebra.Node]int // the operator that has the result of a node
	readers   map[algebra.Node]int // of aggregations: how many nodes read them
	alias     map[algebra.ColumnID]algebra.Expr
	est       *estimate.Estimator
	// tables are the estimated numbers of values of the keys of builds, before
	// conditions on other columns left rows out.
	tables map[int]float64
	next   algebra.ColumnID
	opts   Options
	loops  map[int]*Loop
	// operators adds those of a node, and the operators of its inputs.
	operators func(*graph, algebra.Node) int
}

// nodeWork is what looking at a node of the plan costs, in bytes looked at.
const nodeWork = 256

func newGraph(plan algebra.Node, opts Options, operators func(*graph, algebra.Node) int) *graph {
	est := opts.Estimates
	if est == nil {
		est = estimate.New(nil)
	}
	g := &graph{made: map[algebra.Node]int{}, readers: map[algebra.Node]int{}, alias: map[algebra.ColumnID]algebra.Expr{}, est: est, tables: map[int]float64{}, opts: opts, loops: map[int]*Loop{}, operators: operators, costs: opts.Machine.Host.Join}
	if opts.Device {
		g.costs = opts.Machine.Device.Join
	}
	algebra.Walk(plan, func(n algebra.Node) bool {
		est.Meter().Must(nodeWork)
		if _, ok := n.(*algebra.Aggregate); ok {
			g.readers[n]++
		}
		switch n.(type) {
		case *algebra.Join, *algebra.Filter: // their columns are those of their inputs
			return true
		}
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

// newColumn makes a column with an ID that the plan does not have.
func (g *graph) newColumn(name string, t algebra.Type) algebra.Column {
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

// grouped adds an aggregation by so many keys, and what reads its groups: the row of all rows
// needs no reader, what merges the states of workers writes it.
func (g *graph) grouped(op operators.Operator, keys int, rows float64, in int) int {
	id := g.add(op, rows, in)
	if keys > 0 {
		id = g.add(&groups.Operator{}, g.ops[id].Rows, id)
	}
	return id
}

// column is the column that c stands for.
func (g *graph) column(c algebra.Column) algebra.Column {
	if e, ok := g.alias[c.ID]; ok {
		return e.(*algebra.ColumnRef).Column
	}
	return c
}

// expr is an expression of the columns that those in it stand for, which are NULL where these can
// be: an outer join may stand between.
func (g *graph) expr(e algebra.Expr) algebra.Expr {
	if e == nil {
		return nil
	}
	return algebra.RewriteExpr(e, func(e algebra.Expr) algebra.Expr {
		ref, ok := e.(*algebra.ColumnRef)
		if !ok || g.alias[ref.Column.ID] == nil {
			return e
		}
		of := g.column(ref.Column)
		of.Nullable = of.Nullable || ref.Column.Nullable
		return of.Ref()
	})
}

func (g *graph) exprs(list []algebra.Expr) []algebra.Expr {
	return lists.Map(list, g.expr)
}

// rename makes column c another name for the column to.
func (g *graph) rename(c, to algebra.Column) {
	if c.ID != to.ID {
		g.alias[c.ID] = to.Ref()
	}
}

// node adds the operators of a plan and returns the one that has its result, with
// the rows that the planner estimates. What several nodes read is added once.
func (g *graph) node(n algebra.Node) int {
	if id, ok := g.made[n]; ok {
		return id
	}
	id := g.operators(g, n)
	g.ops[id].Rows, g.made[n] = max(g.est.Rows(n), 1), id
	return id
}

// leaf adds an operator for the rows of a node in their order.
func (g *graph) leaf(op operators.Operator, n algebra.Node) int {
	id := g.add(op, g.est.Rows(n))
	g.ops[id].Ordered = g.opts.KeepOrder
	return id
}

func (g *graph) sortKeys(keys []algebra.SortKey) []algebra.SortKey {
	out := make([]algebra.SortKey, len(keys))
	for i, k := range keys {
		k.Expr = g.expr(k.Expr)
		out[i] = k
	}
	return out
}

// finish brings the result of the root into the form that is asked for, and returns its
// operator: what an aggregation leaves may hold numeric in a form of its own.
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

// formable returns an operator with the same result that can give it in any form.
func (g *graph) formable(op int) int {
	switch g.ops[op].Operator.(type) {
	case *aggregate.Operator, *cuboid.Operator, *groups.Operator, *window.Operator:
		return g.add(&finalize.Operator{}, g.ops[op].Rows, op)
	}
	return op
}
