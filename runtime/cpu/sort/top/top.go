// Package top sorts by keeping only the rows that a limit lets through while rows are read.
package top

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort/order"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Sorting is the sink.
type Sorting struct{ *order.Sorting }

// New makes the sink. Where the first key is a column of the source, rows are left out before anything else is
// done with them once they are known to come too late.
func New(r *exec.Run, in *kernel.Sort) Sorting {
	r.Reach = reach(r, in)
	return Sorting{order.New(r, in)}
}

// reach is that of the first key; nil: it is no column of integers that the source reads, or others want its rows, too.
func reach(r *exec.Run, in *kernel.Sort) *exec.Reach {
	scan, scans := r.Kernel.Source.(*kernel.Scan)
	if !scans || r.Kernel.Sink != kernel.Sink(in) || len(in.Keys) == 0 {
		return nil
	}
	key := in.Keys[0]
	def := &r.Kernel.Values[key.Val]
	i := slices.IndexFunc(scan.Cols, func(col kernel.SourceCol) bool { return col.Dst == key.Val })
	if i < 0 || def.Type != kernel.I32 && def.Type != kernel.I64 {
		return nil
	}
	return exec.NewReach(scan.Cols[i], def.Nullable && key.NullsFirst)
}

// Worker implements exec.Sink.
func (s Sorting) Worker(w *exec.Worker) exec.SinkWorker {
	return &worker{Sorter: s.Sorter(w), keep: make([]int32, w.Rows)}
}

// worker is one worker's part. Its rows are cut to those wanted each time as many again
// have come.
type worker struct {
	*order.Sorter
	keep    []int32
	bounded bool
	bound   uint64 // where bounded: rows whose prefix is above come too late
}

// Consume implements exec.SinkWorker.
func (w *worker) Consume(b *vector.Batch) {
	rows := w.Rows(b)
	if w.bounded {
		if rows = w.early(rows); len(rows) == 0 {
			return // and no column is decoded
		}
	}
	w.Add(b, rows)
	if end := w.Sink.End; int64(len(w.Entries))/2 >= max(end, w.least()) {
		w.cut(int(end))
	}
}

// firstCut is half of how many rows are cut at least for the first time: then the source may leave rows out,
// however few pass its filters.
const firstCut = 32

// least is half of how many rows are cut at least.
func (w *worker) least() int64 {
	if w.Sink.Run.Reach != nil && !w.bounded {
		return firstCut
	}
	return vector.DefaultRows
}

// early keeps the rows that may be among the first, and their prefixes.
func (w *worker) early(rows []int32) []int32 {
	n := 0
	for i, r := range rows {
		p := w.Prefix[i]
		w.keep[n], w.Prefix[n] = r, p
		n += int(vector.B2u(p <= w.bound))
	}
	return w.keep[:n]
}

// cut keeps the first n rows.
func (w *worker) cut(n int) {
	w.Sort()
	w.bounded, w.bound = true, w.Entries[n-1].Prefix
	w.Retain(n)
	if reach := w.Sink.Run.Reach; reach != nil {
		if lo, hi, ok := w.Sink.Keys.Reach(w.bound); ok {
			reach.Narrow(lo, hi)
		}
	}
}
