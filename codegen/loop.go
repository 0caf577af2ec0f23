package codegen

import (
	"maps"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// loop generates the programs of a recursion.
func (g *generator) loop(op *fusion.Op, n *algebra.Recursive) (*Loop, error) {
	woven := g.program.Loops[op.ID]
	l := &Loop{Types: make([]kernel.Type, len(n.Cols)), Distinct: n.Distinct, Limit: n.Limit}
	for i, c := range n.Cols {
		l.Types[i] = lower.PhysicalType(c.Type)
	}
	var err error
	if l.Base, err = generate(woven.Base, g.enclosing); err != nil {
		return nil, err
	}
	enclosed := map[algebra.ColumnID]*Loop{}
	maps.Copy(enclosed, g.enclosing)
	enclosed[n.ID] = l
	if l.Term, err = generate(woven.Term, enclosed); err == nil && woven.Counted != nil {
		l.Counted, err = generate(woven.Counted, enclosed)
	}
	return l, err
}
