package fusion

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/planner/strategy"
)

// mostTried is at how many edges a candidate is cut alone, where that is likely to cost the least.
const mostTried = 4

// seek begins the search for the quickest way of a candidate, whose kernels end as estimates have it, or goes on with
// it, where there is anything to seek.
func (p *Program) seek(c *candidate) {
	if p.compiler == nil || !p.tune || !p.Device || !p.hasEdges(c) {
		return
	}
	ways := [][]int{c.ends}
	for _, ends := range p.cuts(c.ops) {
		if !slices.ContainsFunc(ways, func(way []int) bool { return slices.Equal(way, ends) }) {
			ways = append(ways, ends)
		}
	}
	if len(ways) == 1 {
		return
	}
	with := slices.Concat(c.ops, p.readersOf(c))
	c.ways, c.name = ways, p.structure(with, float64(heldWords(p.spans(c.ops), len(c.ops))))
	for _, id := range with {
		c.name += fmt.Sprintf("-%.0f", math.Log2(1+p.rowsInto(id)))
	}
	c.ends = c.next(p.compiler, p.tries)
	p.tries = p.tries && slices.Equal(c.ends, c.next(p.compiler, false))
}

// cuts are the ends of kernels where a candidate is cut at all edges, at one, and nowhere, as far as such kernels
// can be. A source alone does nothing, and what reads groups would be part of the kernel before.
func (p *Program) cuts(chain []int) [][]int {
	n, first := len(chain), 1
	if op := p.Ops[chain[0]]; op.Traits().Source || readsGroups(op) {
		first = 2
	}
	type cut struct {
		ends []int
		cost float64
	}
	var all []int
	var ones []cut
	for end := first; end < n; end++ {
		all = append(all, end)
		ends := []int{end, n}
		if cost, _ := p.partsCost(chain, ends); !math.IsInf(cost, 1) {
			ones = append(ones, cut{ends, cost})
		}
	}
	slices.SortStableFunc(ones, func(a, b cut) int { return cmp.Compare(a.cost, b.cost) })
	cuts := [][]int{append(all, n)}
	for _, one := range ones[:min(len(ones), mostTried)] {
		cuts = append(cuts, one.ends)
	}
	if !p.exceeds(chain) {
		cuts = append(cuts, []int{n})
	}
	return cuts
}

// tell puts what kernels took that ran into the offers of a decision, whole and cut, and returns why one is taken: ""
// where nothing but estimates is known.
func (p *Program) tell(c *candidate, whole, cut *strategy.Offer) (reason string) {
	ran, quickest := 0, math.Inf(1)
	for _, ends := range c.ways {
		way := p.compiler.WayOf(c.name, ends)
		if way.Fails || way.Runs < triedRuns {
			continue
		}
		_, detail := p.partsCost(c.ops, ends)
		detail = "as it ran with what reads its rows, " + detail
		if ran++; len(ends) == 1 {
			*whole = strategy.Offer{Strategy: Whole, Cost: way.All(), Detail: detail}
		} else if way.All() < quickest {
			quickest = way.All()
			*cut = strategy.Offer{Strategy: Cut, Cost: quickest, Detail: detail}
		}
	}
	if ran > 0 {
		reason = fmt.Sprintf("the quickest of %d ways that ran", ran)
	}
	return reason
}
