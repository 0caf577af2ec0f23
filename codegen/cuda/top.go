package cuda

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// maxTop is how many rows a limit lets through at most where a bound of their keys is found
// first: what boundAt makes of it must be less than leastKeys.
const maxTop = 12 << 10

// topRows is how many rows a Sort needs at the beginning of the order, where only those are
// kept that may be among them; 0 where all are.
func topRows(s *kernel.Sort) int64 {
	if !s.Top || s.Limit < 0 || s.Limit > maxTop || s.Offset > maxTop-s.Limit {
		return 0
	}
	return s.Limit + s.Offset
}

// leadField is a field of a key, but for its lowest bits.
type leadField struct {
	sortField
	cut int
}

// lead returns the first 64 bits of a key, whose order is that of the keys but that keys may
// be equal which differ further behind; whole reports whether there are none that do.
func (r *renderer) lead(words [][]sortField) (lead []leadField, whole bool) {
	room := 64
	for _, fields := range words {
		for _, f := range fields {
			if f.half == halfHigh && r.f.Values[f.key.Val].Type != kernel.Num {
				f.half = halfSaturated
			}
			l := leadField{sortField: f, cut: max(f.size-room, 0)}
			lead = append(lead, l)
			room -= f.size - l.cut
			if l.cut > 0 || f.half == halfSaturated || f.text {
				return lead, false
			}
		}
	}
	return lead, true
}

// leadKey declares key, the first bits of the key of row r.
func (e *Entry) leadKey(lead []leadField) {
	var parts []string
	used := 0
	for _, f := range lead {
		used += f.size - f.cut
	}
	for _, f := range lead {
		if f.text {
			e.Line("const u64 w = 0;")
		}
		used -= f.size - f.cut
		part := e.sortBitsOf(f.sortField)
		if f.cut > 0 {
			part = fmt.Sprintf("(%s >> %d)", part, f.cut)
		}
		parts = append(parts, fmt.Sprintf("%s << %d", part, used))
	}
	if len(parts) == 0 {
		parts = []string{"0"}
	}
	e.Line("const u64 key = %s;", strings.Join(parts, " | "))
}

// least renders the entry that goes over some tiles and offers the least keys of its
// threads.
func (r *renderer) least(lead []leadField) {
	r.include("top.cuh")
	var reads []kernel.ValueID
	for _, f := range lead {
		reads = append(reads, f.key.Val)
	}
	r.Pass(Pass{
		Name: "least", Comment: "finds least keys of the rows of some tiles that remain", Reads: reads, Strides: true,
		Open: func(e *Entry) {
			e.Line("u64 least[R / 4];")
			e.Line("QUADS least[q] = ~0ull;")
		},
		Rows: func(e *Entry) {
			e.Begin("ROWS if (bit(active, r))")
			e.leadKey(lead)
			e.Line("least[r / 4] = key < least[r / 4] ? key : least[r / 4];")
			e.End()
		},
		Close: func(e *Entry) { e.Line("offer_least(%s, least);", e.leastKeys()) },
	})
}

// leastKeys are the least keys that have been offered.
func (e *arguments) leastKeys() string {
	return e.Arg(Arg{Kind: ArgLeast}, "u64*", "least keys of a sample")
}

// top renders the entry that a bound of the keys of the first rows is found with, and leaves
// out those beyond it.
func (r *renderer) top(words [][]sortField, first int64) *keeping {
	lead, whole := r.lead(words)
	r.least(lead)
	return &keeping{open: (*Entry).openTop, keep: func(e *Entry) { e.withinBound(lead, whole, first) }}
}

// openTop declares the bound of the keys of the rows that are kept.
func (e *Entry) openTop() {
	bound := e.Arg(Arg{Kind: ArgBound}, "const u64*", "bound of the keys of the rows that are kept")
	e.Line("const u64 bound = %s ? *%s : ~0ull;", e.Arg(Arg{Kind: ArgBounded}, "u64", "1 where there is a bound"), bound)
}

// withinBound leaves those rows that may be among the first so many. Of rows with the key
// that is the bound so many are enough, where nothing of the key is left out.
func (e *Entry) withinBound(lead []leadField, whole bool, first int64) {
	if whole {
		e.Line("u32 equal = 0;")
	}
	e.Begin("ROWS if (bit(active, r))")
	e.leadKey(lead)
	e.Line("if (key > bound) active &= ~(1u << r);")
	if whole {
		e.Line("set(equal, r, key == bound);")
	}
	e.End()
	if whole {
		count := e.Arg(Arg{Kind: ArgBoundEqual}, "u64*", "counter of rows with the bound as their key")
		e.Line("active = active & ~equal | first_equal(equal, scratch, block_place, %s, %d);", count, first)
	}
}
