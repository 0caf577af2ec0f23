package disk

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// encodeForeignKeys writes the FOREIGN KEY constraints.
func encodeForeignKeys(e *encoder, keys []algebra.ForeignKey) {
	e.uint(uint64(len(keys)))
	for _, k := range keys {
		e.text(k.Name)
		encodeOrdinals(e, k.Columns)
		e.text(k.Table)
		encodeOrdinals(e, k.Referenced)
		e.bool(k.MatchFull)
		e.text(k.OnUpdate)
		e.text(k.OnDelete)
		encodeOrdinals(e, k.SetColumns)
		e.bool(k.NotValid)
	}
}

// decodeForeignKeys reads the FOREIGN KEY constraints; files of tables without any end before them.
func decodeForeignKeys(d *decoder) (keys []algebra.ForeignKey) {
	if len(d.b) == 0 {
		return nil
	}
	for range d.count() {
		keys = append(keys, algebra.ForeignKey{
			Name: d.text(), Columns: decodeOrdinals(d), Table: d.text(), Referenced: decodeOrdinals(d), MatchFull: d.bool(),
			OnUpdate: d.text(), OnDelete: d.text(), SetColumns: decodeOrdinals(d), NotValid: d.bool(),
		})
	}
	return keys
}

// encodeOrdinals writes positions of columns.
func encodeOrdinals(e *encoder, columns []int) {
	e.uint(uint64(len(columns)))
	for _, c := range columns {
		e.uint(uint64(c))
	}
}

func decodeOrdinals(d *decoder) (columns []int) {
	for range d.count() {
		columns = append(columns, int(d.uint()))
	}
	return columns
}
