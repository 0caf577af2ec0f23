package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Accumulators that need all rows of a group have the rows sorted by the keys of the groups, and
// so have keys and extremes that no cell holds, since no atomic operation changes them as a whole.
// Groups are partitions of a window, and the result has a row of each; values at a place in
// order are selected within partitions: see select.cuh.

// sortedGroups is the strategy of aggregations that need the rows of a group in order.
const sortedGroups = "sorted"

// ordersRows reports whether f, an aggregation, needs its rows in order, or is to have them so.
func ordersRows(f *kernel.Func) bool {
	s, _ := f.Sink.(*kernel.Aggregate)
	return s.Device == sortedGroups || whyOrdered(f) != ""
}

// InOrder returns f, an aggregation whose sums have turned out not to be finite, with the rows of
// its groups in order: where they are summed one by one the sum that overflows is found. Nil where
// that does not apply: f is none, or its rows wait in shared memory.
func InOrder(f *kernel.Func) *kernel.Func {
	s, ok := f.Sink.(*kernel.Aggregate)
	if !ok || s.Cells || ordersRows(f) || ownBytes(f, threads) > 0 {
		return nil
	}
	with, sink := *f, *s
	sink.Device, with.Sink = sortedGroups, &sink
	return &with
}

// whyOrdered is why f, an aggregation, needs its rows in order; "" where it does not.
func whyOrdered(f *kernel.Func) string {
	s, _ := f.Sink.(*kernel.Aggregate)
	for i := range s.Accs {
		if row, _ := s.Accs[i].Op.Row(); row.AllRows {
			return "an accumulator needs the rows of a group in order"
		}
	}
	if isSingle(s) {
		return ""
	}
	for _, id := range s.Keys {
		if t := f.Values[id].Type; !fitsCell(t) {
			return fmt.Sprintf("no cell holds a key of type %s", t)
		}
	}
	for i := range s.Accs {
		a := &s.Accs[i]
		switch a.Op {
		case kernel.AccMin, kernel.AccMax, kernel.AccAny:
			if t := f.Values[a.Args[0]].Type; !fitsCell(t) {
				return fmt.Sprintf("no cell holds the %s of values of type %s", a.Op, t)
			}
		}
	}
	return ""
}

// fitsCell reports whether a value of a type can be told apart, and ordered, by words of a cell.
func fitsCell(t kernel.Type) bool { return t != kernel.Num && t != kernel.Interval }

// sortedGroups renders an aggregation that needs its rows in order.
func (r *renderer) sortedGroups(s *kernel.Aggregate) {
	if w := r.orderedWindow(s); r.err == nil {
		r.windows(w, true, (*windowing).computeGroups)
	}
}

// orderedWindow is the window whose partitions are the groups of an aggregation.
func (r *renderer) orderedWindow(s *kernel.Aggregate) *kernel.Window {
	none := kernel.NoValue
	w := &kernel.Window{Cols: s.Keys, Frames: []kernel.Frame{{
		Unit: kernel.FrameRows, Key: none, Exclude: kernel.ExcludeNothing,
		Start: kernel.FrameBound{Kind: kernel.UnboundedPreceding, Limit: none}, End: kernel.FrameBound{Kind: kernel.UnboundedFollowing, Limit: none},
	}}}
	for _, id := range s.Keys {
		w.Partition = append(w.Partition, kernel.SortKey{Val: id})
	}
	for _, a := range s.Accs {
		if a.TakesOnce() {
			r.refuse("there is no device code for %s(DISTINCT)", a.Op)
		}
		if row, _ := a.Op.Row(); row.AllRows && !row.Fraction && a.Op != kernel.AccConcatenate {
			r.refuse("there is no device code for %s", a.Op)
		}
		w.Calls = append(w.Calls, kernel.WindowCall{Func: kernel.WindowAggregate, Acc: a})
	}
	return w
}

// computeGroups renders the entry that writes the groups: a thread has one, with number k.
func (w *windowing) computeGroups() {
	w.entry("compute", "writes the groups", threads, func(e *Entry) {
		_, starts := e.partitions()
		e.overPlaces(e.groupCount(), func() {
			e.Line("const u64 k = i;")
			e.Line("const bool any = %s > 0;  // one group is there without rows, too", e.ordered())
			e.Line("const u64 first_row = any ? %s[k] : 0;", starts)
			out := 0
			for _, id := range w.s.Cols {
				e.Begin("")
				w.load(e, e.rowOf("first_row"), id)
				e.store(out, id, "k")
				e.End()
				out++
			}
			for _, a := range w.accs {
				e.Line("// %s", a.acc.Op)
				e.Begin("")
				e.Line("%s s;", a.typeName())
				e.Line("s.start();")
				e.Line("if (any) s = %s[k];", e.states(ArgRunning, a))
				switch {
				case a.row.Fraction:
					w.percentile(e, a)
				case a.row.AllRows:
					w.groupText(e, a)
				default:
					w.results(e, a)
				}
				for _, id := range a.acc.Dst {
					e.store(out, id, "k")
					out++
				}
				e.End()
			}
		})
	})
}
