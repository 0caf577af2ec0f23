package cuda

import (
	"fmt"
	"math"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// maxTop is how many rows a limit lets through at most where a bound of their keys is found
// first: what sampledBefore makes of it must be less than leastKeys.
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
func (r *renderer) least(lead []leadField, first int64) {
	r.include("digits.cuh")
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
		Last: func(e *Entry) {
			e.whereLast("whether the last block finds the bound", "", func(string) {
				e.Line("__shared__ FoundBound found;")
				e.Line("find_bound(found, %s, %d, %d, %s);", e.leastKeys(), sampledBefore(first), inOrderBefore(first, int64(e.rows*e.threads)), e.boundKey())
				e.Line("if (threadIdx.x == 0) *%s = 0;", e.ended())
			})
		},
	})
}

// sampleStride is how many tiles there are for each one that is in the sample: STRIDE of top.cuh.
const sampleStride = 8

// sampledBefore is how many rows of the sample come before the bound: the share of the first ones that
// it has, with a margin for chance of six standard deviations and some more.
func sampledBefore(first int64) int64 {
	share := float64(first) / sampleStride
	return int64(math.Ceil(share+6*math.Sqrt(share))) + 8
}

// inOrderBefore is how many of the least keys come before the bound where rows are in order: two quads of rows
// have one, and when all of those of the tile at the beginning of the order come before it, so do many tiles
// that are not in the sample.
func inOrderBefore(first, tile int64) int64 { return min(first, tile)/8 + 8 }

// leastKeys are the least keys that have been offered, and boundKey is one of them.
func (e *arguments) leastKeys() string {
	return e.Arg(Arg{Kind: ArgLeast}, "u64*", "least keys of a sample")
}

func (e *arguments) boundKey() string {
	return e.Arg(Arg{Kind: ArgBound}, "u64*", "bound of the keys of the rows that are kept")
}

func (e *arguments) bounded() string {
	return e.Arg(Arg{Kind: ArgBounded}, "u64", "1 where there is a bound")
}

// top renders the entry that a bound of the keys of the first rows is found with, and leaves
// out those beyond it.
func (r *renderer) top(s *kernel.Sort, words [][]sortField, first int64) *keeping {
	lead, whole := r.lead(words)
	r.least(lead, first)
	keep := &keeping{few: true, open: func(e *Entry) { e.openTop(whole) }, keep: func(e *Entry) { e.withinBound(lead, whole, first) }}
	if r.lastOrders() {
		r.include("few.cuh")
		keep.last = func(e *Entry) { e.orderLast(s, first) }
		if r.rows == narrowRows {
			keep.resident = lastResident
		}
	}
	return keep
}

// Rows of which a thread holds narrowRows need fewer registers than ordering the rows that are left, for which the
// compiler would take more: it is to leave so many threads as there are without that.
const (
	narrowRows   = 16
	lastResident = 4 * threads
)

// lastOrders reports whether the last block may order the rows that are left: it has a thread for each
// digit, and nobody else has taken shared memory.
func (r *renderer) lastOrders() bool { return r.threads == threads && ownBytes(r.f, threads) == 0 }

// orderLast has the last block that ends order the rows and write those wanted, where they are few, and
// enough.
func (e *Entry) orderLast(s *kernel.Sort, first int64) {
	layout := e.sort
	words := fmt.Sprint(layout.Words)
	if layout.Texts > 0 {
		words = fmt.Sprintf("%d + %d * %s", layout.Words, layout.Texts, e.textWords())
	}
	e.whereLast("up to how many rows the last block orders", "", func(most string) {
		e.Line("__shared__ FewRows few;")
		e.Line("const u64 rows = *(volatile u64*)%s, wanted = %s ? %d : 0;", e.count(), e.bounded(), first)
		e.Begin("if (wanted <= rows && rows <= %s && rows <= %s)", most, e.capacity())
		keys := e.Arg(Arg{Kind: ArgSortKeys}, "u64*", "words of the keys")
		e.Line("const u16* const order = order_few(few, %s, %s, %s, (u32)rows) + %d;", keys, e.capacity(), words, s.Offset)
		e.gatherFew(s)
		e.End()
	})
}

// gatherFew copies the rows wanted to where the first rows go.
func (e *Entry) gatherFew(s *kernel.Sort) {
	e.Line("const u32 given = rows <= %d ? 0 : (u32)min(rows - %d, %dull);", s.Offset, s.Offset, s.Limit)
	for i, shape := range e.outputs {
		single := shape.Encoding != EncBits && !shape.Encoding.takesWords()
		if single {
			e.Line("gather_few(%d, %s, %s, order, given);", i, e.columnData(i, firstColumns), e.columnData(i, resultColumns))
		}
		if single && !shape.Nullable {
			continue
		}
		e.Begin("for (u32 to = first_few(%d, given); to < given; to += T)", i)
		e.Line("const u32 row = order[to];")
		if shape.Nullable {
			e.moveValid(i, resultColumns, firstColumns)
		}
		if !single {
			e.moveData(i, resultColumns, firstColumns)
		}
		e.End()
	}
}

// firstColumns are where the first rows go.
var firstColumns = outputColumns{ArgFirstData, ArgFirstValid, "%s*", "first rows of result "}

// openTop declares the bound of the keys of the rows that are kept, and whether those that have it as their key
// are enough.
func (e *Entry) openTop(whole bool) {
	e.Line("const u64 bound = %s ? *%s : ~0ull;", e.bounded(), e.boundKey())
	if whole {
		e.Line("bool enough = false;")
	}
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
		e.Line("active = active & ~equal | first_equal(equal, enough, %s, %d);", count, first)
	}
}
