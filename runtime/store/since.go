package store

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
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
func (t *Table) Fresh(old *Table, changed []Pick, m *value.Meter) (*Table, error) {
	n := len(changed) + int(max(t.rows-old.rows, 0))
	if err := m.Grow(n * pickBytes); err != nil {
		return nil, err
	}
	picks := make([]Pick, 0, n)
	start := int64(0)
	for i := range t.blocks {
		end := start + int64(t.blocks[i].rows)
		for ; len(changed) > 0 && changed[0].Row < end; changed = changed[1:] {
			picks = append(picks, Pick{changed[0].Row, int32(i), int32(changed[0].Row - start)})
		}
		for row := max(start, old.rows); row < end; row++ {
			picks = append(picks, Pick{row, int32(i), int32(row - start)})
		}
		start = end
	}
	types, ordinals := make([]algebra.Type, len(t.def.Columns)), make([]int, len(t.def.Columns))
	for i, c := range t.def.Columns {
		types[i], ordinals[i] = c.Type, i
	}
	rows, err := picked(t, picks, types, ordinals)
	if err != nil {
		return nil, err
	}
	rows.def = t.def
	return rows, nil
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
