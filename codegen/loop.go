package codegen

import (
	"maps"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// loop generates the programs of a recursion.
func (g *generator) loop(op *fusion.Op, n *algebra.Recursive) *Loop {
	woven := g.program.Loops[op.ID]
	l := &Loop{Types: make([]kernel.Type, len(n.Cols)), Distinct: n.Distinct, Limit: n.Limit}
	for i, c := range n.Cols {
		l.Types[i] = lower.PhysicalType(c.Type)
	}
	l.Base = generate(woven.Base, g.enclosing)
	enclosed := map[algebra.ColumnID]*Loop{}
	maps.Copy(enclosed, g.enclosing)
	enclosed[n.ID] = l
	l.Term = generate(woven.Term, enclosed)
	if woven.Counted != nil {
		l.Counted = generate(woven.Counted, enclosed)
	}
	return l
}
