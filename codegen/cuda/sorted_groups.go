package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Accumulators that need all rows of a group have the rows sorted by the keys of the groups.
// Groups are partitions of a window, and the result has a row of each; values at a place in
// order are selected within partitions: see select.cuh.

// ordersRows reports whether an aggregation needs its rows in order.
func ordersRows(s *kernel.Aggregate) bool { return slices.ContainsFunc(s.Accs, needsOrder) }

func needsOrder(a kernel.Acc) bool {
	row, _ := a.Op.Row()
	return row.AllRows
}

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
		if a.Distinct && !a.Op.IgnoresDuplicates() {
			r.refuse("there is no device code for %s(DISTINCT)", a.Op)
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
				if a.row.AllRows {
					w.percentile(e, a)
				} else {
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
