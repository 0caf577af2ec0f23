package private

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// open declares the cells of the block and empties them.
func (o *cells) open(e *cuda.Entry) {
	e.Line("extern __shared__ u64 thread_words[];")
	e.Line("const u32 words = (u32)%s * %d;  // of a thread", e.Arg(cuda.Arg{Kind: cuda.ArgCells}, "u64", "cells"), o.words)
	e.Line("u64* const mine = thread_words + threadIdx.x;  // the first; the others lie T apart")
	e.Line("for (u32 w = 0; w < words; w++) mine[w * T] = 0;")
}

// rows adds the rows of a tile to their cells.
func (o *cells) rows(e *cuda.Entry) {
	o.DenseCells(e)
	masks := o.masks(e)
	if o.IsRepeatable() { // no row is left out but at the end
		e.Line("if (active == ALL)")
		o.addRows(e, "ROWS", masks)
		e.Line("else")
	}
	o.addRows(e, "ROWS if (bit(active, r))", masks)
}

// addRows adds some of the rows.
func (o *cells) addRows(e *cuda.Entry, rows string, masks []string) {
	e.Begin("%s", rows)
	e.Line("u64* const at = mine + cell[r] * %d * T;", o.words)
	for w := range o.words {
		e.Line("at[%d * T] += %s;", w, o.word(e, w, masks))
	}
	e.End()
}

// masks declares the rows that each field counts, once each.
func (o *cells) masks(e *cuda.Entry) []string {
	names := make([]string, len(o.fields))
	known := map[string]string{"active": "active"}
	for i, f := range o.fields {
		mask := ""
		if f.acc != nil {
			mask = e.Counted(f.acc.Acc())
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
func (o *cells) word(e *cuda.Entry, w int, masks []string) string {
	var halves [2][]string
	for i, f := range o.fields {
		if f.word != w {
			continue
		}
		v := f.added(e)
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

// added is what a row that counts adds to a field.
func (f *field) added(e *cuda.Entry) string {
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
func (o *cells) flush(e *cuda.Entry) {
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
func (o *cells) flushWord(e *cuda.Entry, w int) {
	e.Begin("")
	var here []*field
	for i := range o.fields {
		if f := &o.fields[i]; f.word == w {
			e.Line("u64 sum%d = 0;", len(here))
			here = append(here, f)
		}
	}
	e.Begin("for (u32 t = threadIdx.x %% 32; t < T; t += 32)")
	e.Line("const u64 word = thread_words[(cell * %d + %d) * T + t];", o.words, w)
	for i, f := range here {
		if f.bits == 64 {
			e.Line("sum%d += word;", i)
		} else {
			e.Line("sum%d += word >> %d & %#x;", i, f.shift, uint64(1)<<f.bits-1)
		}
	}
	e.End()
	for i, f := range here {
		e.Line("sum%d = warp_sum(sum%d);", i, i)
		if f.acc != nil && f.acc.IsWideSum() {
			e.Line("if (sum%d && threadIdx.x %% 32 == 0) WideSum::add(widen((i128)(i64)sum%d), cell, %s);", i, i, f.acc.Wide(e, 0))
		} else if f.acc != nil {
			e.Line("if (sum%d && threadIdx.x %% 32 == 0) atomicAdd(%s + cell, sum%d);", i, f.acc.Array(e, 0), i)
		} else {
			e.Line("if (sum%d && threadIdx.x %% 32 == 0) atomicOr(%s + cell, 1u);", i, f.seen.Array(e))
		}
	}
	e.End()
}
