package vector

import (
	"math"
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
)

// offsetValues are integers less a base: an *offsetList of some width.
type offsetValues interface {
	length() int
	Capacity() int
	Grow(rows int)
	Truncate()
	// limit is the greatest offset.
	limit() uint64
	// appendStored appends values of a chunk plus add.
	appendStored(raw *runtime.Chunk, add int64, p *places)
	// appendDecoded appends rows of a decoded vector plus add.
	appendDecoded(v *Vector, add int64, p *places)
	// bound returns the least and the greatest that is not NULL. All are between lo and
	// hi.
	bound(null []uint8, lo, hi uint64) (least, most uint64)
	// lower takes so much from each offset.
	lower(by uint64)
	// store makes the offsets those of a chunk, shared or not.
	store(c *runtime.Chunk)
	// handOver is store for a chunk that is read so long: where it does not keep a copy, it
	// reports true.
	handOver(c *runtime.Chunk, life Lifetime) bool
}

// offset is what offsets are stored as; those of 64 bits are the integers themselves.
type offset interface {
	uint8 | uint16 | uint32 | int64
}

// offsetList is a list of offsets of one width.
type offsetList[D offset] struct {
	List[D]
	arrays *spare.Arrays
}

func (l *offsetList[D]) Grow(rows int) { l.At = spare.Grow(l.arrays, l.At, rows) }

// listOf returns an empty list of offsets, had itself where it is one.
func listOf[D offset](had offsetValues, arrays *spare.Arrays) offsetValues {
	if l, ok := had.(*offsetList[D]); ok && l.length() == 0 {
		return l
	}
	return &offsetList[D]{arrays: arrays}
}

func (l *offsetList[D]) limit() uint64 {
	var zero D
	return math.MaxUint64 >> (64 - 8*unsafe.Sizeof(zero))
}

func (l *offsetList[D]) appendStored(raw *runtime.Chunk, add int64, p *places) {
	switch raw.Enc {
	case runtime.EncU8:
		l.At = appendOffsets(l.At, raw.U8, add, p)
	case runtime.EncU16:
		l.At = appendOffsets(l.At, raw.U16, add, p)
	case runtime.EncU32:
		l.At = appendOffsets(l.At, raw.U32, add, p)
	case runtime.EncI64:
		l.At = appendOffsets(l.At, raw.I64, add, p)
	default:
		l.repeat(D(add), p.n)
	}
}

func (l *offsetList[D]) appendDecoded(v *Vector, add int64, p *places) {
	switch {
	case v.Const:
		l.repeat(D(integerAt(v, 0)+add), p.n)
	case v.Type == kernel.I32:
		l.At = appendOffsets(l.At, Of[int32](v), add, p)
	case v.Type == kernel.I64:
		l.At = appendOffsets(l.At, Of[int64](v), add, p)
	default:
		l.At = appendOffsets(l.At, Of[uint32](v), add, p)
	}
}

// integerAt is the integer or code of row i of a decoded vector.
func integerAt(v *Vector, i int) int64 {
	switch v.Type {
	case kernel.I32:
		return int64(Of[int32](v)[i])
	case kernel.I64:
		return Of[int64](v)[i]
	}
	return int64(Of[uint32](v)[i])
}

// repeat appends an offset n times.
func (l *offsetList[D]) repeat(x D, n int) {
	had := len(l.At)
	l.At = withRoom(l.At, n)[:had+n]
	Fill(l.At[had:], x)
}

// appendOffsets appends the integers of src at the places plus add.
func appendOffsets[D offset, S uint8 | uint16 | uint32 | int32 | int64](dst []D, src []S, add int64, p *places) []D {
	had := len(dst)
	dst = withRoom(dst, p.n)[:had+p.n]
	out := dst[had:]
	src = src[p.start:]
	if p.list == nil {
		for i, x := range src[:len(out)] {
			out[i] = D(int64(x) + add)
		}
		return dst
	}
	for i, r := range p.list[:len(out)] {
		out[i] = D(int64(src[r]) + add)
	}
	return dst
}

func (l *offsetList[D]) bound(null []uint8, lo, hi uint64) (least, most uint64) {
	first := firstValue(null)
	x, y := l.At[first], l.At[first]
	for at := first; at < len(l.At) && (uint64(x) != lo || uint64(y) != hi); at += DefaultRows {
		end := min(at+DefaultRows, len(l.At))
		if null == nil {
			x, y = extend(x, y, l.At[at:end], nil)
		} else {
			x, y = extend(x, y, l.At[at:end], null[at:end])
		}
	}
	return uint64(x), uint64(y)
}

func (l *offsetList[D]) lower(by uint64) {
	for i := range l.At {
		l.At[i] -= D(by)
	}
}

func (l *offsetList[D]) store(c *runtime.Chunk) {
	switch list := any(l.At).(type) {
	case []uint8:
		c.Enc, c.U8 = runtime.EncU8, list
	case []uint16:
		c.Enc, c.U16 = runtime.EncU16, list
	case []uint32:
		c.Enc, c.U32 = runtime.EncU32, list
	case []int64:
		c.Enc, c.I64 = runtime.EncI64, list
	}
}

func (l *offsetList[D]) handOver(c *runtime.Chunk, life Lifetime) bool {
	own, shared := fitted(l.At, l.arrays, life)
	(&offsetList[D]{List: List[D]{own}}).store(c)
	return shared
}

// boundsOf returns the least and the greatest of the listed integers of a decoded vector
// that are not NULL; lo > hi where there is none.
func boundsOf(v *Vector, rows *Rows) (lo, hi int64) {
	list := rows.List
	if v.Const {
		list = list[:1]
	}
	switch v.Type {
	case kernel.I32:
		return boundRows(Of[int32](v), v, list)
	case kernel.I64:
		return boundRows(Of[int64](v), v, list)
	}
	return boundRows(Of[uint32](v), v, list)
}

func boundRows[T Integer](vals []T, v *Vector, list []int32) (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	mask := int32(v.Mask())
	for _, r := range list {
		if i := r & mask; v.Null == nil || v.Null[i] == 0 {
			x := int64(vals[i])
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	return lo, hi
}
