package vector

import (
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// values are the values of a Vector, whatever their type: a *list of what the type is
// in memory. Where it takes another column, that has the same type.
type values interface {
	// length is the number of values, capacity for how many there is memory.
	length() int
	Capacity() int
	// Share makes the column the rows lo … hi−1 of src, whose memory it has then.
	Share(src values, lo, hi int)
	// Truncate leaves no values and keeps the memory.
	Truncate()
	// Grow makes room for so many values, of which some are there, in arrays, nil for ordinary memory.
	Grow(rows int, arrays *spare.Arrays)
	// Free releases the values to the arrays in which they lie.
	Free(arrays *spare.Arrays)
	// Extend appends n zero values.
	Extend(n int)
	// copyRow sets value i to value j of src.
	copyRow(i int, src values, j int)
	// copyRows sets the listed values to those of src.
	copyRows(src values, rows []int32, constant bool)
	// appendRows appends the listed values of src.
	appendRows(src values, rows []int32, constant bool)
	// putRows sets the values at to the listed values of src, one after the other.
	putRows(src values, rows []int32, constant bool, at []uint32)
	// takeRows appends the values that entries name of the columns src.
	takeRows(src []values, entries []Entry)
	// Gather sets value i to value rows[i] of src.
	Gather(src values, rows []int32)
	// LookUp sets the listed values to those of table at code plus one, the last one
	// where there is none, and at 0 where null, unless nil, says that there is no code.
	LookUp(table values, codes []uint32, null []uint8, rows []int32)
}

// columnKind is what a kernel type is in memory.
type columnKind struct {
	bytes int64 // of a value, those of texts aside
	make  func(rows int) values
}

// columnKinds are the kinds by kernel type.
var columnKinds = [...]columnKind{
	kernel.Bool:     kindOf[uint8](), // 0 or 1
	kernel.I32:      kindOf[int32](),
	kernel.I64:      kindOf[int64](),
	kernel.I128:     kindOf[value.Int128](),
	kernel.F64:      kindOf[float64](),
	kernel.Num:      kindOf[value.Num](),
	kernel.Interval: kindOf[value.Interval](),
	kernel.Str:      kindOf[string](),
	kernel.Code:     kindOf[uint32](),
}

func kindOf[T any]() columnKind {
	var x T
	return columnKind{int64(unsafe.Sizeof(x)), func(rows int) values { return &List[T]{make([]T, rows)} }}
}

// ValueBytes is the size in memory of one value of type t, the bytes of texts
// aside.
func ValueBytes(t kernel.Type) int64 { return columnKinds[t].bytes }

// List is the values of a column.
type List[T any] struct{ At []T }

func valuesOf[T any](c values) []T { return c.(*List[T]).At }

func (l *List[T]) length() int { return len(l.At) }

func (l *List[T]) Capacity() int { return cap(l.At) }

func (l *List[T]) Share(src values, lo, hi int) { l.At = valuesOf[T](src)[lo:hi] }

func (l *List[T]) Truncate() {
	if texts, ok := any(l.At).([]string); ok {
		clear(texts) // their memory is not ours to hold
	}
	l.At = l.At[:0]
}

func (l *List[T]) Grow(rows int, arrays *spare.Arrays) { l.At = spare.Grow(arrays, l.At, rows) }

func (l *List[T]) Free(arrays *spare.Arrays) {
	spare.Release(arrays, l.At)
	l.At = nil
}

func (l *List[T]) Extend(n int) { l.At = long.AppendZeros(l.At, n) }

func (l *List[T]) copyRow(i int, src values, j int) { l.At[i] = valuesOf[T](src)[j] }

func (l *List[T]) copyRows(src values, rows []int32, constant bool) {
	CopyRowsOf(l.At, valuesOf[T](src), rows, constant)
}

func (l *List[T]) appendRows(src values, rows []int32, constant bool) {
	l.At = appendRowsOf(l.At, valuesOf[T](src), rows, constant)
}

func (l *List[T]) putRows(src values, rows []int32, constant bool, at []uint32) {
	from, mask := valuesOf[T](src), int32(-1)
	if constant {
		mask = 0
	}
	for i, r := range rows {
		l.At[at[i]] = from[r&mask]
	}
}

func (l *List[T]) takeRows(src []values, entries []Entry) {
	slices := make([][]T, len(src))
	for i, s := range src {
		slices[i] = valuesOf[T](s)
	}
	had := len(l.At)
	l.At = withRoom(l.At, len(entries))[:had+len(entries)]
	for i, out := 0, l.At[had:]; i < len(out); i++ {
		out[i] = slices[entries[i].Buf][entries[i].Row]
	}
}

func (l *List[T]) Gather(src values, rows []int32) {
	GatherInto(l.At, valuesOf[T](src), rows)
}

func (l *List[T]) LookUp(table values, codes []uint32, null []uint8, rows []int32) {
	dst, from := l.At, valuesOf[T](table)
	last := uint32(len(from) - 1)
	if null == nil {
		for _, i := range rows {
			dst[i] = from[min(codes[i]+1, last)]
		}
		return
	}
	for _, i := range rows {
		if null[i] != 0 {
			dst[i] = from[0]
		} else {
			dst[i] = from[min(codes[i]+1, last)]
		}
	}
}

func GatherInto[T any](dst, src []T, rows []int32) []T {
	for i, r := range rows {
		dst[i] = src[r]
	}
	return dst
}

// Entry is one row to be sorted: as much of its keys as fits 64 bits, in a form
// whose unsigned order is the order asked for, and where the row lies.
type Entry struct {
	Prefix uint64
	Buf    uint32 // of the row buffers
	Row    uint32
}

func CopyRowsOf[T any](dst, src []T, rows []int32, constant bool) {
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
	return long.Append(long.Uncleared[T](max(2*cap(s), len(s)+n))[:0], s...)
}

// fitted returns a slice, shared, where it fills most of its memory or is lent, and a copy elsewhere.
// What lasts is none of the arrays.
func fitted[T any](s []T, arrays *spare.Arrays, life Lifetime) (own []T, shared bool) {
	switch full := len(s) >= cap(s)/4*3; {
	case life == Lent || life == Within && full:
		return s, true
	case life == Within:
		own = spare.New[T](arrays, len(s))
		long.Copy(own, s)
		return own, false
	case full && spare.Keep(arrays, s):
		return s, true
	}
	return long.Append(long.Uncleared[T](len(s))[:0], s...), false
}

// Discard gives the arrays of a chunk that nobody reads any more back to a run.
func Discard(c *runtime.Chunk, arrays *spare.Arrays) {
	spare.Release(arrays, c.U8)
	spare.Release(arrays, c.U16)
	spare.Release(arrays, c.U32)
	spare.Release(arrays, c.I64)
	spare.Release(arrays, c.I128)
	spare.Release(arrays, c.F64)
	spare.Release(arrays, c.Offsets)
	spare.Release(arrays, c.Bytes)
}

// Longer is the longer of two snapshots of a dictionary; b may be nil.
func Longer(a, b *runtime.Dictionary) *runtime.Dictionary {
	if a == nil || b != nil && len(b.Texts) > len(a.Texts) {
		return b
	}
	return a
}
