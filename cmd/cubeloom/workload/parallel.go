package workload

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"
)

// batchRows is the number of rows of a generated record, but for the last of a
// table. It is a multiple of 28, the lines of seven orders (see lineorder).
const batchRows = 28 * 2048

// A source computes the rows [first, first+n) of a table. Calls for different
// rows may run at once.
type source func(first int64, n int) arrow.Record

// generate emits the tables with their sources, opts.Threads batches at a
// time.
func generate(ctx context.Context, opts Options, tables []Table, sources []source, emit Emit) error {
	done, total := int64(0), totalRows(tables)
	for i, t := range tables {
		err := inOrder(ctx, opts.threads(), t.Rows, sources[i], func(rec arrow.Record) error {
			if err := emit(t.Name, rec); err != nil {
				return err
			}
			done += rec.NumRows()
			if opts.Progress != nil {
				opts.Progress(done, total)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// inOrder computes the batches of one table on threads goroutines and hands
// them to emit, which may not keep them, in row order. Besides those being
// computed, at most threads records wait.
func inOrder(ctx context.Context, threads int, rows int64, src source, emit func(arrow.Record) error) error {
	pending := make(chan chan arrow.Record, threads)
	slots := make(chan struct{}, threads)
	stop := make(chan struct{})
	go func() {
		defer close(pending)
		for first := int64(0); first < rows; first += batchRows {
			select {
			case <-stop:
				return
			case slots <- struct{}{}:
			}
			result := make(chan arrow.Record, 1)
			go func() {
				result <- src(first, int(min(batchRows, rows-first)))
				<-slots
			}()
			pending <- result
		}
	}()
	take := func(rec arrow.Record) error {
		defer rec.Release()
		if err := ctx.Err(); err != nil {
			return err
		}
		return emit(rec)
	}
	var failure error
	for result := range pending {
		rec := <-result
		if failure != nil {
			rec.Release()
			continue
		}
		if failure = take(rec); failure != nil {
			close(stop)
		}
	}
	return failure
}
