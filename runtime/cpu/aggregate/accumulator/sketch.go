package accumulator

import (
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// sketches is AccSketch and AccMergeSketch.
type sketches struct {
	mem  *exec.Memory
	typ  kernel.Type
	join bool            // AccMergeSketch
	vals []*value.Sketch // nil without rows
	size []uint32        // of a group: the values that were added, repeated ones too
	wide []value.Int128
}

func (a *sketches) Reserve(n int) {
	a.vals = exec.Grown(a.mem, a.vals, n)
	a.size = exec.Grown(a.mem, a.size, n)
}

// sketchBytes is about what a sketch of n values takes: it is a list of hashes
// until the registers are smaller.
func sketchBytes(n uint32) int64 {
	const least, perValue, most = 256, 16, 1<<14 + 1<<10
	if n == 0 {
		return 0
	}
	return min(least+perValue*int64(1)<<bits.Len32(n-1), most)
}

// sketch returns the sketch of group k, for n more values.
func (a *sketches) sketch(k uint32, n uint32) *value.Sketch {
	size := a.size[k] + min(n, 1<<20)
	size = min(size, 1<<20) // more take no more memory
	if more := sketchBytes(size) - sketchBytes(a.size[k]); more > 0 {
		sqlstate.Check(a.mem.Grow(more))
	}
	a.size[k] = size
	if a.vals[k] == nil {
		a.vals[k] = &value.Sketch{}
	}
	return a.vals[k]
}

func (a *sketches) Add(c *Cells, args []*vector.View) {
	if a.join {
		a.addSketches(c, args[0])
		return
	}
	add := a.adder(args[0])
	for i, k := range c.List() {
		s := a.sketch(k, 1)
		add(s, i)
	}
}

// adder adds row i of a view to a sketch: equal values have one hash.
func (a *sketches) adder(v *vector.View) func(s *value.Sketch, i int) {
	switch a.typ {
	case kernel.F64:
		return func(s *value.Sketch, i int) { s.Add(value.HashFloat(v.F64[i])) }
	case kernel.Num:
		return func(s *value.Sketch, i int) {
			n := v.Num[i].Normalize()
			s.Add(value.Hash64(n.Coef.Hash() + uint64(n.Scale)))
		}
	case kernel.Interval:
		return func(s *value.Sketch, i int) { s.Add(vector.IntervalMicros(v.Intervals[i]).Hash()) }
	case kernel.Str:
		return func(s *value.Sketch, i int) { s.AddText(v.Str[i]) }
	}
	vals := v.Wide(vector.Room(&a.wide, v.N))
	return func(s *value.Sketch, i int) { s.Add(vals[i].Hash()) }
}

// addSketches takes sketches as their bytes.
func (a *sketches) addSketches(c *Cells, v *vector.View) {
	for i, k := range c.List() {
		if v.Str[i] == "" {
			continue
		}
		part := sqlstate.Must(value.ParseSketch(v.Str[i]))
		sqlstate.Check(a.sketch(k, uint32(len(v.Str[i]))).Combine(part))
	}
}

func (a *sketches) Finalize() {}

func (a *sketches) Combine(Accumulator) {}

func (a *sketches) Merge(src Accumulator, from, to []uint32) {
	part := src.(*sketches)
	for i, f := range from {
		if part.vals[f] == nil {
			continue
		}
		sqlstate.Check(a.sketch(to[i], part.size[f]).Combine(part.vals[f]))
	}
}

func (a *sketches) Chunks(groups []uint32, _ *spare.Arrays) []*runtime.Chunk {
	v := &vector.Vector{Type: kernel.Str, Vals: &vector.List[string]{At: make([]string, len(groups))}}
	for i, g := range groups {
		if a.vals[g] == nil {
			continue
		}
		data := sqlstate.Must(a.vals[g].Bytes())
		vector.Of[string](v)[i] = string(data)
	}
	return []*runtime.Chunk{vector.Encode(v, len(groups))}
}

func (a *sketches) Reset() {
	for _, n := range a.size {
		a.mem.Shrink(sketchBytes(n))
	}
	clear(a.vals)
	clear(a.size)
}

func (a *sketches) Width() int { return int(sketchBytes(1)) }
