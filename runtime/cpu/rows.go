package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// freeVectors is how much of a worker's vectors is not charged, so that a small kernel
// is small on many cores.
const freeVectors = 128 << 10

// vectorBytes is what a worker's vectors of so many rows are charged with, at the most.
func vectorBytes(f *kernel.Func, rows int) int64 {
	var n int64
	for i := range f.Values {
		n += (valueBytes(f.Values[i].Type) + 1) * int64(rows)
	}
	return max(n-freeVectors, 0)
}

// copyRow copies the value of row j of src to row i of dst, both decoded and of
// one type. NULLs are not copied.
func copyRow(dst *Vector, i int, src *Vector, j int) { dst.vals.copyRow(i, src.vals, j) }

// copyRows copies rows of src to the same rows of dst, NULLs aside. Row 0 of a
// constant src stands for all.
func copyRows(dst, src *Vector, rows []int32) { dst.vals.copyRows(src.vals, rows, src.Const) }

// appendRows appends rows of src, a decoded vector of the same type, to v,
// NULLs included.
func (v *Vector) appendRows(src *Vector, rows []int32) {
	v.column().appendRows(src.column(), rows, src.Const)
	if v.Type == kernel.Code {
		v.Dict = longer(v.Dict, src.Dict)
	}
	if src.Null == nil && v.Null == nil {
		return
	}
	if v.Null == nil {
		v.Null = make([]uint8, v.length()-len(rows))
	}
	if src.Null == nil {
		v.Null = long.AppendZeros(v.Null, len(rows))
		return
	}
	v.Null = appendRowsOf(v.Null, src.Null, rows, src.Const)
}

// empty makes a vector that grows by appendRows one without rows. It keeps its
// memory unless a chunk of encoding enc, made of it, does.
func (v *Vector) empty(enc runtime.Encoding) {
	switch enc {
	case runtime.EncI64, runtime.EncI128, runtime.EncF64, runtime.EncNum, runtime.EncIntervals:
		*v = Vector{Type: v.Type}
		return
	}
	v.column().truncate()
	*v = Vector{Type: v.Type, vals: v.vals}
}

// takeRows appends the rows that entries name.
func (v *Vector) takeRows(src []*Vector, entries []entry) {
	had := v.length()
	cols := make([]values, len(src))
	for i, s := range src {
		cols[i] = s.column()
	}
	v.column().takeRows(cols, entries)
	if v.Type == kernel.Code {
		for _, s := range src {
			v.Dict = longer(v.Dict, s.Dict)
		}
	}
	v.takeNulls(src, entries, had)
}

// takeNulls appends the NULL flags of the rows to a vector that had so many.
func (v *Vector) takeNulls(src []*Vector, entries []entry, had int) {
	any := v.Null != nil
	for _, s := range src {
		any = any || s.Null != nil
	}
	if !any {
		return
	}
	if v.Null == nil {
		v.Null = make([]uint8, had)
	}
	for _, e := range entries {
		v.Null = append(v.Null, b2u(src[e.buf].isNull(int(e.row))))
	}
}
