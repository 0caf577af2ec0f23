package cpu

import (
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// sketches is AccSketch and AccMergeSketch.
type sketches struct {
	mem  *memory
	typ  kernel.Type
	join bool            // AccMergeSketch
	vals []*value.Sketch // nil without rows
	size []uint32        // of a group: the values that were added, repeated ones too
	wide []value.Int128
}

func (a *sketches) reserve(n int) (err error) {
	if a.vals, err = grown(a.mem, a.vals, n); err != nil {
		return err
	}
	a.size, err = grown(a.mem, a.size, n)
	return err
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
func (a *sketches) sketch(k uint32, n uint32) (*value.Sketch, error) {
	size := a.size[k] + min(n, 1<<20)
	size = min(size, 1<<20) // more take no more memory
	if more := sketchBytes(size) - sketchBytes(a.size[k]); more > 0 {
		if err := a.mem.grow(more); err != nil {
			return nil, err
		}
	}
	a.size[k] = size
	if a.vals[k] == nil {
		a.vals[k] = &value.Sketch{}
	}
	return a.vals[k], nil
}

func (a *sketches) add(c *cells, args []*view) error {
	if a.join {
		return a.addSketches(c, args[0])
	}
	add := a.adder(args[0])
	for i, k := range c.list() {
		s, err := a.sketch(k, 1)
		if err != nil {
			return err
		}
		add(s, i)
	}
	return nil
}

// adder adds row i of a view to a sketch: equal values have one hash.
func (a *sketches) adder(v *view) func(s *value.Sketch, i int) {
	switch a.typ {
	case kernel.F64:
		return func(s *value.Sketch, i int) { s.Add(value.HashFloat(v.f64[i])) }
	case kernel.Num:
		return func(s *value.Sketch, i int) {
			n := v.num[i].Normalize()
			s.Add(value.Hash64(n.Coef.Hash() + uint64(n.Scale)))
		}
	case kernel.Interval:
		return func(s *value.Sketch, i int) { s.Add(intervalMicros(v.intervals[i]).Hash()) }
	case kernel.Str:
		return func(s *value.Sketch, i int) { s.AddText(v.str[i]) }
	}
	vals := v.wide(room(&a.wide, v.n))
	return func(s *value.Sketch, i int) { s.Add(vals[i].Hash()) }
}

// addSketches takes sketches as their bytes.
func (a *sketches) addSketches(c *cells, v *view) error {
	for i, k := range c.list() {
		if v.str[i] == "" {
			continue
		}
		part, err := value.ParseSketch(v.str[i])
		if err != nil {
			return err
		}
		s, err := a.sketch(k, uint32(len(v.str[i])))
		if err == nil {
			err = s.Combine(part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *sketches) finalize() error { return nil }

func (a *sketches) combine(accumulator) error { return nil }

func (a *sketches) merge(src accumulator, from, to []uint32) error {
	part := src.(*sketches)
	for i, f := range from {
		if part.vals[f] == nil {
			continue
		}
		s, err := a.sketch(to[i], part.size[f])
		if err == nil {
			err = s.Combine(part.vals[f])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *sketches) chunks(groups []uint32) ([]*runtime.Chunk, error) {
	v := &Vector{Type: kernel.Str, vals: &list[string]{make([]string, len(groups))}}
	for i, g := range groups {
		if a.vals[g] == nil {
			continue
		}
		data, err := a.vals[g].Bytes()
		if err != nil {
			return nil, err
		}
		of[string](v)[i] = string(data)
	}
	return []*runtime.Chunk{encode(v, len(groups))}, nil
}

func (a *sketches) reset() {
	for _, n := range a.size {
		a.mem.shrink(sketchBytes(n))
	}
	clear(a.vals)
	clear(a.size)
}

func (a *sketches) width() int { return int(sketchBytes(1)) }
