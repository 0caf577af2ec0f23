// Package top sorts by keeping only the rows that a limit lets through while rows are read.
package top

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort/order"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Sorting is the sink.
type Sorting struct{ *order.Sorting }

// New makes the sink.
func New(r *exec.Run, in *kernel.Sort) Sorting { return Sorting{order.New(r, in)} }

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
		rows = w.early(rows)
	}
	w.Add(b, rows)
	if end := w.Sink.End; int64(len(w.Entries))/2 >= max(end, vector.DefaultRows) {
		w.cut(int(end))
	}
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
}
