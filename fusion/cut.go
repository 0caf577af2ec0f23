package fusion

import (
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/planner/strategy"
)

// The ways in which the operators of a candidate go on a device.
const (
	Whole  = "whole"  // one kernel, whose rows stay in their threads
	Packed = "packed" // one kernel, in which the rows that a filter or a probe leaves are packed: the kernel decides
	Cut    = "cut"    // several kernels: one writes rows, the next one reads them
)

// choose is Algorithm 2: it makes groups of a candidate. All of it is one where it stays within the
// budget and, on a device, its registers leave a multiprocessor enough threads. Else it is cut where
// that is cheapest.
func (p *Program) choose(chain []int) {
	one := p.takes(chain)
	ends := []int{len(chain)}
	if one.exceeds(p.Budget) || p.Device && p.isScarce(&one) {
		ends = cheapestCut(len(chain), func(from, to int) float64 { return p.partCost(chain, from, to) })
	}
	for i, end := range ends {
		from := 0
		if i > 0 {
			from = ends[i-1]
			p.refuse(chain[from-1], chain[from], &one)
		}
		group := Group{Ops: chain[from:end:end]}
		group.took(&one)
		if len(ends) > 1 {
			part := p.takes(group.Ops)
			group.took(&part)
		}
		p.Groups = append(p.Groups, group)
	}
	p.candidates = append(p.candidates, candidate{chain, ends})
}

// isScarce reports whether a kernel has so many registers that too few threads are resident. One that
// spills a little is none: what it spills stays in the first cache (SSB Q3.4 spills 40 bytes a thread, and
// takes 0.21 ms on one NVIDIA H200, 0.28 cut; docs/measurements/2026-11-23-registers.md).
func (p *Program) isScarce(t *takes) bool {
	return t.resident < p.Machine.Device.Registers.Resident
}

// partCost is what a part of a candidate costs as a kernel, in nanoseconds of a device or of one core;
// +Inf: it cannot be one.
func (p *Program) partCost(chain []int, from, to int) float64 {
	ops := chain[from:to]
	switch {
	case len(ops) == 1 && len(chain) > 1 && p.Ops[ops[0]].Traits().Source:
		return math.Inf(1) // alone it does nothing
	case len(ops) > 1 && !p.onlyReads(ops) && p.exceeds(ops):
		return math.Inf(1)
	case p.Device:
		return p.kernelCost(chain, from, to).cheapest()
	case to < len(chain):
		return p.Machine.Host.Materialized * p.Ops[ops[len(ops)-1]].Bytes()
	}
	return 0
}

func (p *Program) exceeds(ops []int) bool {
	t := p.takes(ops)
	return t.exceeds(p.Budget)
}

// onlyReads reports whether operators are a source and what reads it.
func (p *Program) onlyReads(ops []int) bool {
	return len(ops) == 2 && p.Ops[ops[0]].Traits().Source
}

// cheapestCut returns where parts of n operators end so that the sum of what they cost is the least:
// by the best ends of the operators before each.
func cheapestCut(n int, cost func(from, to int) float64) (ends []int) {
	best, from := make([]float64, n+1), make([]int, n+1)
	for to := 1; to <= n; to++ {
		best[to] = math.Inf(1)
		for at := range to {
			if sum := best[at] + cost(at, to); sum < best[to] {
				best[to], from[to] = sum, at
			}
		}
	}
	for to := n; to > 0; to = from[to] {
		ends = append(ends, to)
	}
	slices.Reverse(ends)
	return ends
}

// refuse has an edge materialized for want of resources.
func (p *Program) refuse(from, to int, one *takes) {
	refusal := p.refusal(one)
	if refusal == "" {
		refusal = "together they would have " + one.text()
	}
	for i := range p.Edges {
		if e := &p.Edges[i]; e.From == from && e.To == to {
			e.refuse(refusal)
		}
	}
}

// refusal says why operators cannot be one kernel; "" where they can.
func (p *Program) refusal(one *takes) string {
	switch {
	case one.Shared > p.Budget.Shared:
		return fmt.Sprintf("together they need %d bytes of shared memory of %d", one.Shared, p.Budget.Shared)
	case one.exceeds(p.Budget):
		return fmt.Sprintf("together they need %d registers of %d", one.Registers, p.Budget.Registers)
	}
	return ""
}

// text is what a kernel takes of registers, in words.
func (t *takes) text() string {
	registers, how := t.Registers, "estimated"
	if t.compiled != nil {
		registers, how = t.compiled.Registers, "as compiled"
	}
	text := fmt.Sprintf("%d registers %s, %.0f %% of the threads resident", registers, how, 100*t.resident)
	if t.spilled > 0 {
		text += fmt.Sprintf(", %.0f bytes spilled", t.spilled)
	}
	return text
}

// hasEdges reports whether a candidate has an edge that may be cut.
func (p *Program) hasEdges(c *candidate) bool { return len(c.ops) > 1 && !p.onlyReads(c.ops) }

// weigh puts into words what a candidate would cost in one kernel, packed, and cut where that is
// cheapest.
func (p *Program) weigh(c *candidate) Decision {
	one := p.kernelCost(c.ops, 0, len(c.ops))
	whole := strategy.Offer{Strategy: Whole, Cost: one.whole, Detail: one.text(), Refusal: p.refusal(&one.takes)}
	packed := strategy.Offer{Strategy: Packed, Cost: one.packed, Refusal: whole.Refusal}
	switch {
	case packed.Refusal != "":
	case !p.mayPack(c.ops):
		packed.Refusal = "where rows are not aggregated the kernel alone decides"
	case math.IsInf(one.packed, 1):
		packed.Refusal = "no probe leaves so few rows that packing them saves anything"
	default:
		packed.Detail = "behind " + p.Ops[one.behind].Traits().Detail
	}
	d := Decision{Op: c.ops[len(c.ops)-1], Decision: strategy.Decision{Of: "kernels", Offers: []strategy.Offer{whole, packed, p.cutOffer(c, &one)}}}
	switch {
	case len(c.ends) > 1:
		d.Take(2, "the cheapest")
	case packed.Refusal == "" && packed.Cost < whole.Cost:
		d.Take(1, "the cheapest; the kernel decides where")
	default:
		d.Take(0, "the cheapest")
	}
	for i := range d.Offers {
		if o := &d.Offers[i]; o.Refusal != "" {
			o.Cost = 0
		}
	}
	return d
}

// cutOffer is what it costs to cut a candidate: where it was cut, else at the best edge.
func (p *Program) cutOffer(c *candidate, one *kernelCost) strategy.Offer {
	cut := strategy.Offer{Strategy: Cut, Cost: math.Inf(1)}
	if len(c.ends) > 1 {
		cut.Cost, cut.Detail = p.partsCost(c.ops, c.ends)
		return cut
	}
	for at := 1; at < len(c.ops); at++ {
		if cost, detail := p.partsCost(c.ops, []int{at, len(c.ops)}); cost < cut.Cost {
			cut.Cost, cut.Detail = cost, detail
		}
	}
	switch {
	case math.IsInf(cut.Cost, 1):
		cut.Refusal = "its parts do not fit either"
	case !p.isScarce(&one.takes):
		cut.Refusal = fmt.Sprintf("registers leave enough threads; it would take %.3g ms: %s", cut.Cost/1e6, cut.Detail)
		cut.Detail = ""
	}
	return cut
}

// partsCost is what the parts of a candidate cost together, and what they are.
func (p *Program) partsCost(chain, ends []int) (cost float64, detail string) {
	from := 0
	for i, end := range ends {
		cost += p.partCost(chain, from, end)
		part := p.takes(chain[from:end])
		if i > 0 {
			detail += "; "
		}
		detail += fmt.Sprintf("up to %s with %s", p.Ops[chain[end-1]].Traits().Name, part.text())
		from = end
	}
	return cost, detail
}

// took notes what a group's kernel is estimated to take, and what the compiler gave it.
func (g *Group) took(t *takes) {
	g.Cost, g.Compiled, g.structure, g.parts = t.Resources, t.compiled, t.structure, t.parts
}
