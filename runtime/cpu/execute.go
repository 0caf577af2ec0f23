package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// execute compiles the kernel for each worker, runs the workers and combines
// what they made.
func execute(r *run) (result, error) {
	if err := r.ctx.Err(); err != nil {
		return result{}, canceled(r.ctx)
	}
	var err error
	if r.source, err = newSource(r, r.f.Source); err != nil {
		return result{}, err
	}
	if r.sink, err = newSink(r, r.f.Sink); err != nil {
		return result{}, err
	}
	workers := make([]*worker, r.threads)
	shared := newCompiled(probe)
	for i := range workers {
		if workers[i], err = newWorker(r, shared, i); err != nil {
			return result{}, err
		}
	}
	err = r.eachSlice(len(workers), func(i int, t *timeSlice) error {
		workers[i].slice = t
		return workers[i].work()
	})
	if err != nil {
		return result{}, err
	}
	if p := r.opts.Progress; p != nil { // rows that were skipped are done too
		p.RowsDone.Add(max(r.rowsExpected-r.rowsIn.Load(), 0))
	}
	return r.sink.finish(r.ctx)
}

// newWorker compiles the kernel for one worker.
func newWorker(r *run, shared *compiled, id int) (*worker, error) {
	w := &worker{run: r, id: id, rows: r.rows}
	w.meter = value.NewMeter(workerSource{w})
	if err := r.mem.grow(vectorBytes(r.f, r.rows)); err != nil {
		return nil, err
	}
	c, err := newCompiler(w, shared)
	if err != nil {
		return nil, err
	}
	if w.out, err = r.sink.worker(w); err != nil {
		return nil, err
	}
	w.body, err = c.body(r.f.Body, w.out.consume)
	return w, err
}

// newSource makes the source of a kernel.
func newSource(r *run, s kernel.Source) (source, error) {
	switch s := s.(type) {
	case *kernel.Scan:
		return newScan(r, s)
	case *kernel.Unmatched:
		return newUnmatched(r, s)
	}
	return nil, internalf("kernel %s has a source of kind %T", r.f.Name, s)
}

// newSink makes the sink of a kernel.
func newSink(r *run, s kernel.Sink) (sink, error) {
	switch s := s.(type) {
	case *kernel.Materialize:
		return newMaterialize(r, s)
	case *kernel.Sort:
		return newSort(r, s)
	case *kernel.Window:
		w, err := newWindow(r, s)
		if err == nil && s.First > 0 {
			return newRanking(w)
		}
		return w, err
	case *kernel.Build:
		return newBuild(r, s)
	case *kernel.Aggregate:
		return newAggregate(r, s)
	}
	return nil, internalf("kernel %s has a sink of kind %T", r.f.Name, s)
}
