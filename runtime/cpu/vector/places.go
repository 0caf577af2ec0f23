package vector

import (
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// Rows are some rows of a batch whose values are copied. They know where the rows lie in
// the chunks of raw vectors.
type Rows struct {
	List   []int32 // in increasing order; there is one at the least
	lie    bool    // the rows lie together
	direct places  // of vectors without a list of places
	placed places  // of the vectors whose list begins at first
	first  *int32
	clamp  []int32 // memory of placed
	null   []uint8 // memory of placed
}

// places say where rows lie: at start, start+1, …, or at start plus those in list.
type places struct {
	n     int
	start int
	list  []int32
	null  []uint8 // 1 for rows that lie nowhere, and are NULL; nil: there is none
}

// Set makes r the rows in a list, which must not change meanwhile.
func (r *Rows) Set(list []int32) { r.List, r.lie, r.first = list, isIdentity(list), nil }

// of is where the rows of a vector lie, in its chunk where it is raw; valid until the next
// call.
func (r *Rows) of(v *Vector) *places {
	if v.Raw != nil && v.At != nil {
		if r.first != &v.At[0] {
			r.first = &v.At[0]
			r.place(v.At)
		}
		return &r.placed
	}
	r.direct = places{n: len(r.List), list: r.List}
	if v.Raw != nil {
		r.direct.start = v.Start
	}
	if r.lie {
		r.direct.list = nil
		r.direct.start += int(r.List[0])
	}
	return &r.direct
}

// place makes places of those in a list by row.
func (r *Rows) place(at []int32) {
	r.placed = places{n: len(r.List)}
	if r.lie {
		r.placed.list = at[r.List[0]:][:len(r.List)]
	} else {
		r.clamp = GatherInto(Room(&r.clamp, len(r.List)), at, r.List)
		r.placed.list = r.clamp
	}
	if !anyNegative(r.placed.list) {
		return
	}
	null, clamp := Room(&r.null, len(r.List)), Room(&r.clamp, len(r.List))
	for i, p := range r.placed.list {
		null[i], clamp[i] = uint8(uint32(p)>>31), max(p, 0)
	}
	r.placed.list, r.placed.null = clamp, null
}

// appendAt appends the values of src at the places.
func appendAt[T any](dst, src []T, p *places) []T {
	src = src[p.start:]
	if p.list == nil {
		return long.Append(withRoom(dst, p.n), src[:p.n]...)
	}
	had := len(dst)
	dst = withRoom(dst, p.n)[:had+p.n]
	out := dst[had:]
	for i, r := range p.list[:len(out)] {
		out[i] = src[r]
	}
	return dst
}

// appendStoredNulls appends the NULL flags of rows of a chunk to those of had rows; nil is
// that none is NULL.
func appendStoredNulls(null []uint8, raw *runtime.Chunk, p *places, had int) []uint8 {
	if raw.Nulls == 0 && p.null == nil {
		if null != nil {
			null = long.AppendZeros(null, p.n)
		}
		return null
	}
	if null == nil {
		null = make([]uint8, had, had+p.n)
	}
	null = withRoom(null, p.n)[:had+p.n]
	out := null[had:]
	if raw.Nulls == 0 {
		copy(out, p.null)
		return null
	}
	for i := range out {
		at := p.start + i
		if p.list != nil {
			at = p.start + int(p.list[i])
		}
		out[i] = ^raw.Valid[at>>3] >> (at & 7) & 1
	}
	for i, n := range p.null {
		out[i] |= n
	}
	return null
}

// appendNulls appends the NULL flags of rows of a decoded vector to those of had rows; nil
// is that none is NULL.
func appendNulls(null []uint8, src *Vector, rows []int32, had int) []uint8 {
	if src.Null == nil && null == nil {
		return nil
	}
	if null == nil {
		null = make([]uint8, had)
	}
	if src.Null == nil {
		return long.AppendZeros(null, len(rows))
	}
	return appendRowsOf(null, src.Null, rows, src.Const)
}

// takeNulls appends the NULL flags of the rows that entries name to those of had rows; nil
// is that none is NULL.
func takeNulls(null []uint8, src []*Vector, entries []Entry, had int) []uint8 {
	any := null != nil
	for _, s := range src {
		any = any || s.Null != nil
	}
	if !any {
		return nil
	}
	if null == nil {
		null = make([]uint8, had)
	}
	for _, e := range entries {
		null = append(null, B2u(src[e.Buf].IsNull(int(e.Row))))
	}
	return null
}
