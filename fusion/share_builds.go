package fusion

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/build"
	"github.com/cubeloom/cubeloom/operators/probe"
	"github.com/cubeloom/cubeloom/operators/scan"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// The strategies of equal builds.
const (
	SharedBuild = "shared" // one hash table, into which all of their probes look
	OwnBuild    = "own"    // one for each
)

// shareBuilds has equal hash tables made once: the probes of a build whose rows and keys are
// those of another one look into the other's table, under the names of their own columns. The
// table has the columns that any of them reads. It stands behind the reductions, so that a
// table which a reduction makes smaller stays one of its own. shareBuilds returns the root's
// new number.
func (g *graph) shareBuilds(root int) int {
	var tables []int
	shared := false
	for id := range g.ops {
		if !g.shareable(id) {
			continue
		}
		if g.shareBuild(id, tables) {
			shared = true
		} else {
			tables = append(tables, id)
		}
	}
	if !shared {
		return root
	}
	return g.renumber(root)
}

// shareable reports whether an operator makes a hash table that nothing is marked in.
func (g *graph) shareable(id int) bool {
	if _, ok := g.ops[id].Operator.(*build.Operator); !ok {
		return false
	}
	return !slices.ContainsFunc(g.ops[id].consumers, func(c int) bool {
		p, ok := g.ops[c].Operator.(*probe.Operator)
		return !ok || p.Mark
	})
}

// shareBuild has the probes of a build look into one of the tables that is equal to its own, if
// there is one.
func (g *graph) shareBuild(id int, tables []int) bool {
	for _, table := range tables {
		g.est.Meter().Must(nodeWork)
		s := &sameRows{ops: g.ops, names: make(map[algebra.ColumnID]algebra.Expr), more: make(map[int][]added)}
		if s.are(table, id) {
			g.decide(table, g.sharedBuild(table))
			g.lookInto(s, table, id)
			return true
		}
	}
	return false
}

// sharedBuild is the decision that a build shares a table which is equal to its own. The table has
// no more columns than both tables would have, so that it costs less whatever it costs.
func (g *graph) sharedBuild(table int) strategy.Decision {
	source := table
	for len(g.ops[source].Inputs) > 0 {
		source = g.ops[source].Inputs[0]
	}
	rows := g.ops[table].Rows
	once := g.costs.Scanned*g.ops[source].Rows + g.costs.Built*rows
	d := strategy.Decision{Of: "equal build", Offers: []strategy.Offer{
		{Strategy: SharedBuild, Detail: "the probes of both look into one table", Rows: rows, Cost: once},
		{Strategy: OwnBuild, Detail: "a table for each", Rows: 2 * rows, Cost: 2 * once},
	}}
	d.Take(0, "the cheapest")
	return d
}

// lookInto has the probes of build id look into a table that s has found to be the same.
func (g *graph) lookInto(s *sameRows, table, id int) {
	for _, c := range g.ops[table].consumers {
		g.readAs(c, g.ops[table].cols, func(c algebra.Column) algebra.Column { return c })
	}
	for op, more := range s.more {
		g.readMore(g.ops[op], more)
	}
	for _, c := range g.ops[id].consumers {
		g.readAs(c, g.ops[id].cols, s.of)
		p := g.ops[c]
		p.Inputs = []int{p.Inputs[0], table}
		g.ops[table].consumers = append(g.ops[table].consumers, c)
	}
	g.ops[id].consumers = nil
}

// readAs has a probe read columns of its table alone, each of which is column of(column) of the table.
func (g *graph) readAs(id int, cols []algebra.Column, of func(algebra.Column) algebra.Column) {
	p := *g.ops[id].Operator.(*probe.Operator)
	if p.Reads != nil {
		return
	}
	p.Reads = []probe.Column{}
	residual := operators.References(p.Residual)
	for _, c := range cols {
		if p.Kind != kernel.ProbeSemi && p.Kind != kernel.ProbeAnti || residual.Has(c.ID) {
			p.Reads = append(p.Reads, probe.Column{Of: of(c), As: c})
		}
	}
	g.ops[id].Operator = &p
}

// readMore has an operator give columns more of the table that it reads.
func (g *graph) readMore(op *Op, more []added) {
	if s, ok := op.Operator.(*scan.Operator); ok {
		node := *s.Node
		node.Cols, node.Ordinals, node.ColStats = slices.Clone(node.Cols), slices.Clone(node.Ordinals), slices.Clone(node.ColStats)
		for _, c := range more {
			node.Cols, node.Ordinals, node.ColStats = append(node.Cols, c.Column), append(node.Ordinals, c.ordinal), append(node.ColStats, c.stats)
		}
		op.Operator = &scan.Operator{Node: &node}
	}
	op.cols = slices.Clip(op.cols)
	for _, c := range more {
		op.cols = append(op.cols, c.Column)
	}
}
