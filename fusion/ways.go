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

// trial begins the search for the ends of kernels that are planned for a candidate, or goes on with it. Nil:
// there is nothing to seek.
func (p *Program) trial(chain, planned []int) *trial {
	if p.compiler == nil || !p.tune || !p.Device || len(chain) < 2 || p.onlyReads(chain) {
		return nil
	}
	t := &trial{chain: chain, ways: [][]int{planned}}
	for _, ends := range p.cuts(chain) {
		if !slices.ContainsFunc(t.ways, func(way []int) bool { return slices.Equal(way, ends) }) {
			t.ways = append(t.ways, ends)
		}
	}
	if len(t.ways) == 1 {
		return nil
	}
	with := slices.Concat(chain, p.Ops[chain[len(chain)-1]].consumers)
	t.operators = p.structure(with, float64(heldWords(p.spans(chain), len(chain))))
	for _, id := range with {
		t.operators += fmt.Sprintf("-%.0f", math.Log2(1+p.rowsInto(id)))
	}
	t.ends = t.next(p.compiler, p.tries)
	p.tries = p.tries && slices.Equal(t.ends, t.next(p.compiler, false))
	return t
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
func (t *trial) tell(p *Program, whole, cut *strategy.Offer) (reason string) {
	ran, quickest := 0, math.Inf(1)
	for _, ends := range t.ways {
		way := p.compiler.WayOf(t.operators, ends)
		if way.Fails || way.Runs < triedRuns {
			continue
		}
		_, detail := p.partsCost(t.chain, ends)
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
