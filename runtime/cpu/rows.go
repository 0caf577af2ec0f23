package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// buffer is the memory that belongs to v.
func (v *Vector) buffer() *Vector {
	if v.buf == nil {
		v.buf = &Vector{Type: v.Type}
	}
	return v.buf
}

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

func copyRowsOf[T any](dst, src []T, rows []int32, constant bool) {
	if constant {
		for _, i := range rows {
			dst[i] = src[0]
		}
		return
	}
	for _, i := range rows {
		dst[i] = src[i]
	}
}

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

func appendRowsOf[T any](dst, src []T, rows []int32, constant bool) []T {
	n, had := len(rows), len(dst)
	dst = withRoom(dst, n)
	if !constant && isIdentity(rows) {
		return long.Append(dst, src[rows[0]:][:n]...)
	}
	dst = dst[:had+n]
	out := dst[had:]
	if constant {
		for i := range out {
			out[i] = src[0]
		}
		return dst
	}
	for i, r := range rows {
		out[i] = src[r]
	}
	return dst
}

// withRoom makes sure that n more elements fit. Unlike append it doubles even long
// slices, which saves copying where many grow to the size of a block.
func withRoom[T any](s []T, n int) []T {
	if len(s)+n <= cap(s) {
		return s
	}
	longer := make([]T, len(s), max(2*cap(s), len(s)+n))
	long.Copy(longer, s)
	return longer
}

// length is the number of rows of a vector that grows by appendRows.
func (v *Vector) length() int { return v.column().length() }
