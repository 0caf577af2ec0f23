package workload

import (
	"context"
	"runtime"

	"github.com/apache/arrow/go/v15/arrow"
)

// A Table describes one table of a Set.
type Table struct {
	// Name is the table's name, in lower case.
	Name string
	// DDL is the CREATE TABLE statement in PostgreSQL's spelling, without a
	// semicolon.
	DDL string
	// Schema returns the Arrow types of the generated records, column by column
	// as in DDL.
	Schema *arrow.Schema
	// Rows is the number of rows that Generate emits; for lineitem of TPC-H,
	// which only its generator knows, it is the expected number.
	Rows int64
}

// Emit receives one batch of a table. Batches of one table come in row order,
// those of different tables may alternate, and no two calls overlap. The record is released when Emit returns: a receiver that keeps it
// retains it. An error ends the generation.
type Emit func(table string, rec arrow.Record) error

// Options says how a Set is generated.
type Options struct {
	// Seed selects the random values; 0 is a seed like any other.
	Seed uint64
	// Threads is the number of batches computed at a time; 0 means
	// GOMAXPROCS.
	Threads int
	// Progress, if not nil, is called after each batch with the number of
	// rows emitted so far and the number of all rows of the set.
	Progress func(done, total int64)
}

func (o Options) threads() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// A Set is a group of tables that can be generated.
type Set interface {
	// Tables describes the tables. The result is the same at every call.
	Tables() []Table
	// Generate emits every row of every table. It returns ctx.Err() when ctx
	// is done first, or the error of emit.
	Generate(ctx context.Context, opts Options, emit Emit) error
}

// totalRows is the number of rows of all tables.
func totalRows(tables []Table) int64 {
	var n int64
	for _, t := range tables {
		n += t.Rows
	}
	return n
}
