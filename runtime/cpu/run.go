package cpu

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/sql/value"
)

// run is one execution of a kernel.
type run struct {
	ctx       context.Context
	f         *kernel.Func
	inputs    []any
	opts      *runtime.RunOptions
	scheduler *scheduler
	threads   int
	rows      int // in a vector
	mem       memory
	dicts     *dictionaries
	source    source
	sink      sink

	stop         atomic.Bool // workers are to end: cancelled, failed, or enough rows
	unhook       func() bool
	rowsIn       atomic.Int64
	rowsExpected int64 // that Progress was told of
	bytesRead    atomic.Int64
	skipped      atomic.Int64
}

// each calls f for 0 … tasks−1 on up to opts.Threads goroutines, and returns the
// first error. f is not called for further tasks once one has failed or the
// context has ended.
func (r *run) each(tasks int, f func(task int) error) error {
	return r.eachSlice(tasks, func(task int, _ *timeSlice) error { return f(task) })
}

// eachSlice is each for an f that takes long: it is to share its time slice now and
// then.
func (r *run) eachSlice(tasks int, f func(task int, t *timeSlice) error) error {
	var next atomic.Int64
	var first firstError
	loop := func() {
		for !first.failed.Load() && r.ctx.Err() == nil {
			task := int(next.Add(1)) - 1
			if task >= tasks {
				return
			}
			if err := r.inSlice(task, f); err != nil {
				first.set(err)
				r.stop.Store(true)
			}
		}
	}
	var wg sync.WaitGroup
	for range min(r.threads, tasks) - 1 {
		wg.Go(func() {
			fault.Arm()
			loop()
		})
	}
	loop()
	wg.Wait()
	if first.err != nil {
		return first.err
	}
	if r.ctx.Err() != nil {
		return canceled(r.ctx)
	}
	return nil
}

// inSlice calls f within a time slice of the query, turning a panic into an error.
func (r *run) inSlice(task int, f func(int, *timeSlice) error) (err error) {
	t, err := r.scheduler.take(r.ctx, r.opts.Progress)
	if err != nil {
		return err
	}
	defer t.give()
	defer recoverTo(&err, r.f.Name)
	return f(task, t)
}

// firstError keeps the first of several errors.
type firstError struct {
	failed atomic.Bool
	once   sync.Once
	err    error
}

func (e *firstError) set(err error) {
	e.once.Do(func() { e.err = err })
	e.failed.Store(true)
}

// work feeds the worker's share of the rows.
func (w *worker) work() error {
	err := w.run.source.drive(w)
	if errors.Is(err, errEnough) {
		w.run.stop.Store(true)
		return nil
	}
	return err
}

// poll is to be called every few vectors by whatever may run long: it gives an
// error when the run is to end, and lets other queries have their time slice.
func (w *worker) poll() error {
	if !w.run.stop.Load() {
		return w.slice.share(w.run.ctx)
	}
	if w.run.ctx.Err() != nil {
		return canceled(w.run.ctx)
	}
	return errEnough
}

// endMorsel counts the rows of a morsel as done.
func (w *worker) endMorsel(rows int) {
	w.run.rowsIn.Add(int64(rows))
	if p := w.run.opts.Progress; p != nil {
		p.RowsDone.Add(int64(rows))
	}
}

// workerSource is a worker as the source of its meter. One function over large values takes as
// long as many vectors of small ones, so the worker shares its time slice there too.
type workerSource struct{ *worker }

// Grow implements value.MeterSource.
func (s workerSource) Grow(n int64) error { return s.run.mem.grow(n) }

// Shrink implements value.MeterSource.
func (s workerSource) Shrink(n int64) { s.run.mem.shrink(n) }

// Err implements value.MeterSource.
func (s workerSource) Err() error {
	if err := s.run.mem.ended(); err != nil {
		return err
	}
	return s.slice.share(s.run.ctx)
}

// A source hands a worker its share of the rows.
type source interface {
	// drive passes batches to w.body until no rows are left.
	drive(w *worker) error
}

// A sink is what the rows of a kernel end in.
type sink interface {
	// worker makes the part of the sink that one worker fills. It is called
	// before any worker starts.
	worker(w *worker) (sinkWorker, error)
	// finish combines the workers' parts, after all of them have ended without an
	// error. What the output holds has been handed over by memory.handOver.
	finish(ctx context.Context) (result, error)
}

// A sinkWorker takes batches on one goroutine at a time. Returning errEnough
// ends the run without an error: no further rows are needed.
type sinkWorker interface {
	consume(b *Batch) error
}

// result is what a sink made.
type result struct {
	out   runtime.Output
	rows  int64  // rows or groups or build rows
	bytes int64  // written
	taken string // runtime.Metrics.Taken
}

// worker is one goroutine's part of a run: its vectors and the kernel compiled
// over them.
type worker struct {
	run    *run
	id     int
	rows   int // in a vector
	vals   []*Vector
	meter  *value.Meter // of the values that its operations make
	body   consumer     // the body and the sink
	out    sinkWorker
	slice  *timeSlice // while it works
	morsel int64      // sequence number of the rows being fed: those of a later morsel come later in the source
}

// A consumer is the rest of a kernel after some instruction, on one worker. The
// batch and its vectors are valid during the call only.
type consumer func(b *Batch) error

// A step works on the active rows of a batch: it defines values in b.Vals or
// narrows b.Sel.
type step func(b *Batch) error

// newRun prepares a run; it must be closed.
func newRun(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions, t *scheduler) *run {
	r := &run{ctx: ctx, f: f, inputs: inputs, opts: opts, scheduler: t, threads: max(opts.Threads, 1), rows: opts.VectorRows}
	if r.rows <= 0 {
		r.rows = DefaultVectorRows
	}
	r.mem.ctx, r.mem.account = ctx, opts.Account
	r.dicts = &dictionaries{mem: &r.mem, entries: make([]dictionaryEntry, f.Dicts)}
	r.unhook = context.AfterFunc(ctx, func() { r.stop.Store(true) })
	return r
}

// close releases what the run still holds.
func (r *run) close() {
	r.unhook()
	r.mem.releaseAll()
}

// metrics says what the run cost, but for the time.
func (r *run) metrics(res result) runtime.Metrics {
	return runtime.Metrics{
		RowsIn:        r.rowsIn.Load(),
		RowsOut:       res.rows,
		BytesRead:     r.bytesRead.Load(),
		BytesWritten:  res.bytes,
		BlocksSkipped: r.skipped.Load(),
		Taken:         res.taken,
	}
}
