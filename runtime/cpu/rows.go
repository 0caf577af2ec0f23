package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
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
