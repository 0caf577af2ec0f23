package vector

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// freeVectors is how much of a worker's vectors is not charged, so that a small kernel
// is small on many cores.
const freeVectors = 128 << 10

// Bytes is what a worker's vectors of so many rows are charged with, at the most.
func Bytes(f *kernel.Func, rows int) int64 {
	var n int64
	for i := range f.Values {
		n += (ValueBytes(f.Values[i].Type) + 1) * int64(rows)
	}
	return max(n-freeVectors, 0)
}

// CopyRow copies the value of row j of src to row i of dst, both decoded and of
// one type. NULLs are not copied.
func CopyRow(dst *Vector, i int, src *Vector, j int) { dst.Vals.copyRow(i, src.Vals, j) }

// CopyRows copies rows of src to the same rows of dst, NULLs aside. Row 0 of a
// constant src stands for all.
func CopyRows(dst, src *Vector, rows []int32) { dst.Vals.copyRows(src.Vals, rows, src.Const) }

// AppendRows appends rows of src, a decoded vector of the same type, to v,
// NULLs included.
func (v *Vector) AppendRows(src *Vector, rows []int32) {
	v.Column().appendRows(src.Column(), rows, src.Const)
	if v.Type == kernel.Code {
		v.Dict = Longer(v.Dict, src.Dict)
	}
	if src.Null == nil && v.Null == nil {
		return
	}
	if v.Null == nil {
		v.Null = make([]uint8, v.Length()-len(rows))
	}
	if src.Null == nil {
		v.Null = long.AppendZeros(v.Null, len(rows))
		return
	}
	v.Null = appendRowsOf(v.Null, src.Null, rows, src.Const)
}

// Empty makes a vector that grows by appendRows one without rows. It keeps its
// memory unless a chunk of encoding enc, made of it, does.
func (v *Vector) Empty(enc runtime.Encoding) {
	switch enc {
	case runtime.EncI64, runtime.EncI128, runtime.EncF64, runtime.EncNum, runtime.EncIntervals:
		*v = Vector{Type: v.Type}
		return
	}
	v.Column().Truncate()
	*v = Vector{Type: v.Type, Vals: v.Vals}
}

// TakeRows appends the rows that entries name.
func (v *Vector) TakeRows(src []*Vector, entries []Entry) {
	had := v.Length()
	cols := make([]values, len(src))
	for i, s := range src {
		cols[i] = s.Column()
	}
	v.Column().takeRows(cols, entries)
	if v.Type == kernel.Code {
		for _, s := range src {
			v.Dict = Longer(v.Dict, s.Dict)
		}
	}
	v.takeNulls(src, entries, had)
}

// takeNulls appends the NULL flags of the rows to a vector that had so many.
func (v *Vector) takeNulls(src []*Vector, entries []Entry, had int) {
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
		v.Null = append(v.Null, B2u(src[e.Buf].IsNull(int(e.Row))))
	}
}
