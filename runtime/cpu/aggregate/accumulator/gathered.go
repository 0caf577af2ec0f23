package accumulator

import (
	"math"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// gathered are the accumulators that pick one of the values of a group. They keep all values,
// by their groups once they are arranged, and pick within each group.
type gathered[W word] struct {
	mem    *exec.Memory
	spec   *Spec
	least  int64 // the integer that is kept as 0
	groups int
	cells  []uint32 // by value as it came
	vals   []W
	buf    []int64

	lock     sync.Mutex
	arranged bool
	ends     []uint32 // by group: where its values end
	sorted   []W      // the values by group
}

// newGathered makes the accumulator of a spec. Integers of few bits take half the memory.
func newGathered(s *Spec, mem *exec.Memory) Accumulator {
	switch r := s.ArgRange; {
	case s.ArgType[0] == kernel.F64:
	case r.Known && r.Lo <= r.Hi && uint64(r.Hi)-uint64(r.Lo) <= math.MaxUint32:
		return &gathered[uint32]{mem: mem, spec: s, least: r.Lo}
	case s.ArgType[0] == kernel.I32:
		return &gathered[uint32]{mem: mem, spec: s, least: math.MinInt32}
	}
	return &gathered[uint64]{mem: mem, spec: s, least: math.MinInt64}
}

func (a *gathered[W]) Reserve(n int) { a.groups = max(a.groups, n) }

func (a *gathered[W]) Add(c *Cells, args []*vector.View) {
	had := a.room(c.N)
	copy(a.cells[had:], c.List())
	vals := a.vals[had:]
	if a.spec.ArgType[0] == kernel.F64 {
		for i, x := range args[0].F64[:c.N] {
			vals[i] = W(vector.OrderedFloat(x))
		}
		return
	}
	for i, x := range args[0].Ints(vector.Room(&a.buf, c.N)) {
		vals[i] = W(x - a.least)
	}
}

// room makes room for n more values.
func (a *gathered[W]) room(n int) (had int) {
	had = len(a.vals)
	a.arranged = false
	if had+n > math.MaxUint32 {
		panic(value.Errorf(value.CodeProgramLimit, "%s of more than %d values", a.spec.Op, uint32(math.MaxUint32)))
	}
	a.cells = exec.Grown(a.mem, a.cells, had+n)
	a.vals = exec.Grown(a.mem, a.vals, had+n)
	return had
}

func (a *gathered[W]) Finalize() { a.arrange() }

// arrange brings the values of each group together.
func (a *gathered[W]) arrange() {
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
func (a *gathered[W]) of(k uint32) []W {
	lo := uint32(0)
	if k > 0 {
		lo = a.ends[k-1]
	}
	return a.sorted[lo:a.ends[k]]
}

func (a *gathered[W]) Combine(Accumulator) {}

func (a *gathered[W]) Merge(src Accumulator, from, to []uint32) {
	s := src.(*gathered[W])
	s.arrange()
	for i, f := range from {
		vals := s.of(f)
		had := a.room(len(vals))
		copy(a.vals[had:], vals)
		vector.Fill(a.cells[had:], to[i])
	}
}

// manySelected is from how many values of a group on the end of the run is looked for.
const manySelected = 1 << 10

func (a *gathered[W]) Chunks(groups []uint32, arrays *spare.Arrays) []*runtime.Chunk {
	a.arrange()
	valid, nulls := vector.AllValid(len(groups)), 0
	picked := spare.New[W](a.mem.Arrays, len(groups))
	defer spare.Release(a.mem.Arrays, picked)
	p := picker[W]{mem: a.mem, spec: a.spec}
	defer p.release()
	for i, g := range groups {
		vals := a.of(g)
		if len(vals) >= manySelected {
			sqlstate.Check(a.mem.Ended())
		}
		if len(vals) > 0 {
			picked[i] = p.pick(vals)
			continue
		}
		picked[i] = 0
		valid[i>>3] &^= 1 << (i & 7)
		nulls++
	}
	if nulls == 0 {
		valid = nil
	}
	return []*runtime.Chunk{a.chunk(picked, valid, nulls, arrays)}
}

// chunk is the column of words.
func (a *gathered[W]) chunk(words []W, valid []byte, nulls int, arrays *spare.Arrays) *runtime.Chunk {
	if t := a.spec.Dst[0]; t != kernel.F64 {
		ints := spare.New[int64](a.mem.Arrays, len(words))
		defer spare.Release(a.mem.Arrays, ints)
		for i, x := range words {
			ints[i] = int64(x) + a.least
		}
		return vector.NarrowGather(t, ints, vector.IdentityGroups(len(words)), valid, nulls, arrays)
	}
	c := &runtime.Chunk{Type: kernel.F64, Enc: runtime.EncF64, Rows: len(words), Valid: valid, Nulls: nulls, F64: spare.New[float64](arrays, len(words))}
	for i, x := range words {
		c.F64[i] = vector.FloatOf(uint64(x))
	}
	return c
}

func (a *gathered[W]) Reset() {
	a.cells, a.vals, a.arranged = a.cells[:0], a.vals[:0], false
}

func (a *gathered[W]) Width() int { return 8 }
