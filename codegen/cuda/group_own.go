package cuda

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// ownRows is how many rows a thread may add to cells of its own before they are
// emptied: what fields of them are wide enough for.
const ownRows = 1 << ownRowBits

const ownRowBits = 12

// ownCells are the cells that each thread of entry own has in shared memory, for
// few groups: adding to them takes no atomics. The 64-bit words of a cell hold the
// accumulators' fields: sums of small numbers lie side by side in halves of a word,
// wide enough for ownRows rows; a sum of others has a word.
type ownCells struct {
	*Grouping
	fields []ownField
	words  int
	room   []int // bits that are free in the halves of the words
}

// ownField is the field of an accumulator, or of a SeenField.
type ownField struct {
	acc   *GroupedAcc // nil: of seen
	seen  *SeenField
	value kernel.ValueID // NoValue: 1
	word  int
	shift int // a field lies in one half of its word
	bits  int // 64: the whole word
}

// mostOwn is the shared memory that the cells of a block's threads take at most: a
// multiprocessor has room for four blocks of it.
const mostOwn = 48 << 10

// bytes is the shared memory that the threads of a block need for so many cells.
func (o *ownCells) bytes(cells float64) float64 { return 8 * float64(o.words*o.threads) * cells }

// surely tells whether it is known that all cells fit.
func (o *ownCells) surely() bool { return o.likelyCells() > 0 }

// partsFit tells whether what a block's threads sum up in 64 bits each fits in them,
// before their cells are emptied.
func (g *Grouping) partsFit(acc *kernel.Acc) bool {
	if acc.Op != kernel.AccSum {
		return false
	}
	const most = math.MaxInt64 / (ownRows * threads)
	rng := g.f.Values[acc.Args[0]].Range
	return rng.Known && rng.Lo >= -most && rng.Hi <= most
}

// planOwn lays out the cells; nil where threads cannot have any: there are
// accumulators that are no sums of 64 bits, or too many cells. The sums of the
// threads of a block must fit in 64 bits, too, where the result has more.
func (g *Grouping) planOwn() *ownCells {
	if !g.groups.Dense || len(g.s.Keys) == 0 || g.groups.Again || g.groups.Wide || g.err != nil {
		return nil
	}
	o := &ownCells{Grouping: g}
	for i := range g.accs {
		a := &g.accs[i]
		if a.kind != keptSum && !(a.kind == keptWide && g.partsFit(a.acc)) {
			return nil
		}
		value := kernel.NoValue
		if a.acc.Op != kernel.AccCount && a.acc.Op != kernel.AccCountStar {
			value = a.acc.Args[0]
		}
		o.add(ownField{acc: a, value: value})
	}
	for i := range g.seen {
		o.add(ownField{seen: &g.seen[i], value: kernel.NoValue})
	}
	if o.bytes(g.likelyCells()) > mostOwn {
		return nil
	}
	return o
}

// add gives a field its place.
func (o *ownCells) add(f ownField) {
	f.bits = 64
	if width := o.valueBits(f.value) + ownRowBits; width <= 32 {
		f.bits = width
		o.placeHalf(&f)
	} else {
		f.word = o.newWord(0)
	}
	o.fields = append(o.fields, f)
}

// valueBits is how many bits the values of a field take; 64 for negative ones.
func (o *ownCells) valueBits(id kernel.ValueID) int {
	if id == kernel.NoValue {
		return 1
	}
	if rng := o.f.Values[id].Range; rng.Known && rng.Lo >= 0 {
		return bits.Len64(uint64(rng.Hi))
	}
	return 64
}

// placeHalf puts a field into the first half of a word that has room.
func (o *ownCells) placeHalf(f *ownField) {
	half := 0
	for half < len(o.room) && o.room[half] < f.bits {
		half++
	}
	if half == len(o.room) {
		o.newWord(32)
	}
	f.word, f.shift = half/2, half%2*32+32-o.room[half]
	o.room[half] -= f.bits
}

// newWord adds a word with so much room in each half.
func (o *ownCells) newWord(room int) int {
	o.room = append(o.room, room, room)
	o.words++
	return o.words - 1
}

// pass is the entry.
func (o *ownCells) pass() pass {
	return pass{
		name: "own", comment: "accumulates the rows in cells that each thread has of its own, for few groups",
		open: o.open, rows: o.rows, close: o.flush, eager: true,
		turns: func(e *Entry) string {
			return e.Arg(Arg{Kind: ArgTurns}, "i64", "tiles after which the cells are emptied")
		},
	}
}

// open declares the cells of the block and empties them.
func (o *ownCells) open(e *Entry) {
	e.Line("extern __shared__ u64 thread_words[];")
	e.Line("const u32 words = (u32)%s * %d;  // of a thread", e.Arg(Arg{Kind: ArgCells}, "u64", "cells"), o.words)
	e.Line("u64* const mine = thread_words + threadIdx.x;  // the first; the others lie T apart")
	e.Line("for (u32 w = 0; w < words; w++) mine[w * T] = 0;")
}

// rows adds the rows of a tile to their cells.
func (o *ownCells) rows(e *Entry) {
	o.denseCells(e)
	masks := o.masks(e)
	if o.groups.Ranges { // no row is left out but at the end
		e.Line("if (active == ALL)")
		o.addRows(e, "ROWS", masks)
		e.Line("else")
	}
	o.addRows(e, "ROWS if (bit(active, r))", masks)
}

// addRows adds some of the rows.
func (o *ownCells) addRows(e *Entry, rows string, masks []string) {
	e.Begin("%s", rows)
	e.Line("u64* const at = mine + cell[r] * %d * T;", o.words)
	for w := range o.words {
		e.Line("at[%d * T] += %s;", w, o.word(e, w, masks))
	}
	e.End()
}

// masks declares the rows that each field counts, once each.
func (o *ownCells) masks(e *Entry) []string {
	names := make([]string, len(o.fields))
	known := map[string]string{"active": "active"}
	for i, f := range o.fields {
		mask := ""
		if f.acc != nil {
			mask = e.Counted(f.acc.acc)
		} else {
			mask = f.seen.Counted(e)
		}
		if known[mask] == "" {
			known[mask] = e.Temp("rows")
			e.Line("const u32 %s = %s;", known[mask], mask)
		}
		names[i] = known[mask]
	}
	return names
}

// word is what a row adds to a word of its cell.
func (o *ownCells) word(e *Entry, w int, masks []string) string {
	var halves [2][]string
	for i, f := range o.fields {
		if f.word != w {
			continue
		}
		v := e.ownValue(&f)
		if masks[i] != "active" {
			v = fmt.Sprintf("(bit(%s, r) ? %s : 0)", masks[i], v)
		}
		if f.bits == 64 {
			return v
		}
		if f.shift%32 > 0 {
			v = fmt.Sprintf("(%s << %d)", v, f.shift%32)
		}
		halves[f.shift/32] = append(halves[f.shift/32], v)
	}
	low := strings.Join(halves[0], " + ")
	if len(halves[1]) == 0 {
		return low
	}
	return fmt.Sprintf("%s | (u64)(%s) << 32", low, strings.Join(halves[1], " + "))
}

// ownValue is what a row that counts adds to a field.
func (e *Entry) ownValue(f *ownField) string {
	one, as := "1u", "(u32)"
	if f.bits == 64 {
		one, as = "1ull", "(u64)(i64)"
	}
	if f.value == kernel.NoValue {
		return one
	}
	return as + e.At(f.value)
}

// flush adds what the threads have in their cells to those of all, a warp a cell,
// and empties them.
func (o *ownCells) flush(e *Entry) {
	e.Line("__syncthreads();")
	e.Begin("for (u32 cell = threadIdx.x / 32; cell < words / %d; cell += WARPS)", o.words)
	for w := range o.words {
		o.flushWord(e, w)
	}
	e.End()
	e.Line("__syncthreads();")
	e.Line("for (u32 w = 0; w < words; w++) mine[w * T] = 0;")
}

// flushWord adds up the fields of a word over the threads.
func (o *ownCells) flushWord(e *Entry, w int) {
	e.Begin("")
	var here []*ownField
	for i := range o.fields {
		if f := &o.fields[i]; f.word == w {
			e.Line("u64 v%d = 0;", len(here))
			here = append(here, f)
		}
	}
	e.Begin("for (u32 t = threadIdx.x %% 32; t < T; t += 32)")
	e.Line("const u64 word = thread_words[(cell * %d + %d) * T + t];", o.words, w)
	for i, f := range here {
		if f.bits == 64 {
			e.Line("v%d += word;", i)
		} else {
			e.Line("v%d += word >> %d & %#x;", i, f.shift, uint64(1)<<f.bits-1)
		}
	}
	e.End()
	for i, f := range here {
		e.Line("v%d = warp_sum(v%d);", i, i)
		if f.acc != nil && f.acc.kind == keptWide {
			e.Line("if (v%d && threadIdx.x %% 32 == 0) global_add(%s, cell, widen((i128)(i64)v%d));", i, f.acc.wide(e, 0), i)
		} else if f.acc != nil {
			e.Line("if (v%d && threadIdx.x %% 32 == 0) atomicAdd(%s + cell, v%d);", i, f.acc.array(e, 0), i)
		} else {
			e.Line("if (v%d && threadIdx.x %% 32 == 0) atomicOr(%s + cell, 1u);", i, f.seen.array(e))
		}
	}
	e.End()
}
