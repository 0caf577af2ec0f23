package fusion

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/groups"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// The strategies of edges.
const (
	Woven        = "woven"        // rows pass inside of one kernel
	Materialized = "materialized" // one kernel writes them, another reads them
	Reread       = "read again"   // each of two kernels reads the same input
)

// Edge is a pair of operators, of which To reads From or both read one relation, and
// the decision whether they are woven.
type Edge struct {
	From, To   int
	Dependence operators.Dependence
	// Bytes is the estimated size of what passes between them: it is written to
	// memory and read again unless they are woven.
	Bytes float64
	strategy.Decision
}

// Woven reports whether both operators share a kernel.
func (e *Edge) Woven() bool { return e.Takes(Woven) }

// decide decides whether the edge is woven: how says what weaving would do and refusal
// why it cannot, cost is what materializing costs.
func (e *Edge) decide(how, refusal string, cost float64) {
	e.Decision = strategy.Decision{Of: "edge", Offers: []strategy.Offer{
		{Strategy: Woven, Detail: how, Refusal: refusal}, {Strategy: Materialized, Cost: cost},
	}}
	if refusal != "" {
		e.Take(1, refusal)
	} else {
		e.Take(0, how)
	}
}

// refuse has an edge materialized that was to be woven.
func (e *Edge) refuse(refusal string) {
	e.Offers[0].Refusal = refusal
	e.Take(1, refusal)
}

// read decides how the groups of an aggregation are read: from their cells, by the kernel that
// what follows is woven into, or for the reason of refusal by that of the aggregation.
func (e *Edge) read(refusal string) {
	const where = "the groups are read where they lie, which is woven with what follows"
	e.Offers = []strategy.Offer{{Strategy: groups.InCells, Detail: where, Refusal: refusal}, {Strategy: Woven, Detail: groups.WrittenBy, Cost: e.Offers[1].Cost}}
	if refusal != "" {
		e.Take(1, refusal+": "+groups.WrittenBy)
	} else {
		e.Take(0, where)
	}
}

// write has groups written as columns, for the kernel that was to read their cells.
func (e *Edge) write(refusal string) {
	e.Offers[0].Refusal = refusal
	e.Offers[1].Strategy = Materialized
	e.Take(1, refusal+": "+groups.WrittenBy)
}

// sharedInput is the edge between two operators that read one relation; cost is what reading
// it once more costs, and refusal why each reads it itself, "" where one scan serves both.
func sharedInput(a, b int, bytes, cost float64, refusal string) Edge {
	e := Edge{From: a, To: b, Dependence: operators.Input, Bytes: bytes}
	how := "both read the same input: one scan serves the sinks of both"
	e.Decision = strategy.Decision{Of: "shared input", Offers: []strategy.Offer{
		{Strategy: Woven, Detail: how, Refusal: refusal}, {Strategy: Reread, Cost: cost},
	}}
	if refusal != "" {
		e.Take(1, "both read the same input, each by itself: "+refusal)
	} else {
		e.Take(0, how)
	}
	return e
}
