package tpch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// Data generates the eight tables of TPC-H. They are the same whatever the
// seed: the generator has its own.
//
// A scale factor below 1 takes the first rows of each table at scale 1 and
// draws the keys of parts, suppliers and customers into the smaller tables, so
// that every foreign key still finds its row.
type Data struct {
	// SF is the scale factor: an integer up to MaxSF, or a fraction of at
	// least MinSF and below 1.
	SF float64
}

// The range of scale factors.
const (
	MinSF = 0.001
	MaxSF = 1000
)

// Validate reports a scale factor that the generator does not have.
func (d Data) Validate() error {
	if d.SF >= MinSF && d.SF < 1 || d.SF >= 1 && d.SF <= MaxSF && d.SF == math.Trunc(d.SF) {
		return nil
	}
	return fmt.Errorf("scale factor %v of tpch is out of range: a fraction from %v to 1, or an integer up to %d", d.SF, MinSF, MaxSF)
}

// rows is the number of rows of a table that has perUnit of them at scale 1.
func (d Data) rows(perUnit float64) int64 { return int64(math.Round(perUnit * d.SF)) }

// Tables implements workload.Set.
func (d Data) Tables() []workload.Table {
	rows := [...]int64{25, 5, d.rows(10_000), d.rows(customersAtScale1), d.rows(partsAtScale1), 4 * d.rows(partsAtScale1),
		d.rows(1_500_000), d.rows(linesAtScale1)}
	tables := make([]workload.Table, len(ddl))
	for i, statement := range ddl {
		name, schema := schemaOf(statement)
		tables[i] = workload.Table{Name: name, DDL: statement, Schema: schema, Rows: rows[i]}
	}
	return tables
}

// The order of the tables in ddl.
const (
	nation = iota
	region
	supplier
	customer
	part
	partsupp
	orders
	lineitem
)

// generator guards the state of package dbgen, which is global.
var generator sync.Mutex

// errEnough ends a table of which a fraction is wanted.
var errEnough = errors.New("enough rows")

// A run is one generation.
type run struct {
	data    Data
	ctx     context.Context
	opts    workload.Options
	emit    workload.Emit
	batches []*batch
	orders  int64 // orders added
	done    int64
	total   int64
	failure error // the last error of a loader, which dbgen reports as text
}

func newRun(ctx context.Context, d Data, opts workload.Options, emit workload.Emit) *run {
	r := &run{data: d, ctx: ctx, opts: opts, emit: emit}
	for _, t := range d.Tables() {
		r.batches = append(r.batches, &batch{table: t.Name, builder: array.NewRecordBuilder(memory.DefaultAllocator, t.Schema)})
		r.total += t.Rows
	}
	return r
}

// cause is what a loader failed with, or err.
func (r *run) cause(err error) error {
	if r.failure != nil {
		return r.failure
	}
	return err
}

// send emits what b holds.
func (r *run) send(b *batch) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	rec := b.builder.NewRecord()
	defer rec.Release()
	b.rows = 0
	if err := r.emit(b.table, rec); err != nil {
		return err
	}
	r.done += rec.NumRows()
	if r.opts.Progress != nil {
		r.opts.Progress(min(r.done, r.total), r.total)
	}
	return nil
}

// flush emits the last batch of every table.
func (r *run) flush() error {
	for _, b := range r.batches {
		if b.rows > 0 {
			if err := r.send(b); err != nil {
				return err
			}
		}
		b.builder.Release()
	}
	return nil
}

// A loader receives the rows of one table from dbgen.
type loader struct {
	run  *run
	add  func(item any) (enough bool)
	into []int // the batches that add fills
}

// Load implements dbgen.Loader.
func (l loader) Load(item any) error {
	if l.add(item) {
		l.run.failure = errEnough
		return errEnough
	}
	for _, i := range l.into {
		if b := l.run.batches[i]; b.rows >= batchRows {
			if err := l.run.send(b); err != nil {
				l.run.failure = err
				return err
			}
		}
	}
	return nil
}

// Flush implements dbgen.Loader.
func (l loader) Flush() error { return nil }
