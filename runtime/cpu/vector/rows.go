package vector

import (
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
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
	if src.Fleeting {
		keepTexts(Of[string](v)[v.Length()-len(rows):])
	}
	if v.Type == kernel.Code {
		v.Dict = Longer(v.Dict, src.Dict)
	}
	v.Null = appendNulls(v.Null, src, rows, v.Length()-len(rows))
}

// PutRows sets rows at of v to rows of src, a decoded vector of the same type, one after the
// other, NULLs included.
func (v *Vector) PutRows(src *Vector, rows []int32, at []uint32) {
	PutValues(v, src, rows, at)
	if v.Type == kernel.Code {
		v.Dict = Longer(v.Dict, src.Dict)
	}
	if src.Null == nil && v.Null == nil {
		return
	}
	if v.Null == nil {
		v.Null = make([]uint8, v.Length())
	}
	for i, r := range rows {
		v.Null[at[i]] = B2u(src.IsNull(int(r)))
	}
}

// PutValues sets rows at of dst to rows of src, a decoded vector of the same type, one after the other, NULLs aside.
func PutValues(dst, src *Vector, rows []int32, at []uint32) {
	dst.Column().putRows(src.Column(), rows, src.Const, at)
	if src.Fleeting {
		texts := Of[string](dst)
		for _, i := range at {
			texts[i] = long.Clone(texts[i])
		}
	}
}

// keepTexts copies texts whose memory is about to be taken.
func keepTexts(texts []string) {
	bytes := 0
	for _, t := range texts {
		bytes += len(t)
	}
	kept := make([]byte, 0, bytes)
	for i, t := range texts {
		at := len(kept)
		kept = long.AppendText(kept, t)
		texts[i] = unsafe.String(unsafe.SliceData(kept[at:]), len(t))
	}
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
	v.Null = takeNulls(v.Null, src, entries, had)
}
