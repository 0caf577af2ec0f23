package workload

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"
)

// batchRows is the number of rows of a generated record, but for the last of a
// table. It is a multiple of 28, the lines of seven orders (see lineorder).
const batchRows = 28 * 2048

// A Source computes the rows of a table, or of several that are made together.
type Source struct {
	Tables []string
	Rows   int64
	Batch  int // rows computed at a time
	// Compute makes the rows [first, first+n): a record for each of Tables. Calls for
	// different rows may run at once.
	Compute func(first int64, n int) []arrow.Record
}

// Generate emits what the sources compute, one source after the other, opts.Threads
// batches at a time. total is the number of rows of all, of which Progress is told.
func Generate(ctx context.Context, opts Options, total int64, sources []Source, emit Emit) error {
	done := int64(0)
	for i := range sources {
		s := &sources[i]
		err := s.inOrder(ctx, opts.threads(), func(t int, rec arrow.Record) error {
			if err := emit(s.Tables[t], rec); err != nil {
				return err
			}
			done += rec.NumRows()
			if opts.Progress != nil {
				opts.Progress(min(done, total), total)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A source computes the columns of the rows [first, first+n) of a table. Calls for
// different rows may run at once.
type source func(first int64, n int) []arrow.Array

// generate emits the tables with their sources.
func generate(ctx context.Context, opts Options, tables []Table, sources []source, emit Emit) error {
	all := make([]Source, len(tables))
	for i, t := range tables {
		all[i] = Source{[]string{t.Name}, t.Rows, batchRows, func(first int64, n int) []arrow.Record {
			return []arrow.Record{record(t.Schema, sources[i](first, n))}
		}}
	}
	return Generate(ctx, opts, totalRows(tables), all, emit)
}

// inOrder computes the batches on threads goroutines and hands them to emit, which may
// not keep them, in row order. Besides those being computed, at most threads batches wait.
func (s *Source) inOrder(ctx context.Context, threads int, emit func(table int, rec arrow.Record) error) error {
	pending := make(chan chan []arrow.Record, threads)
	slots := make(chan struct{}, threads)
	stop := make(chan struct{})
	go func() {
		defer close(pending)
		for first := int64(0); first < s.Rows; first += int64(s.Batch) {
			select {
			case <-stop:
				return
			case slots <- struct{}{}:
			}
			result := make(chan []arrow.Record, 1)
			go func() {
				result <- s.Compute(first, int(min(int64(s.Batch), s.Rows-first)))
				<-slots
			}()
			pending <- result
		}
	}()
	var failure error
	for result := range pending {
		for t, rec := range <-result {
			if failure == nil {
				if failure = ctx.Err(); failure == nil {
					failure = emit(t, rec)
				}
				if failure != nil {
					close(stop)
				}
			}
			rec.Release()
		}
	}
	return failure
}
