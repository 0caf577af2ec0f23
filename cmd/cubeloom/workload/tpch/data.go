package tpch

import (
	"context"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// Tables implements workload.Set.
func (d Data) Tables() []workload.Table {
	rows := [...]int64{25, 5, d.rows(suppliersAtScale1), d.rows(customersAtScale1), d.rows(partsAtScale1), 4 * d.rows(partsAtScale1),
		d.rows(ordersAtScale1), d.rows(linesAtScale1)}
	tables := make([]workload.Table, len(tableColumns))
	for i, t := range tableColumns {
		tables[i] = workload.NewTable(t.name, rows[i], t.columns)
	}
	return tables
}

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
