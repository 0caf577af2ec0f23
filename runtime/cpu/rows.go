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

// valueBytes is the size in memory of one value of type t, the bytes of texts
// aside.
func valueBytes(t kernel.Type) int64 {
	switch t {
	case kernel.Bool:
		return 1
	case kernel.I32, kernel.Code:
		return 4
	case kernel.I64, kernel.F64:
		return 8
	case kernel.Num:
		return 24
	}
	return 16
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

// extend appends n zero values to a decoded vector without NULLs.
func (v *Vector) extend(n int) {
	switch v.Type {
	case kernel.Bool:
		v.Bool = long.AppendZeros(v.Bool, n)
	case kernel.I32:
		v.I32 = long.AppendZeros(v.I32, n)
	case kernel.I64:
		v.I64 = long.AppendZeros(v.I64, n)
	case kernel.I128:
		v.I128 = long.AppendZeros(v.I128, n)
	case kernel.F64:
		v.F64 = long.AppendZeros(v.F64, n)
	case kernel.Num:
		v.Num = long.AppendZeros(v.Num, n)
	case kernel.Interval:
		v.Intervals = long.AppendZeros(v.Intervals, n)
	case kernel.Str:
		v.Str = long.AppendZeros(v.Str, n)
	case kernel.Code:
		v.Code = long.AppendZeros(v.Code, n)
	}
}

// copyRow copies the value of row j of src to row i of dst, both decoded and of
// one type. NULLs are not copied.
func copyRow(dst *Vector, i int, src *Vector, j int) {
	switch dst.Type {
	case kernel.Bool:
		dst.Bool[i] = src.Bool[j]
	case kernel.I32:
		dst.I32[i] = src.I32[j]
	case kernel.I64:
		dst.I64[i] = src.I64[j]
	case kernel.I128:
		dst.I128[i] = src.I128[j]
	case kernel.F64:
		dst.F64[i] = src.F64[j]
	case kernel.Num:
		dst.Num[i] = src.Num[j]
	case kernel.Interval:
		dst.Intervals[i] = src.Intervals[j]
	case kernel.Str:
		dst.Str[i] = src.Str[j]
	case kernel.Code:
		dst.Code[i] = src.Code[j]
	}
}

// copyRows copies rows of src to the same rows of dst, NULLs aside. Row 0 of a
// constant src stands for all.
func copyRows(dst, src *Vector, rows []int32) {
	switch dst.Type {
	case kernel.Bool:
		copyRowsOf(dst.Bool, src.Bool, rows, src.Const)
	case kernel.I32:
		copyRowsOf(dst.I32, src.I32, rows, src.Const)
	case kernel.I64:
		copyRowsOf(dst.I64, src.I64, rows, src.Const)
	case kernel.I128:
		copyRowsOf(dst.I128, src.I128, rows, src.Const)
	case kernel.F64:
		copyRowsOf(dst.F64, src.F64, rows, src.Const)
	case kernel.Num:
		copyRowsOf(dst.Num, src.Num, rows, src.Const)
	case kernel.Interval:
		copyRowsOf(dst.Intervals, src.Intervals, rows, src.Const)
	case kernel.Str:
		copyRowsOf(dst.Str, src.Str, rows, src.Const)
	case kernel.Code:
		copyRowsOf(dst.Code, src.Code, rows, src.Const)
	}
}

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
	had := v.length()
	switch v.Type {
	case kernel.Bool:
		v.Bool = appendRowsOf(v.Bool, src.Bool, rows, src.Const)
	case kernel.I32:
		v.I32 = appendRowsOf(v.I32, src.I32, rows, src.Const)
	case kernel.I64:
		v.I64 = appendRowsOf(v.I64, src.I64, rows, src.Const)
	case kernel.I128:
		v.I128 = appendRowsOf(v.I128, src.I128, rows, src.Const)
	case kernel.F64:
		v.F64 = appendRowsOf(v.F64, src.F64, rows, src.Const)
	case kernel.Num:
		v.Num = appendRowsOf(v.Num, src.Num, rows, src.Const)
	case kernel.Interval:
		v.Intervals = appendRowsOf(v.Intervals, src.Intervals, rows, src.Const)
	case kernel.Str:
		v.Str = appendRowsOf(v.Str, src.Str, rows, src.Const)
	case kernel.Code:
		v.Code = appendRowsOf(v.Code, src.Code, rows, src.Const)
		v.Dict = longer(v.Dict, src.Dict)
	}
	if src.Null == nil && v.Null == nil {
		return
	}
	if v.Null == nil {
		v.Null = make([]uint8, had)
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
func (v *Vector) length() int { return v.capacity() }
