package thread

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

//go:embed thread.cuh
var code string

// open declares the cells of the block and empties them.
func (o *cells) open(e *cuda.Entry) {
	e.Line("extern __shared__ u64 thread_words[];")
	e.Line("const u32 words = (u32)%s * %d;  // of a thread", e.Arg(cuda.Arg{Kind: cuda.ArgCells}, "u64", "cells"), o.words)
	e.Line("u64* const mine = thread_words + threadIdx.x;  // the first; the others lie T apart")
	e.Line("clear_words(mine, words);")
	if o.Multiplies() {
		e.Line("u32 held = 0;  // rows of a thread since its warp made room, at most")
	}
}

// rows adds the rows of a tile to their cells.
func (o *cells) rows(e *cuda.Entry) {
	o.DenseCells(e)
	if o.Multiplies() {
		o.makeRoom(e)
	}
	masks := o.masks(e)
	if o.IsRepeatable() { // no row is left out but at the end
		e.Line("if (active == ALL)")
		o.addRows(e, "ROWS", masks)
		e.Line("else")
	}
	o.addRows(e, "ROWS if (bit(active, r))", masks)
}

// makeRoom has the threads of a warp empty their cells before they could be full: a block
// empties them after some tiles, and tiles may have more rows than their source has. Every
// thread of the warp gets there.
func (o *cells) makeRoom(e *cuda.Entry) {
	e.Line("held += R;")
	e.Begin("if (held > %d)", maxRows)
	e.Line("__syncwarp();")
	o.flushCells(e, "0", "1", "thread_words + (threadIdx.x & ~31u)", "32")
	e.Line("__syncwarp();")
	e.Line("clear_words(mine, words);")
	e.Line("held = R;")
	e.End()
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
	o.flushCells(e, "threadIdx.x / 32", "WARPS", "thread_words", "T")
	e.Line("__syncthreads();")
	e.Line("clear_words(mine, words);")
}

// flushCells adds what some threads have in cells to those of all: a warp does so for every
// step-th cell from the first on. words are those of the first thread.
func (o *cells) flushCells(e *cuda.Entry, first, step, words, threads string) {
	e.Begin("for (u32 cell = %s; cell < words / %d; cell += %s)", first, o.words, step)
	for w := range o.words {
		o.flushWord(e, w, words, threads)
	}
	e.End()
}

// flushWord adds up the fields of a word over some threads.
func (o *cells) flushWord(e *cuda.Entry, w int, words, threads string) {
	var bits, terms []string
	for i := range o.fields {
		if f := &o.fields[i]; f.word == w {
			terms = append(terms, f.term(e, fmt.Sprintf("sum[%d], cell", len(bits))))
			bits = append(bits, fmt.Sprintf("Bits<%d, %d>", f.shift, f.bits))
		}
	}
	e.Begin("")
	e.Line("u64 sum[%d];", len(bits))
	e.Line("sum_fields<%s, %s>(%s, (cell * %d + %d) * T, sum);", threads, strings.Join(bits, ", "), words, o.words, w)
	for _, term := range terms {
		e.Line("flush<%s);", term)
	}
	e.End()
}

// term is what a field is added to: a kind of term for a sum and cell, and its arrays.
func (f *field) term(e *cuda.Entry, sum string) string {
	switch {
	case f.acc == nil:
		return fmt.Sprintf("Flag>(%s, %s", sum, f.seen.Array(e))
	case f.acc.IsWideSum():
		return fmt.Sprintf("WideSum>(%s, %s", sum, f.acc.Wide(e, 0))
	}
	return fmt.Sprintf("Sum>(%s, %s", sum, f.acc.Array(e, 0))
}
