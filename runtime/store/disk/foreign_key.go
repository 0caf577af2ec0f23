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
		e.uint(bit(k.NotValid, 0) | bit(k.Deferrable, 1) | bit(k.Deferred, 2))
	}
}

// decodeForeignKeys reads the FOREIGN KEY constraints; files of tables without any end before them.
func decodeForeignKeys(d *decoder) (keys []algebra.ForeignKey) {
	if len(d.b) == 0 {
		return nil
	}
	for range d.count() {
		k := algebra.ForeignKey{
			Name: d.text(), Columns: decodeOrdinals(d), Table: d.text(), Referenced: decodeOrdinals(d), MatchFull: d.bool(),
			OnUpdate: d.text(), OnDelete: d.text(), SetColumns: decodeOrdinals(d),
		}
		bits := d.uint()
		k.NotValid, k.Deferrable, k.Deferred = bits&1 != 0, bits&2 != 0, bits&4 != 0
		keys = append(keys, k)
	}
	return keys
}

// bit is a bit of a number, which is set where a condition holds.
func bit(set bool, at int) uint64 {
	if set {
		return 1 << at
	}
	return 0
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
