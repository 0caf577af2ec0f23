package tpch

import (
	"context"
	"fmt"
	"math"

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

// The numbers of rows of some tables at scale 1.
const (
	suppliersAtScale1 = 10_000
	customersAtScale1 = 150_000
	partsAtScale1     = 200_000
	ordersAtScale1    = 1_500_000
	linesAtScale1     = 6_001_215
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

// whole is the integer scale whose first rows are taken.
func (d Data) whole() int64 { return int64(max(1, d.SF)) }

// Tables implements workload.Set.
func (d Data) Tables() []workload.Table {
	rows := [...]int64{25, 5, d.rows(suppliersAtScale1), d.rows(customersAtScale1), d.rows(partsAtScale1), 4 * d.rows(partsAtScale1),
		d.rows(ordersAtScale1), d.rows(linesAtScale1)}
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

// batchRows is about the number of rows of a record.
const batchRows = 1 << 16

// Generate implements workload.Set. Parts come with their suppliers and orders with
// their lines.
func (d Data) Generate(ctx context.Context, opts workload.Options, emit workload.Emit) error {
	if err := d.Validate(); err != nil {
		return err
	}
	tables, total := d.Tables(), int64(0)
	for _, t := range tables {
		total += t.Rows
	}
	r := rows{Data: d, tables: tables}
	source := func(batch int, compute computation, made ...int) workload.Source {
		s := workload.Source{Rows: tables[made[0]].Rows, Batch: batch, Compute: compute}
		for _, t := range made {
			s.Tables = append(s.Tables, tables[t].Name)
		}
		return s
	}
	return workload.Generate(ctx, opts, total, []workload.Source{
		source(batchRows, r.nations, nation),
		source(batchRows, r.regions, region),
		source(batchRows, r.suppliers, supplier),
		source(batchRows, r.customers, customer),
		source(batchRows/4, r.parts, part, partsupp),
		source(batchRows/4, r.orders, orders, lineitem),
	}, emit)
}
