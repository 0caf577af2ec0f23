package cuda

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// Calls that put the texts of each partition together. Their bytes are counted, and a scan of these
// counts says where each is copied to: see concatenate.cuh.

// entryName is the name of one of its entries.
func (c *concatenation) entryName(does string) string { return fmt.Sprintf("%s_texts%d", does, c.call) }

// isConcatenation reports whether a call puts texts together.
func isConcatenation(c *kernel.WindowCall) bool {
	return c.Func == kernel.WindowStringAgg || c.Func == kernel.WindowStringAggDistinct || c.Acc.Op == kernel.AccConcatenate
}

// concatenations renders the entries that put texts together.
func (w *windowing) concatenations() {
	for i := range w.s.Calls {
		c := &w.s.Calls[i]
		if !isConcatenation(c) {
			continue
		}
		w.ctype(kernel.Str)
		w.include("concatenate.cuh")
		made := &concatenation{call: i, column: slices.Index(w.renderer.results, c.Dst[0]), take: w.piece(i, c)}
		w.concatenated = append(w.concatenated, made)
		take := fmt.Sprintf("[&](u64 i) { return %s(p, i); }", made.take.name)
		w.overTiles(made.entryName("measure"), "counts the bytes of texts that are put together", (*Entry).openQuads, func(e *Entry) {
			w.calls(made.take)
			e.Line("measure_pieces(scratch, %s, tile, %s, %s);", e.ordered(), e.tileStart(), take)
		})
		w.overTiles(made.entryName("end"), "finds where each ends", (*Entry).openQuads, func(e *Entry) {
			w.calls(made.take)
			e.Line("end_pieces(scratch, %s, tile, %s[tile], %s, %s);", e.ordered(), e.tileStart(), e.textEnds(i), take)
		})
		w.entry(made.entryName("longest"), "finds the longest text of a partition", threads, func(e *Entry) {
			of, starts := e.partitions()
			e.Line("find_longest(%s, %s, %s, %s, %s);", e.ordered(), of, starts, e.textEnds(i),
				e.Arg(Arg{Kind: ArgTextLongest, Index: i}, "u64*", "bytes of the longest text"))
		})
		w.entry(made.entryName("copy"), "copies the texts", threads, func(e *Entry) {
			w.calls(made.take)
			e.Line("copy_pieces(%s, %s, %s, %s);", e.ordered(), e.textEnds(i), e.textBytes(i), take)
		})
	}
}

func (e *Entry) textEnds(call int) string {
	return e.Arg(Arg{Kind: ArgTextEnds, Index: call}, "u64*", "where what each row adds to a text ends")
}

func (e *Entry) textBytes(call int) string {
	return e.Arg(Arg{Kind: ArgTextBytes, Index: call}, "u8*", "bytes of the texts")
}

// piece renders what row i adds to the text of its partition.
func (w *windowing) piece(number int, c *kernel.WindowCall) function {
	text, separator := c.Args[0], c.Args[1]
	return w.function("what row i adds to a text", "Piece", fmt.Sprintf("piece%d", number), ", const u64 i", func(e *Entry) {
		e.Line("const u64 row = %s;", e.rowOf("i"))
		e.Line("const int r = 0;")
		e.Line("const u32 active = 1;")
		if w.groups { // it is left out where the text of the group is read: rows before may not count
			e.Line("const bool first = false;")
		} else {
			e.Line("const bool first = %s[i] == NEW_PARTITION;", e.marks())
		}
		w.load(e, "row", text, separator, c.Filter)
		e.Line("Piece piece = {{0}, {0}};")
		e.Line("if (!(%s)) return piece;", e.Counted(&kernel.Acc{Args: c.Args[:1], Filter: c.Filter}))
		if c.Func == kernel.WindowStringAggDistinct {
			e.Line("if (!first && %s) return piece;", w.likeBefore(e, text))
		}
		e.Line("piece.text = %s;", w.At(text))
		e.Line("if (!first && %s) piece.separator = %s;", w.holds(separator), w.At(separator))
		e.Line("return piece;")
	})
}

// likeBefore is the condition that a text, of a row that has one before it in its partition, is
// that of the row before.
func (w *windowing) likeBefore(e *Entry, text kernel.ValueID) string {
	if w.paramOf(text) >= 0 {
		return "true"
	}
	e.Line("const u64 before = first ? row : %s;", e.rowOf("i - 1"))
	same := fmt.Sprintf("same_text(%s, %s)", w.At(text), w.elementOf(text, "before"))
	if n := w.nullOf(text, "before"); n != "" {
		return "!(" + n + ") && " + same
	}
	return same
}

// concatenation declares the text of the partition in its last row.
func (w *windowing) concatenation(e *Entry, c *kernel.WindowCall, number int) {
	text, ends := c.Args[0], e.textEnds(number)
	w.load(e, "row", text)
	e.Line("const bool last = i + 1 == partition.hi && %s;", w.holds(text))
	e.Line("const u64 from = bytes_before(%s, partition.lo);", ends)
	w.declareRow(e, c.Dst[0], fmt.Sprintf("text_of(%s + from, last ? %s[i] - from : 0)", e.textBytes(number), ends), "!last")
}

// groupText declares the text of group k, of which s.n rows count.
func (w *windowing) groupText(e *Entry, a *windowAcc) {
	_, starts := e.partitions()
	separator, ends := a.acc.Args[1], e.textEnds(a.call)
	w.load(e, "first_row", separator)
	e.Line("const u64 from = any ? bytes_before(%s, %s[k]) + size_of(%s) : 0;", ends, starts, w.At(separator))
	e.Line("const u64 size = s.n ? %s[%s[k + 1] - 1] - from : 0;", ends, starts)
	w.declareRow(e, a.acc.Dst[0], fmt.Sprintf("text_of(%s + from, size)", e.textBytes(a.call)), "s.n == 0")
}

// concatenations plans that texts are put together, and returns what they lie in.
func (p *windowPlanner) concatenations(n, tiles launch.Expr) (texts []launch.Texts) {
	for _, c := range p.w.concatenated {
		starts := p.alloc("text_starts", expr.Times(launch.Int(8), expr.Plus(tiles, launch.Int(2))), launch.Zeros)
		as := func(kind ArgKind, access launch.Access, ref launch.Ref) {
			p.Pointer(Arg{Kind: kind, Index: c.call}, access, ref)
		}
		atTiles := func(access launch.Access) { p.Pointer(Arg{Kind: ArgTileStart}, access, launch.Ref{Buffer: starts}) }
		word := func(behind int) launch.Ref {
			return launch.Ref{Buffer: starts, Offset: expr.Times(launch.Int(8), expr.Plus(tiles, launch.Int(behind)))}
		}
		atTiles(launch.Out)
		p.Launch(c.entryName("measure"), n)
		atTiles(launch.InOut)
		p.Launch("start_groups", tiles)
		atTiles(launch.In)
		ends := launch.Ref{Buffer: p.alloc("text_ends", expr.Times(launch.Int(8), n), launch.Anything)}
		as(ArgTextEnds, launch.Out, ends)
		p.Launch(c.entryName("end"), n)
		as(ArgTextEnds, launch.In, ends)
		as(ArgTextLongest, launch.InOut, word(1))
		p.Launch(c.entryName("longest"), n)
		total, longest := p.word(fmt.Sprintf("text_bytes%d", c.call), 0), p.word(fmt.Sprintf("text_longest%d", c.call), 1)
		p.add(&launch.Read{From: word(0), Words: launch.Int(2), Raise: launch.None, Into: []launch.Into{total, longest}, Array: launch.None})
		p.release(starts)
		p.add(&launch.Fail{
			Kind: launch.Refused, Cond: expr.LessThan(launch.Int(MaxText), launch.VarRef(longest.Var)),
			Text: fmt.Sprintf("there is no device code for a text of more than %d bytes", MaxText),
		})
		bytes := launch.Ref{Buffer: p.alloc("texts", expr.Plus(launch.VarRef(total.Var), launch.Int(8)), launch.Anything)} // which may be read by words
		as(ArgTextBytes, launch.Out, bytes)
		p.Launch(c.entryName("copy"), n)
		as(ArgTextBytes, launch.In, bytes)
		texts = append(texts, launch.Texts{Buffer: bytes.Buffer, Column: c.column, Longest: launch.VarRef(longest.Var)})
	}
	return texts
}
