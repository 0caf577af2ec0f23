package store

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
)

// finish completes a version whose columns and blocks are set: the dictionaries
// of its chunks and its statistics.
func (t *Table) finish() {
	t.shareDictionaries()
	for i := range t.cols {
		t.cols[i].stats = t.columnStats(i)
		t.cols[i].magnitude = new(magnitude)
	}
}

// shareDictionaries has all chunks of a Code column refer to the column's dictionary.
// Chunks of older versions stay as they are.
func (t *Table) shareDictionaries() {
	for n := range t.blocks {
		b := &t.blocks[n]
		copied := false
		for i := range t.cols {
			if t.cols[i].phys != kernel.Code || b.cols[i].Dict == t.cols[i].dict {
				continue
			}
			if !copied {
				b.cols, copied = append([]*runtime.Chunk(nil), b.cols...), true
			}
			p := &pinned{chunk: *b.cols[i], file: b.file}
			p.chunk.Dict = t.cols[i].dict
			b.cols[i] = &p.chunk
		}
	}
}

// pinned is a chunk that keeps the mapped file alive that it points into, for
// as long as a pointer to the chunk exists.
type pinned struct {
	chunk runtime.Chunk
	file  Segment
}

// columnStats sums the blocks' statistics up.
func (t *Table) columnStats(i int) algebra.Stats {
	c := &t.cols[i]
	s := algebra.Stats{Dict: c.phys == kernel.Code}
	bounded := true
	for n := range t.blocks {
		k := t.blocks[n].cols[i]
		s.Nulls += int64(k.Nulls)
		switch {
		case k.Nulls == k.Rows:
		case !k.HasRange || s.Dict:
			bounded = false
		case !s.HasBounds:
			s.HasBounds, s.Min, s.Max = true, k.Min, k.Max
		default:
			s.Min, s.Max = min(s.Min, k.Min), max(s.Max, k.Max)
		}
	}
	if !bounded {
		s.HasBounds, s.Min, s.Max = false, 0, 0
	}
	if order := t.order(i); order != runtime.Unordered && !s.Dict { // codes have an order of their own
		s.Ascending, s.Unique = true, order == runtime.Strict
	}
	if s.Dict {
		s.Codes = max(int64(len(c.dict.Texts)), 1)
	}
	s.Distinct = t.distinct(i, s)
	return s
}

// order returns in which order the rows are by column i.
func (t *Table) order(i int) runtime.Order {
	order := runtime.Strict
	for n := range t.blocks {
		c := t.blocks[n].cols[i]
		order = min(order, c.Order)
		if n > 0 && order != runtime.Unordered {
			switch last := t.blocks[n-1].cols[i].Max; {
			case c.Min < last:
				return runtime.Unordered
			case c.Min == last:
				order = runtime.Ascending
			}
		}
	}
	if len(t.blocks) == 0 {
		return runtime.Unordered
	}
	return order
}

// distinct estimates the number of distinct values: exactly for dictionaries.
func (t *Table) distinct(i int, s algebra.Stats) float64 {
	c := &t.cols[i]
	n := float64(t.rows - s.Nulls)
	switch {
	case c.phys == kernel.Code:
		n = min(n, float64(len(c.dict.Texts)))
	case c.phys == kernel.Bool:
		n = min(n, 2)
	case c.sketch != nil:
		// Estimate may change the sketch, which other versions may share.
		n = min(n, float64(c.sketch.Clone().Estimate()))
	}
	if s.HasBounds {
		n = min(n, float64(s.Max)-float64(s.Min)+1)
	}
	return n
}
