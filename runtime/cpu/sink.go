package cpu

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime"
)

// A step works on the active rows of a batch: it defines values in b.Vals or
// narrows b.Sel.
type step func(b *Batch) error

// A consumer is the rest of a kernel after some instruction, on one worker. The
// batch and its vectors are valid during the call only.
type consumer func(b *Batch) error

// A source gives a worker its share of the rows.
type source interface {
	// drive passes batches to w.feed until no rows are left.
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

// A morselSink is a sinkWorker that is told when all rows of a morsel have been
// consumed.
type morselSink interface {
	endMorsel() error
}

// result is what a sink made.
type result struct {
	out   runtime.Output
	rows  int64  // rows or groups or build rows
	bytes int64  // written
	taken string // runtime.Metrics.Taken
}
