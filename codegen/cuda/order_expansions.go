package cuda

import (
	"cmp"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// dealtMatches is from how many matches of a row on these are likely to be dealt out to the
// threads of a block, for which rows have to wait.
const dealtMatches = 8

// DealtFirst returns f with adjacent inner joins in another order where one of them has
// matches that are dealt out: that with the most comes first, behind those with one match
// at most. Fewer rows have to wait then, none that a join drops, and neighbours with the same
// row take its other matches in step.
func DealtFirst(f *kernel.Func) *kernel.Func {
	with := *f
	with.Body = slices.Clone(f.Body)
	for first := 0; first < len(with.Body); {
		n := independent(with.Body[first:])
		slices.SortStableFunc(with.Body[first:first+n], func(a, b kernel.Instr) int {
			return cmp.Compare(rankOf(b.(*kernel.Probe)), rankOf(a.(*kernel.Probe)))
		})
		first += max(n, 1)
	}
	return &with
}

// rankOf is greater for what is to come first.
func rankOf(p *kernel.Probe) float64 {
	switch {
	case !mayExpand(p):
		return math.Inf(1)
	case p.Matches >= dealtMatches:
		return p.Matches
	}
	return 0
}

// independent returns how many of the first instructions are inner joins none of which reads
// what another gives, so that they may take place in any order.
func independent(b kernel.Block) int {
	given := make(map[kernel.ValueID]bool)
	for n, in := range b {
		p, ok := in.(*kernel.Probe)
		if !ok || p.Kind != kernel.ProbeInner || p.Cond != kernel.NoValue || p.Mark || p.Sorted != nil {
			return n
		}
		if slices.ContainsFunc(p.Keys, func(k kernel.Key) bool { return given[k.Val] }) {
			return n
		}
		for _, c := range p.Payload {
			given[c.Dst] = true
		}
	}
	return len(b)
}

// mayExpand reports whether a probe may find several matches for a row.
func mayExpand(p *kernel.Probe) bool {
	if p.Sorted != nil && p.Sorted.Unique {
		return false // however many were estimated
	}
	return p.Matches > 1 && (p.Kind == kernel.ProbeInner || p.Kind == kernel.ProbeLeft)
}
