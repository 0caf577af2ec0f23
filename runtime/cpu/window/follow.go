package window

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// Worker implements exec.Sink.
func (s *windowing) Worker(w *exec.Worker) exec.SinkWorker {
	if !s.win.InOrder {
		return s.Sorter(w)
	}
	f := &follower{Sorter: s.Sorter(w), w: w}
	s.parts = append(s.parts, f)
	return f
}

// Consume implements exec.SinkWorker.
func (f *follower) Consume(b *vector.Batch) {
	if n := len(f.spans); n == 0 || f.spans[n-1].morsel != f.w.Morsel {
		f.spans = append(f.spans, morselSpan{f.w.Morsel, len(f.Entries)})
	}
	f.Sorter.Consume(b)
}

// follow lists the entries of all workers in the order of the source.
func (s *windowing) follow() {
	type run struct {
		morsel  int64
		entries []vector.Entry
	}
	var runs []run
	for _, f := range s.parts {
		end := len(f.Entries)
		for _, span := range slices.Backward(f.spans) {
			runs = append(runs, run{span.morsel, f.Entries[span.first:end]})
			end = span.first
		}
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(a.morsel, b.morsel) })
	at := 0
	for _, r := range runs {
		long.Copy(s.entries[at:], r.entries)
		at += len(r.entries)
	}
}
