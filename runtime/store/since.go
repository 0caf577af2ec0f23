package store

import (
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Since is the rows of the table in those blocks that an older version does not have; all of
// them where old is nil.
func (t *Table) Since(old *Table) *Table {
	part := &Table{def: t.def, cols: t.cols}
	for i := range t.blocks {
		b := &t.blocks[i]
		if old == nil || i >= len(old.blocks) || !b.sameRows(&old.blocks[i]) {
			part.rows += int64(b.rows)
			part.blocks = append(part.blocks, *b)
		}
	}
	return part
}

// Fresh is the rows of the table behind those of an older version, and those of its positions that
// picks name, in ascending order.
func (t *Table) Fresh(old *Table, changed []Pick, m *value.Meter) (_ *Table, err error) {
	defer sqlstate.Catch(&err)
	rows := sqlstate.Must(t.Written(old, changed, lists.Upto[int](len(t.def.Columns)), m))
	rows.def = t.def
	return rows, nil
}

// Written is some columns of the rows of Fresh, of all rows where old is nil. They are named by number, from 0 on.
func (t *Table) Written(old *Table, changed []Pick, columns []int, m *value.Meter) (_ *Table, err error) {
	defer sqlstate.Catch(&err)
	from := int64(0)
	if old != nil {
		from = old.rows
	}
	return pickedOf(t.rowsAt(changed, from, columns, m))
}

// Changed is some columns of the rows of a table that picks name, in ascending order, and behind them
// the same ones of the next version, unless that is nil. They are named by number, from 0 on.
func (t *Table) Changed(next *Table, picks []Pick, columns []int, m *value.Meter) (_ *Table, err error) {
	defer sqlstate.Catch(&err)
	parts := make([]rowPart, 0, 2)
	for _, version := range []*Table{t, next} {
		if version != nil {
			parts = append(parts, version.rowsAt(picks, version.rows, columns, m))
		}
	}
	rows := sqlstate.Must(pickedOf(parts...))
	return rows, m.Grow(int(rows.Bytes()))
}

// rowsAt is some columns of the rows that picks name, in ascending order, and of those from a position on.
func (t *Table) rowsAt(changed []Pick, from int64, columns []int, m *value.Meter) rowPart {
	n := len(changed) + int(max(t.rows-from, 0))
	part := rowPart{rel: t, ordinals: columns}
	for _, c := range columns {
		part.types = append(part.types, t.def.Columns[c].Type)
	}
	sqlstate.Check(m.Grow(n * pickBytes))
	part.picks = make([]Pick, 0, n)
	start := int64(0)
	for i := range t.blocks {
		end := start + int64(t.blocks[i].rows)
		for ; len(changed) > 0 && changed[0].Row < end; changed = changed[1:] {
			part.picks = append(part.picks, Pick{changed[0].Row, int32(i), int32(changed[0].Row - start)})
		}
		for row := max(start, from); row < end; row++ {
			part.picks = append(part.picks, Pick{row, int32(i), int32(row - start)})
		}
		start = end
	}
	return part
}

// sameRows reports whether two blocks of versions of a table are one, whose dictionaries may
// have grown.
func (b *block) sameRows(old *block) bool {
	if b.rows != old.rows || len(b.cols) != len(old.cols) {
		return false
	}
	for i, c := range b.cols {
		if o := old.cols[i]; c != o && (c.Dict == nil || !sameCodes(c, o)) {
			return false
		}
	}
	return true
}

// sameCodes reports whether two chunks are the same codes, of dictionaries one of which begins
// as the other.
func sameCodes(a, b *runtime.Chunk) bool {
	return a.Base == b.Base && a.Nulls == b.Nulls && sameSlice(a.Valid, b.Valid) &&
		sameSlice(a.U8, b.U8) && sameSlice(a.U16, b.U16) && sameSlice(a.U32, b.U32)
}

// sameSlice reports whether two slices are the same memory.
func sameSlice[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
