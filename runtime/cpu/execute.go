package cpu

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate"
	"github.com/cubeloom/cubeloom/runtime/cpu/compile"
	"github.com/cubeloom/cubeloom/runtime/cpu/cubing"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/join"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/hash"
	"github.com/cubeloom/cubeloom/runtime/cpu/materialize"
	"github.com/cubeloom/cubeloom/runtime/cpu/scan"
	"github.com/cubeloom/cubeloom/runtime/cpu/scheduler"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/runtime/cpu/window"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// execute compiles the kernel for each worker, runs the workers and combines
// what they made.
func execute(r *exec.Run) exec.Result {
	if err := r.Ctx.Err(); err != nil {
		panic(exec.Canceled(r.Ctx))
	}
	r.Kernel = compile.FilterResiduals(compile.LateTexts(r.Kernel))
	fit(r)
	r.Source = newSource(r, r.Kernel.Source)
	r.Sink = newSink(r, r.Kernel.Sink)
	workers := newWorkers(r)
	r.EachSlice(len(workers), func(i int, t *scheduler.TimeSlice) {
		workers[i].Slice = t
		workers[i].Work()
	})
	if p := r.Opts.Progress; p != nil { // rows that were skipped are done too
		p.RowsDone.Add(max(r.RowsExpected-r.RowsIn.Load(), 0))
	}
	return r.Sink.Finish(r.Ctx)
}

// fit makes no more workers and no longer vectors than the rows of a scan fill. Recursions and small
// tables have a few rows again and again. Instructions that multiply rows may fill vectors with few of them.
func fit(r *exec.Run) {
	s, ok := r.Kernel.Source.(*kernel.Scan)
	if !ok || slices.ContainsFunc(r.Kernel.Body, compile.Multiplies) {
		return
	}
	if rel, ok := r.Inputs[s.Input].(runtime.Relation); ok && rel.Rows() < int64(r.Rows) {
		r.Threads, r.Rows = 1, max(int(rel.Rows()), 1)
	}
}

// newWorkers makes the workers of a run. A worker alone serves for the next run of the kernel, too, where what has been
// compiled for it knows neither inputs nor texts, which may lie in memory of the run.
func newWorkers(r *exec.Run) []*exec.Worker {
	if r.Opts.Kept != nil && r.Threads == 1 {
		if w, ok := (*r.Opts.Kept).(*exec.Worker); ok && w.Run.Kernel == r.Kernel && w.Rows >= r.Rows {
			sqlstate.Check(r.Mem.Grow(vector.Bytes(r.Kernel, w.Rows)))
			w.Run, w.Out = r, r.Sink.Worker(w)
			return []*exec.Worker{w}
		}
	}
	workers := make([]*exec.Worker, r.Threads)
	shared := compile.NewShared(r.Kernel, join.Probe)
	for i := range workers {
		workers[i] = newWorker(r, i, shared)
	}
	if r.Opts.Kept != nil && r.Threads == 1 && compile.OnlyNumbers(r.Kernel) {
		*r.Opts.Kept = workers[0]
	}
	return workers
}

// newWorker compiles the kernel for the worker of a number.
func newWorker(r *exec.Run, number int, shared *compile.Shared) *exec.Worker {
	w := &exec.Worker{Number: number, Run: r, Rows: r.Rows}
	w.Meter = value.NewMeter(exec.WorkerSource{Worker: w})
	sqlstate.Check(r.Mem.Grow(vector.Bytes(r.Kernel, r.Rows)))
	c := compile.New(w, shared)
	w.Out = r.Sink.Worker(w)
	if s, ok := r.Kernel.Sink.(*kernel.Several); ok {
		w.Out.(*branches).compile(c, s)
	}
	w.Body = c.Body(r.Kernel.Body, func(b *vector.Batch) { w.Out.Consume(b) })
	if r.Reach != nil {
		w.Body = c.Reaching(r.Reach, w.Body)
	}
	return w
}

// newSource makes the source of a kernel.
func newSource(r *exec.Run, s kernel.Source) exec.Source {
	switch s := s.(type) {
	case *kernel.Scan:
		return scan.New(r, s)
	case *kernel.Unmatched:
		return hash.NewUnmatched(r, s)
	}
	panic(exec.Internalf("kernel %s has a source of kind %T", r.Kernel.Name, s))
}

// newSink makes the sink of a kernel.
func newSink(r *exec.Run, s kernel.Sink) exec.Sink {
	switch s := s.(type) {
	case *kernel.Materialize:
		return materialize.New(r, s)
	case *kernel.Sort:
		return sort.New(r, s)
	case *kernel.Window:
		w := window.New(r, s)
		if s.First > 0 {
			return window.NewFirst(w)
		}
		return w
	case *kernel.Build:
		return hash.NewBuild(r, s)
	case *kernel.Aggregate:
		return aggregate.New(r, s)
	case *kernel.Cubing:
		return cubing.New(r, s)
	case *kernel.Several:
		return newSeveral(r, s, newSink)
	}
	panic(exec.Internalf("kernel %s has a sink of kind %T", r.Kernel.Name, s))
}
