package accumulator

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// percentiles are AccPercentile and AccPercentileDesc. They keep all values, by their
// groups once they are arranged, and select within each group.
type percentiles struct {
	mem      *exec.Memory
	fraction float64
	desc     bool
	groups   int
	cells    []uint32 // by value as it came
	vals     []uint64 // mapped to integers of the order

	lock     sync.Mutex
	arranged bool
	ends     []uint32 // by group: where its values end
	sorted   []uint64 // the values by group
}

func (a *percentiles) Reserve(n int) { a.groups = max(a.groups, n) }

func (a *percentiles) Add(c *Cells, args []*vector.View) {
	had := a.room(c.N)
	copy(a.cells[had:], c.List())
	vals := a.vals[had:]
	for i, x := range args[0].F64[:c.N] {
		vals[i] = vector.OrderedFloat(x)
	}
}

// room makes room for n more values.
func (a *percentiles) room(n int) (had int) {
	had = len(a.vals)
	a.arranged = false
	if had+n > math.MaxUint32 {
		panic(value.Errorf(value.CodeProgramLimit, "percentiles of more than %d values", uint32(math.MaxUint32)))
	}
	a.cells = exec.Grown(a.mem, a.cells, had+n)
	a.vals = exec.Grown(a.mem, a.vals, had+n)
	return had
}

func (a *percentiles) Finalize() { a.arrange() }

// arrange brings the values of each group together.
func (a *percentiles) arrange() {
	a.lock.Lock()
	defer a.lock.Unlock()
	if a.arranged {
		return
	}
	a.ends = exec.Grown(a.mem, a.ends[:0], a.groups)
	a.sorted = exec.Grown(a.mem, a.sorted[:0], len(a.vals))
	clear(a.ends)
	for _, k := range a.cells {
		a.ends[k]++
	}
	sum := uint32(0)
	for k, n := range a.ends {
		a.ends[k] = sum
		sum += n
	}
	for i, k := range a.cells {
		a.sorted[a.ends[k]] = a.vals[i]
		a.ends[k]++
	}
	a.arranged = true
}

// of are the values of a group.
func (a *percentiles) of(k uint32) []uint64 {
	lo := uint32(0)
	if k > 0 {
		lo = a.ends[k-1]
	}
	return a.sorted[lo:a.ends[k]]
}

func (a *percentiles) Combine(Accumulator) {}

func (a *percentiles) Merge(src Accumulator, from, to []uint32) {
	s := src.(*percentiles)
	s.arrange()
	for i, f := range from {
		vals := s.of(f)
		had := a.room(len(vals))
		copy(a.vals[had:], vals)
		vector.Fill(a.cells[had:], to[i])
	}
}

func (a *percentiles) Chunks(groups []uint32, arrays *spare.Arrays) []*runtime.Chunk {
	a.arrange()
	c := &runtime.Chunk{Type: kernel.F64, Enc: runtime.EncF64, Rows: len(groups), F64: spare.New[float64](arrays, len(groups))}
	for i, g := range groups {
		vals := a.of(g)
		if len(vals) > 0 {
			c.F64[i] = a.percentile(vals)
			continue
		}
		if c.Valid == nil {
			c.Valid = vector.AllValid(len(groups))
		}
		c.Valid[i>>3] &^= 1 << (i & 7)
		c.Nulls++
	}
	return []*runtime.Chunk{c}
}

// percentile is the value at the fraction, between two where it is none's.
func (a *percentiles) percentile(vals []uint64) float64 {
	at := a.fraction * float64(len(vals)-1)
	before, after := int(math.Floor(at)), int(math.Ceil(at))
	part := at - float64(before)
	if a.desc {
		before, after = len(vals)-1-before, len(vals)-1-after
	}
	first, second := selectTwo(vals, min(before, after), max(before, after))
	if before == after {
		return first
	}
	if a.desc {
		first, second = second, first
	}
	return first + part*(second-first)
}

func (a *percentiles) Reset() {
	a.cells, a.vals, a.arranged = a.cells[:0], a.vals[:0], false
}

func (a *percentiles) Width() int { return 8 }

// selectTwo returns the values at places i and j, which is i or the next, of the order.
func selectTwo(vals []uint64, i, j int) (first, second float64) {
	selectAt(vals, i)
	low := vals[i]
	high := low
	if j > i {
		high = slices.Min(vals[j:])
	}
	return vector.FloatOf(low), vector.FloatOf(high)
}

// fewSelected is how many values are sorted to find one.
const fewSelected = 16

// selectAt brings the value at place k of the order there, none less behind it and none
// greater before it. What parting the values by one of them does not make much shorter,
// again and again, is sorted.
func selectAt(vals []uint64, k int) {
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
func middle(a, b, c uint64) uint64 { return max(min(a, b), min(max(a, b), c)) }
