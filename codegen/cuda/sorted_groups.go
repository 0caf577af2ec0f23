package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Accumulators that need all rows of a group in order have the rows sorted by the keys of
// the groups, and then by the accumulators' argument. Groups are partitions of a window,
// and the result has a row of each.

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

// orderedWindow is the window whose partitions are the groups of an aggregation. The rows
// that a percentile takes come first, in the order of their values.
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
		if !needsOrder(a) {
			continue
		}
		order := []kernel.SortKey{{Val: a.Args[0]}}
		if a.Filter != none {
			order = slices.Insert(order, 0, kernel.SortKey{Val: a.Filter, Desc: true})
		}
		if w.Order != nil && !slices.Equal(w.Order, order) {
			r.refuse("there is no device code for percentiles of several arguments or filters in one grouping")
		}
		w.Order = order
	}
	return w
}

// computeGroups renders the entry that writes the groups: a thread has one, whose first row
// in order is i.
func (w *windowing) computeGroups() {
	w.entry("compute", "writes the groups", threads, func(e *Entry) {
		_, starts := e.partitions()
		groups := e.Arg(Arg{Kind: ArgGroups}, "u64", "groups")
		e.Begin("for (u64 k = (u64)blockIdx.x * T + threadIdx.x; k < %s; k += (u64)gridDim.x * T)", groups)
		e.Line("const int r = 0;")
		e.Line("const bool any = %s > 0;  // one group is there without rows, too", e.ordered())
		e.Line("const Span partition = {any ? %s[k] : 0, any ? %s[k + 1] : 0};", starts, starts)
		out := 0
		for _, id := range w.s.Cols {
			e.Begin("")
			w.load(e, e.rowOf("partition.lo"), id)
			e.store(out, id, "k")
			e.End()
			out++
		}
		for _, a := range w.accs {
			e.Line("// %s", a.acc.Op)
			e.Begin("")
			e.Line("%s s;", a.typeName())
			e.Line("s.start();")
			e.Line("if (any) s = %s[partition.hi - 1];", e.states(ArgRunning, a))
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
		e.End()
	})
}

// percentile declares the value at the fraction of the way through those of s.n rows,
// between two where it is none's.
func (w *windowing) percentile(e *Entry, a *windowAcc) {
	e.Line("const f64 at = %s * (f64)(s.n ? s.n - 1 : 0);", e.Arg(Arg{Kind: ArgFraction, Index: a.call}, "f64", "fraction of a percentile"))
	e.Line("const u64 before = (u64)at, after = before + (at > (f64)before);")
	value := func(name, place string) {
		if a.acc.Op == kernel.AccPercentileDesc {
			place = "s.n - 1 - " + place
		}
		x := w.At(a.acc.Args[0])
		if w.paramOf(a.acc.Args[0]) < 0 {
			x = w.elementOf(a.acc.Args[0], e.rowOf("partition.lo + "+place))
		}
		e.Line("const f64 %s = s.n ? %s : 0.0;", name, x)
	}
	if i := w.paramOf(a.acc.Args[0]); i >= 0 {
		e.param(i, a.acc.Args[0])
	}
	value("first", "before")
	value("second", "after")
	w.declareRow(e, a.acc.Dst[0], "(before == after ? first : first + (at - (f64)before) * (second - first))", "s.n == 0")
}
