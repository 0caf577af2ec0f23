package cuda

import (
	"slices"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// timer adds a timer to a phase.
func (p *phases) timer(of phase) *Timer {
	t := &Timer{}
	p.of[of] = append(p.of[of], t)
	return t
}

// launched adds the timer of the launch of an entry, over so many cells where it makes results; last
// are those of which its last block does.
func (p *phases) launched(entry string, over, last int64, t *Timer) {
	of := accumulate
	switch {
	case entry == cudagen.FinalizeEntry:
		of, p.cells = finalize, over
	case last > 0:
		p.cells, p.last = last, true
	}
	p.of[of] = append(p.of[of], t)
}

// lastCells is of how many cells the last block of the launch at hand makes results.
func (r *run) lastCells() int64 {
	if word := slices.Index(r.module.Args, cudagen.Arg{Kind: cudagen.ArgLast}); word >= 0 {
		return int64(r.words[word])
	}
	return 0
}

// observePhases has the phases timed, where the options ask for it and the kernel aggregates by keys.
func (r *run) observePhases() {
	if agg, ok := r.f.Sink.(*kernel.Aggregate); ok && len(agg.Keys) > 0 && r.opts.Explain {
		r.phases = &phases{}
	}
}

// timeFills has fills be those of a phase until end is called. Other runs may have the stream behind that.
func (r *run) timeFills(of phase) (end func()) {
	if r.phases == nil {
		return func() {}
	}
	q := r.queue
	q.timeFill = func() *Timer { return r.phases.timer(of) }
	return func() { q.timeFill = nil }
}

// tellPhases puts the times of the phases into the metrics when all launches have ended.
func (r *run) tellPhases() {
	p := r.phases
	if p == nil {
		return
	}
	took := func(of phase) time.Duration { return time.Duration(sumOf(p.of[of])) }
	r.metrics.Phases = &runtime.Phases{
		Initialize: took(initialize), Aggregate: took(accumulate), Finalize: took(finalize),
		Cells: p.cells, InCells: p.inCells, LastBlock: p.last,
	}
	if agg := r.f.Sink.(*kernel.Aggregate); !p.inCells || agg.Replicas <= 1 { // those of all replicas are counted
		r.metrics.Phases.Filled = r.metrics.RowsOut
	}
}

// sumOf is the time of launches and fills that have ended, in nanoseconds.
func sumOf(timers []*Timer) float64 {
	sum := int64(0)
	for _, t := range timers {
		sum += t.Nanoseconds
	}
	return float64(sum)
}
