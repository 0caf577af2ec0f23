package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
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
func execute(r *exec.Run) (exec.Result, error) {
	if err := r.Ctx.Err(); err != nil {
		return exec.Result{}, exec.Canceled(r.Ctx)
	}
	var err error
	if r.Source, err = newSource(r, r.Kernel.Source); err != nil {
		return exec.Result{}, err
	}
	if r.Sink, err = newSink(r, r.Kernel.Sink); err != nil {
		return exec.Result{}, err
	}
	workers := make([]*exec.Worker, r.Threads)
	shared := compile.NewShared(join.Probe)
	for i := range workers {
		if workers[i], err = newWorker(r, shared); err != nil {
			return exec.Result{}, err
		}
	}
	err = r.EachSlice(len(workers), func(i int, t *scheduler.TimeSlice) error {
		workers[i].Slice = t
		return workers[i].Work()
	})
	if err != nil {
		return exec.Result{}, err
	}
	if p := r.Opts.Progress; p != nil { // rows that were skipped are done too
		p.RowsDone.Add(max(r.RowsExpected-r.RowsIn.Load(), 0))
	}
	return r.Sink.Finish(r.Ctx)
}

// newWorker compiles the kernel for one worker.
func newWorker(r *exec.Run, shared *compile.Shared) (_ *exec.Worker, err error) {
	defer sqlstate.Catch(&err)
	w := &exec.Worker{Run: r, Rows: r.Rows}
	w.Meter = value.NewMeter(exec.WorkerSource{Worker: w})
	if err := r.Mem.Grow(vector.Bytes(r.Kernel, r.Rows)); err != nil {
		return nil, err
	}
	c := compile.New(w, shared)
	if w.Out, err = r.Sink.Worker(w); err != nil {
		return nil, err
	}
	if s, ok := r.Kernel.Sink.(*kernel.Several); ok {
		w.Out.(*branches).compile(c, s)
	}
	w.Body = c.Body(r.Kernel.Body, w.Out.Consume)
	return w, nil
}

// newSource makes the source of a kernel.
func newSource(r *exec.Run, s kernel.Source) (exec.Source, error) {
	switch s := s.(type) {
	case *kernel.Scan:
		return scan.New(r, s)
	case *kernel.Unmatched:
		return hash.NewUnmatched(r, s)
	}
	return nil, exec.Internalf("kernel %s has a source of kind %T", r.Kernel.Name, s)
}

// newSink makes the sink of a kernel.
func newSink(r *exec.Run, s kernel.Sink) (exec.Sink, error) {
	switch s := s.(type) {
	case *kernel.Materialize:
		return materialize.New(r, s), nil
	case *kernel.Sort:
		return sort.New(r, s), nil
	case *kernel.Window:
		w := window.New(r, s)
		if s.First > 0 {
			return window.NewFirst(w)
		}
		return w, nil
	case *kernel.Build:
		return hash.NewBuild(r, s)
	case *kernel.Aggregate:
		return aggregate.New(r, s)
	case *kernel.Cubing:
		return cubing.New(r, s)
	case *kernel.Several:
		return newSeveral(r, s, newSink)
	}
	return nil, exec.Internalf("kernel %s has a sink of kind %T", r.Kernel.Name, s)
}
