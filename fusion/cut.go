package fusion

import (
	"fmt"
	"math"
	"slices"
)

// The ways in which the operators of a candidate go on a device.
const (
	Whole  = "whole"  // one kernel, whose rows stay in their threads
	Packed = "packed" // one kernel, in which the rows that a filter or a probe leaves are packed: the kernel decides
	Cut    = "cut"    // several kernels: one writes rows, the next one reads them
)

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

// hasEdges reports whether a candidate has an edge that may be cut.
func (p *Program) hasEdges(c *candidate) bool { return len(c.ops) > 1 && !p.onlyReads(c.ops) }

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

// excess says why operators cannot be one kernel; "" where they can.
func (p *Program) excess(one *takes) string {
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
