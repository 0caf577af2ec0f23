package reference

import (
	"bytes"
	"context"
	"encoding/csv"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// Load creates the tables of a set and fills them.
func (p *Postgres) Load(ctx context.Context, set workload.Set, opts workload.Options) error {
	for _, t := range set.Tables() {
		if err := p.Exec(ctx, t.DDL); err != nil {
			return err
		}
	}
	return set.Generate(ctx, opts, func(table string, rec arrow.Record) error {
		text, err := csvOf(rec)
		if err != nil {
			return err
		}
		return p.copyCSV(ctx, table, text)
	})
}

// csvOf writes a record without NULLs as CSV without a header.
func csvOf(rec arrow.Record) (*bytes.Buffer, error) {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	row := make([]string, rec.NumCols())
	for i := range int(rec.NumRows()) {
		for c := range row {
			row[c] = rec.Column(c).ValueStr(i)
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return &text, w.Error()
}
