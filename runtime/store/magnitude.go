package store

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Magnitude implements algebra.MagnitudeSource. Who first asks for that of a column has it
// read.
func (t *Table) Magnitude(ordinal int) (m algebra.Magnitude, ok bool) {
	c := &t.cols[ordinal]
	if c.phys != kernel.F64 && c.phys != kernel.Num || c.magnitude == nil {
		return m, false
	}
	known := c.magnitude.Load()
	if known == nil {
		known = t.findMagnitude(ordinal)
		c.magnitude.Store(known)
	}
	return known.Magnitude, known.finite
}

func (t *Table) findMagnitude(ordinal int) *knownMagnitude {
	out := &knownMagnitude{finite: true}
	least, most := uint64(math.MaxUint64), uint64(0)
	for i := range t.blocks {
		b, err := t.Load(i, []int{ordinal})
		if err != nil {
			return &knownMagnitude{}
		}
		for _, n := range b.Cols[ordinal].Nums {
			of := algebra.NumMagnitude(n)
			out.Lo, out.Hi, out.Scale = min(out.Lo, of.Lo), max(out.Hi, of.Hi), max(out.Scale, of.Scale)
		}
		for _, f := range b.Cols[ordinal].F64 {
			// Without the sign, the order of numbers is that of their bits.
			size := math.Float64bits(f) &^ (1 << 63)
			most = max(most, size)
			least = min(least, size-1) // zero becomes the greatest
		}
	}
	if most == 0 {
		return out
	}
	if out.finite = most < math.Float64bits(math.Inf(1)); out.finite {
		_, out.Lo = math.Frexp(math.Float64frombits(least + 1))
		_, out.Hi = math.Frexp(math.Float64frombits(most))
		out.Lo--
	}
	return out
}
