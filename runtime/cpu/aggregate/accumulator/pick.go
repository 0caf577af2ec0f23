package accumulator

import (
	"math"
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// word is what a value is kept as: a number in the order of the values.
type word interface{ uint32 | uint64 }

// picker picks one of some values, which it reorders.
type picker[W word] struct {
	mem    *exec.Memory
	spec   *Spec
	counts []uint32 // of values, by how far they are from the least
}

// release gives back what the picker holds.
func (p *picker[W]) release() { p.mem.Shrink(4 * int64(cap(p.counts))) }

func (p *picker[W]) pick(vals []W) W {
	switch p.spec.Op {
	case kernel.AccPercentile, kernel.AccPercentileDesc:
		return W(vector.OrderedFloat(percentile(vals, p.spec.Fraction, p.spec.Op == kernel.AccPercentileDesc)))
	case kernel.AccPlaced, kernel.AccPlacedDesc:
		at := max(int(math.Ceil(p.spec.Fraction*float64(len(vals)))), 1) - 1
		if p.spec.Op == kernel.AccPlacedDesc {
			at = len(vals) - 1 - at
		}
		selectAt(vals, at)
		return vals[at]
	case kernel.AccMode, kernel.AccModeDesc:
		return p.mode(vals)
	}
	panic(exec.Internalf("%q picks no value", p.spec.Op))
}

// percentile is the value at the fraction, between two where it is none's.
func percentile[W word](vals []W, fraction float64, desc bool) float64 {
	at := fraction * float64(len(vals)-1)
	before, after := int(math.Floor(at)), int(math.Ceil(at))
	part := at - float64(before)
	if desc {
		before, after = len(vals)-1-before, len(vals)-1-after
	}
	first, second := selectTwo(vals, min(before, after), max(before, after))
	if before == after {
		return first
	}
	if desc {
		first, second = second, first
	}
	return first + part*(second-first)
}

// selectTwo returns the values at places i and j, which is i or the next, of the order.
func selectTwo[W word](vals []W, i, j int) (first, second float64) {
	selectAt(vals, i)
	low := vals[i]
	high := low
	if j > i {
		high = slices.Min(vals[j:])
	}
	return vector.FloatOf(uint64(low)), vector.FloatOf(uint64(high))
}

// fewSelected is how many values are sorted to find one.
const fewSelected = 16

// selectAt brings the value at place k of the order there, none less behind it and none
// greater before it. What parting the values by one of them does not make much shorter,
// again and again, is sorted.
func selectAt[W word](vals []W, k int) {
	for rounds := 2 * bits.Len(uint(len(vals))); ; rounds-- {
		if len(vals) <= fewSelected || rounds == 0 {
			slices.Sort(vals)
			return
		}
		n := len(vals)
		pivot := middle(vals[n/4], vals[n/2], vals[3*n/4])
		i, j := 0, n-1
		for i <= j {
			for vals[i] < pivot {
				i++
			}
			for vals[j] > pivot {
				j--
			}
			if i <= j {
				vals[i], vals[j] = vals[j], vals[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			vals = vals[:j+1]
		case k >= i:
			vals, k = vals[i:], k-i
		default:
			return
		}
	}
}

// middle is the one of three values that is neither the least nor the greatest.
func middle[W word](a, b, c W) W { return max(min(a, b), min(max(a, b), c)) }

// countedWidth is how many times as many counts as values there are at most: clearing and
// looking through them is cheaper than sorting the values.
const countedWidth = 4

// mode is the most frequent of values. They are counted where they lie close to each other,
// and sorted elsewhere.
func (p *picker[W]) mode(vals []W) W {
	desc := p.spec.Op == kernel.AccModeDesc
	if len(vals) > fewSelected {
		least, width := slices.Min(vals), 0
		if d := uint64(slices.Max(vals) - least); d < countedWidth*uint64(len(vals)) {
			width = int(d) + 1
		}
		if width > 0 {
			return least + W(mostCounted(p.count(vals, least, width), desc))
		}
	}
	slices.Sort(vals)
	return longestRun(vals, desc)
}

// count counts values by how far they are from the least, up to a width.
func (p *picker[W]) count(vals []W, least W, width int) []uint32 {
	clear(p.counts)
	p.counts = exec.Grown(p.mem, p.counts[:min(width, len(p.counts))], width)
	for _, x := range vals {
		p.counts[x-least]++
	}
	return p.counts
}

// mostCounted is the place of the greatest count, of several the first, or with desc the last.
func mostCounted(counts []uint32, desc bool) (at int) {
	most := uint32(0)
	for i, n := range counts {
		if n > most || desc && n == most {
			at, most = i, n
		}
	}
	return at
}

// longestRun is the value of the most of equal values side by side, of several the first, or
// with desc the last.
func longestRun[W word](vals []W, desc bool) (of W) {
	longest, start := 0, 0
	for i := range vals {
		if i+1 < len(vals) && vals[i+1] == vals[i] {
			continue
		}
		if n := i + 1 - start; n > longest || desc && n == longest {
			of, longest = vals[i], n
		}
		start = i + 1
	}
	return of
}
