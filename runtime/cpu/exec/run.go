// Package exec is one run of a kernel on the CPU: its workers, sources and sinks, its memory,
// its dictionaries, and the rows that it collects.
package exec

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/scheduler"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Run is one execution of a kernel.
type Run struct {
	Ctx       context.Context
	Kernel    *kernel.Func
	Inputs    []any
	Opts      *runtime.RunOptions
	scheduler *scheduler.Scheduler
	Threads   int
	Rows      int // in a vector
	Mem       Memory
	Dicts     *dictionaries
	Source    Source
	Sink      Sink
	Reach     *Reach // rows of the source that the sink still wants; nil: all

	Stop         atomic.Bool // workers are to end: cancelled, failed, or enough rows
	unhook       func() bool
	RowsIn       atomic.Int64
	RowsExpected int64 // that Progress was told of
	BytesRead    atomic.Int64
	Skipped      atomic.Int64
}

// Each calls f for 0 … tasks−1 on up to opts.Threads goroutines, and panics with the
// first error that one has panicked with. f is not called for further tasks once one has failed or the
// context has ended.
func (r *Run) Each(tasks int, f func(task int)) {
	r.EachSlice(tasks, func(task int, _ *scheduler.TimeSlice) { f(task) })
}

// EachSlice is each for an f that takes long: it is to share its time slice now and
// then.
func (r *Run) EachSlice(tasks int, f func(task int, t *scheduler.TimeSlice)) {
	var next atomic.Int64
	var first firstError
	loop := func() {
		for !first.failed.Load() && r.Ctx.Err() == nil {
			task := int(next.Add(1)) - 1
			if task >= tasks {
				return
			}
			if err := r.inSlice(task, f); err != nil {
				first.set(err)
				r.Stop.Store(true)
			}
		}
	}
	var wg sync.WaitGroup
	for range min(r.Threads, tasks) - 1 {
		wg.Go(func() {
			fault.Arm()
			loop()
		})
	}
	loop()
	wg.Wait()
	if first.err != nil {
		panic(first.err)
	}
	if r.Ctx.Err() != nil {
		panic(Canceled(r.Ctx))
	}
}

// inSlice calls f within a time slice of the query, turning a panic into an error.
func (r *Run) inSlice(task int, f func(int, *scheduler.TimeSlice)) (err error) {
	t, err := r.scheduler.Take(r.Ctx, r.Opts.Progress)
	if err != nil {
		return err
	}
	defer t.Give()
	defer RecoverTo(&err, r.Kernel.Name)
	f(task, t)
	return nil
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

// Work feeds the worker's share of the rows.
func (w *Worker) Work() {
	err := sqlstate.Run(func() { w.Run.Source.Drive(w) })
	if errors.Is(err, ErrEnough) {
		w.Run.Stop.Store(true)
		return
	}
	sqlstate.Check(err)
}

// Poll is to be called every few vectors by whatever may run long: it panics with an
// error when the run is to end, and lets other queries have their time slice.
func (w *Worker) Poll() {
	if !w.Run.Stop.Load() {
		sqlstate.Check(w.Slice.Share(w.Run.Ctx))
		return
	}
	if w.Run.Ctx.Err() != nil {
		panic(Canceled(w.Run.Ctx))
	}
	sqlstate.Check(ErrEnough)
}

// EndMorsel counts the rows of a morsel as done.
func (w *Worker) EndMorsel(rows int) {
	w.Run.RowsIn.Add(int64(rows))
	if p := w.Run.Opts.Progress; p != nil {
		p.RowsDone.Add(int64(rows))
	}
}

// WorkerSource is a worker as the source of its meter. One function over large values takes as
// long as many vectors of small ones, so the worker shares its time slice there too.
type WorkerSource struct{ *Worker }

// Grow implements value.MeterSource.
func (s WorkerSource) Grow(n int64) error { return s.Run.Mem.Grow(n) }

// Shrink implements value.MeterSource.
func (s WorkerSource) Shrink(n int64) { s.Run.Mem.Shrink(n) }

// Err implements value.MeterSource.
func (s WorkerSource) Err() error {
	if err := s.Run.Mem.Ended(); err != nil {
		return err
	}
	return s.Slice.Share(s.Run.Ctx)
}

// A Source hands a worker its share of the rows.
type Source interface {
	// Drive passes batches to w.body until no rows are left.
	Drive(w *Worker)
}

// A Sink is what the rows of a kernel end in.
type Sink interface {
	// Worker makes the part of the sink that one worker fills. It is called
	// before any worker starts.
	Worker(w *Worker) SinkWorker
	// Finish combines the workers' parts, after all of them have ended without an
	// error. What the output holds has been handed over by Memory.HandOver.
	Finish(ctx context.Context) Result
}

// A SinkWorker takes batches on one goroutine at a time. A panic with ErrEnough
// ends the run without an error: no further rows are needed.
type SinkWorker interface {
	Consume(b *vector.Batch)
}

// Result is what a sink made.
type Result struct {
	Out    runtime.Output
	Rows   int64           // rows or groups or build rows
	Bytes  int64           // written
	Taken  string          // runtime.Metrics.Taken
	Phases *runtime.Phases // runtime.Metrics.Phases
}

// Worker is one goroutine's part of a run: its vectors and the kernel compiled
// over them.
type Worker struct {
	Number int // among those of the run
	Run    *Run
	Rows   int // in a vector
	Vals   []*vector.Vector
	Meter  *value.Meter // of the values that its operations make
	Body   Consumer     // the body and the sink
	Out    SinkWorker
	Slice  *scheduler.TimeSlice // while it works
	Morsel int64                // sequence number of the rows being fed: those of a later morsel come later in the source
}

// A Consumer is the rest of a kernel after some instruction, on one worker. The
// batch and its vectors are valid during the call only.
type Consumer func(b *vector.Batch)

// A Step works on the active rows of a batch: it defines values in b.Vals or
// narrows b.Sel.
type Step func(b *vector.Batch)

// NewRun prepares a run; it must be closed.
func NewRun(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions, t *scheduler.Scheduler) *Run {
	r := &Run{Ctx: ctx, Kernel: f, Inputs: inputs, Opts: opts, scheduler: t, Threads: max(opts.Threads, 1), Rows: opts.VectorRows}
	if r.Rows <= 0 {
		r.Rows = vector.DefaultRows
	}
	r.Mem.ctx, r.Mem.Account = ctx, opts.Account
	r.Dicts = &dictionaries{mem: &r.Mem, entries: make([]dictionaryEntry, f.Dicts)}
	r.unhook = context.AfterFunc(ctx, func() { r.Stop.Store(true) })
	return r
}

// Close releases what the run still holds.
func (r *Run) Close() {
	r.unhook()
	r.Mem.ReleaseAll()
}

// Metrics says what the run cost, but for the time.
func (r *Run) Metrics(res Result) runtime.Metrics {
	return runtime.Metrics{
		RowsIn:        r.RowsIn.Load(),
		RowsOut:       res.Rows,
		BytesRead:     r.BytesRead.Load(),
		BytesWritten:  res.Bytes,
		BlocksSkipped: r.Skipped.Load(),
		Taken:         res.Taken,
		Phases:        res.Phases,
	}
}

// ProvideDictionary says where the dictionary of a column of a relation is.
func (r *Run) ProvideDictionary(rel runtime.Relation, col kernel.SourceCol) {
	def := &r.Kernel.Values[col.Dst]
	if def.Type != kernel.Code {
		return
	}
	r.Dicts.Provide(def.Dict, func() *runtime.Dictionary {
		longest := &runtime.Dictionary{}
		for i := range rel.Blocks() {
			block := sqlstate.Must(rel.Load(i, []int{col.Ordinal}))
			longest = vector.Longer(longest, block.Cols[col.Ordinal].Dict)
		}
		return longest
	})
}
