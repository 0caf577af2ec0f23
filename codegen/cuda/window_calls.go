package cuda

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// compute renders the entry that writes the result: a thread has one row, with the number r.
func (w *windowing) compute() {
	w.entry("compute", "writes the rows in order, with what the functions give", threads, func(e *Entry) {
		of, starts := e.partitions()
		peersOf, peerStarts := e.peersOf()
		e.overPlaces(e.ordered(), func() {
			e.Line("const u64 row = %s;", e.rowOf("i"))
			e.Line("const Span partition = span_of(%s, %s, i), peers = span_of(%s, %s, i);", of, starts, peersOf, peerStarts)
			out := 0
			for _, id := range w.s.Cols {
				e.Begin("")
				w.load(e, "row", id)
				e.store(out, id, "i")
				e.End()
				out++
			}
			for i := range w.s.Calls {
				c := &w.s.Calls[i]
				e.Line("// %s", c.Func)
				e.Begin("")
				w.call(e, c, i)
				for _, id := range c.Dst {
					e.store(out, id, "i")
					out++
				}
				e.End()
			}
		})
	})
}

// numberings are the functions of places in a partition alone, as expressions of them.
var numberings = map[kernel.WindowFunc]string{
	kernel.WindowRowNumber:   "(i64)(i - partition.lo) + 1",
	kernel.WindowRank:        "(i64)(peers.lo - partition.lo) + 1",
	kernel.WindowPercentRank: "partition.hi - partition.lo > 1 ? (f64)(peers.lo - partition.lo) / (f64)(partition.hi - partition.lo - 1) : 0.0",
	kernel.WindowCumeDist:    "(f64)(peers.hi - partition.lo) / (f64)(partition.hi - partition.lo)",
}

// call declares what a call gives for row i.
func (w *windowing) call(e *Entry, c *kernel.WindowCall, number int) {
	switch c.Func {
	case kernel.WindowDenseRank:
		of, _ := e.peersOf()
		w.declareRow(e, c.Dst[0], fmt.Sprintf("((i64)%s[i] - %s[partition.lo] + 1)", of, of), "")
	case kernel.WindowNtile:
		w.ntile(e, c)
	case kernel.WindowLag, kernel.WindowLead:
		w.neighbor(e, c)
	case kernel.WindowFirstValue, kernel.WindowLastValue, kernel.WindowNthValue:
		w.nth(e, c)
	case kernel.WindowStringAgg, kernel.WindowStringAggDistinct:
		w.concatenation(e, c, number)
	case kernel.WindowAggregate:
		w.aggregated(e, c, number)
	default:
		x, ok := numberings[c.Func]
		if !ok {
			w.refuse("there is no device code for %s", c.Func)
		}
		w.declareRow(e, c.Dst[0], "("+x+")", "")
	}
}

// ntile divides the partition into as many parts as its first row says.
func (w *windowing) ntile(e *Entry, c *kernel.WindowCall) {
	arg := c.Args[0]
	w.load(e, e.rowOf("partition.lo"), arg)
	e.Line("const bool counts = %s;", w.holds(arg))
	e.raise(fmt.Sprintf("counts && %s <= 0", w.At(arg)), ErrNtile, nil)
	parts := fmt.Sprintf("counts && %s > 0 ? %s : 1", w.At(arg), w.At(arg))
	w.declareRow(e, c.Dst[0], fmt.Sprintf("ntile_of(partition.hi - partition.lo, i - partition.lo, %s)", parts), "!counts")
}

// neighbor picks the value of a row so many rows away.
func (w *windowing) neighbor(e *Entry, c *kernel.WindowCall) {
	by, sign := c.Args[1], "+"
	if c.Func == kernel.WindowLag {
		sign = "-"
	}
	w.load(e, "row", by)
	e.Line("const i64 at = (i64)i %s (i64)%s;", sign, w.At(by))
	e.Line("const bool there = at >= (i64)partition.lo && at < (i64)partition.hi && %s;", w.holds(by))
	w.pick(e, c.Dst[0], c.Args[0], c.Args[1:]...)
}

// nth picks the value of a row of the frame.
func (w *windowing) nth(e *Entry, c *kernel.WindowCall) {
	w.frame(e, c.Frame)
	n := e.ordered()
	switch c.Func {
	case kernel.WindowFirstValue:
		e.Line("const u64 at = first_of(frame, 0, %s);", n)
	case kernel.WindowLastValue:
		e.Line("const u64 at = last_of(frame, %s);", n)
	default:
		by := c.Args[1]
		w.load(e, "row", by)
		counts := w.holds(by)
		e.raise(fmt.Sprintf("%s && %s <= 0", counts, w.At(by)), ErrNthValue, nil)
		e.Line("const u64 at = %s && %s > 0 ? first_of(frame, (u64)%s - 1, %s) : %s;", counts, w.At(by), w.At(by), n, n)
	}
	e.Line("const bool there = at < %s;", n)
	w.pick(e, c.Dst[0], c.Args[0], c.Args[1:]...)
}

// pick declares dst as the value src of the row at the place at, NULL unless it is there.
func (w *windowing) pick(e *Entry, dst, src kernel.ValueID, declared ...kernel.ValueID) {
	if i := w.paramOf(src); i >= 0 {
		if !slices.Contains(declared, src) {
			e.param(i, src)
		}
		w.declareRow(e, dst, w.At(src), "!there || !"+w.holds(src))
		return
	}
	e.Line("const u64 from = there ? %s : row;", e.rowOf("at"))
	null := "!there"
	if n := w.nullOf(src, "from"); n != "" {
		null += " || " + n
	}
	w.declareRow(e, dst, w.elementOf(src, "from"), null)
}
