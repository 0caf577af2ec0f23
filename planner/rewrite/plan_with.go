package rewrite

import (
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// planWith makes the plan that spools read an input of theirs, the same one for all of
// them, with the columns that some of them read.
//
//	before: spool c columns a, spool c columns b; c apart, with columns a, b, x
//	after:  the same over a plan with columns a, b
//	never:  a WITH query that stands once: it is part of the plan already
func planWith(c *context, n algebra.Node) algebra.Node {
	used := make(map[algebra.ColumnID]map[int]bool) // by spool: ordinals
	inputs := make(map[algebra.ColumnID]algebra.Node)
	note := func(spool *algebra.Spool) {
		if used[spool.ID] == nil {
			used[spool.ID], inputs[spool.ID] = make(map[int]bool), spool.Input
		}
		for _, at := range spool.Ordinals {
			used[spool.ID][at] = true
		}
	}
	spoolsOf(n, note)
	if len(inputs) == 0 {
		return n
	}
	p := &spoolPlans{plans: make(map[algebra.ColumnID]algebra.Node), places: make(map[algebra.ColumnID][]int), done: make(map[algebra.Node]algebra.Node)}
	for len(inputs) > 0 {
		// The one that was defined last: no other one's plan holds it.
		id := slices.Max(slices.Collect(maps.Keys(inputs)))
		p.places[id] = slices.Sorted(maps.Keys(used[id]))
		plan := mergeProjects(c, c.pruneOperand(inputs[id], p.places[id]))
		p.plans[id] = c.through(plan, finish)
		delete(inputs, id)
		spoolsOf(p.plans[id], note)
	}
	return p.join(n)
}

// spoolPlans are the plans that spools read.
type spoolPlans struct {
	plans  map[algebra.ColumnID]algebra.Node
	places map[algebra.ColumnID][]int    // ordinals that are left
	done   map[algebra.Node]algebra.Node // so that a node that is shared stays one
}

// join is a plan over the plans that its spools read.
func (p *spoolPlans) join(n algebra.Node) algebra.Node {
	if out, ok := p.done[n]; ok {
		return out
	}
	out := algebra.MapInputs(n, p.join)
	if spool, ok := out.(*algebra.Spool); ok {
		read := *spool
		read.Apart = false
		read.Ordinals = make([]int, len(spool.Ordinals))
		for i, at := range spool.Ordinals {
			read.Ordinals[i] = slices.Index(p.places[spool.ID], at)
		}
		read.Input = p.join(p.plans[spool.ID])
		out = &read
	}
	p.done[n] = out
	return out
}
