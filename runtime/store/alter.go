package store

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Emptied is a table without rows under a definition that differs in the columns.
func (t *Table) Emptied(columns []Column) (*Table, error) {
	def := t.def
	def.Columns = columns
	return NewTable(def)
}

// Redefined is the same rows under a definition that differs in the columns'
// names, defaults and NOT NULL.
func (t *Table) Redefined(columns []Column) *Table {
	next := *t
	next.def.Columns = columns
	return &next
}

// Renamed is the same rows under another key.
func (t *Table) Renamed(key string) *Table {
	next := *t
	next.def.Schema, next.def.Name = SchemaOf(key), NameOf(key)
	if t.def.Query != nil {
		query := *t.def.Query
		query.key, next.def.Query = key, &query
	}
	return &next
}

// Rekeyed is the same rows under a definition of other keys, whose columns may be
// NOT NULL now. Who calls it has checked that the rows keep to them.
func (t *Table) Rekeyed(columns []Column, keys []Key) *Table {
	next := t.Redefined(columns)
	next.def.Keys = keys
	return next
}

// Rechecked is the same rows under a definition of other CHECK constraints. Who calls it has
// checked that the rows keep to them.
func (t *Table) Rechecked(checks []Check) *Table {
	next := *t
	next.def.Checks = checks
	return &next
}

// Requeried is the same rows under a definition of another query.
func (t *Table) Requeried(query *View) *Table {
	next := *t
	next.def.Query = query
	return &next
}

// ContainsNulls is the error of a column that has NULLs and is not to have them.
func (t *Table) ContainsNulls(column string) error {
	e := value.Errorf(value.CodeNotNullViolation, "column %q of relation %q contains null values", column, t.Name())
	e.Object = t.Column(column)
	return e
}

// WithColumn is the same rows with one column more, which has the value v in
// all of them. It fails with 23502 where that is NULL and must not be.
func (t *Table) WithColumn(c Column, v value.Value) (_ *Table, err error) {
	defer sqlstate.Catch(&err)
	if c.NotNull && v.Kind == value.Null && t.rows > 0 {
		return nil, t.ContainsNulls(c.Name)
	}
	def := t.def
	def.Columns = append(slices.Clone(def.Columns), c)
	next := t.reshaped(def)
	last := len(next.cols) - 1
	copy(next.cols, t.cols)
	col := &next.cols[last]
	if col.dict != nil && v.Kind != value.Null {
		col.dict = &runtime.Dictionary{Texts: []string{v.S}}
	}
	chunks := map[int]*runtime.Chunk{} // by number of rows
	for _, old := range t.blocks {
		b := old
		sqlstate.Check(b.detach())
		if chunks[b.rows] == nil {
			s := repeated(c, v, b.rows)
			if chunks[b.rows] = s.chunk; s.chunk == nil {
				chunks[b.rows] = s.encodeCodes([]uint32{0})
			}
			col.sketch = s.sketch
		}
		b.cols = append(b.cols, chunks[b.rows])
		next.blocks = append(next.blocks, b)
	}
	next.sample = t.sample.mapped(func(row []value.Value) []value.Value { return append(slices.Clip(row), v) })
	next.finish()
	return next, nil
}

// repeated encodes n times the same value.
func repeated(c Column, v value.Value, n int) sealed {
	buf := newBuffer(c.Type, true)
	for range n {
		sqlstate.Check(buf.Append(v))
	}
	return sqlstate.Must(buf.seal())
}

// withoutColumn is the same rows without column i, and without the keys and constraints that it
// is part of. What FOREIGN KEY constraints refer to stays as it is. It fails with 0A000 for the
// only column.
func (t *Table) withoutColumn(i int) (_ *Table, err error) {
	defer sqlstate.Catch(&err)
	def := t.def
	def.Columns = slices.Delete(slices.Clone(def.Columns), i, i+1)
	def.Keys, def.Checks, def.ForeignKeys = nil, nil, nil
	for _, key := range t.def.Keys {
		if !slices.Contains(key.Columns, i) {
			key.Columns = withoutOrdinal(key.Columns, i)
			def.Keys = append(def.Keys, key)
		}
	}
	for _, check := range t.def.Checks {
		if !slices.Contains(check.Columns, i) {
			check.Columns = withoutOrdinal(check.Columns, i)
			def.Checks = append(def.Checks, check)
		}
	}
	for _, key := range t.def.ForeignKeys {
		if !slices.Contains(key.Columns, i) {
			key.Columns, key.SetColumns = withoutOrdinal(key.Columns, i), withoutOrdinal(key.SetColumns, i)
			def.ForeignKeys = append(def.ForeignKeys, key)
		}
	}
	def.By = t.def.By.Moved(func(columns []int) []int { return withoutOrdinal(columns, i) })
	next := t.reshaped(def)
	next.cols = slices.Delete(slices.Clone(t.cols), i, i+1)
	for _, old := range t.blocks {
		b := old
		sqlstate.Check(b.detach())
		b.cols = slices.Delete(b.cols, i, i+1)
		next.blocks = append(next.blocks, b)
	}
	next.sample = t.sample.mapped(func(row []value.Value) []value.Value { return slices.Delete(slices.Clone(row), i, i+1) })
	next.finish()
	return next, nil
}

// WithoutGenerated is the same rows without the generated columns.
func (t *Table) WithoutGenerated() (*Table, error) {
	var err error
	for i := len(t.def.Columns) - 1; i >= 0 && err == nil; i-- {
		if t.def.Columns[i].Generated() != "" {
			t, err = t.withoutColumn(i)
		}
	}
	return t, err
}

// withoutOrdinal are positions of columns as they are when column i is gone.
func withoutOrdinal(columns []int, i int) []int {
	columns = slices.Clone(columns)
	for k, c := range columns {
		if c > i {
			columns[k]--
		}
	}
	return columns
}

// reshaped is a table without blocks of another definition and as many rows.
func (t *Table) reshaped(def Definition) *Table {
	next := sqlstate.Must(NewTable(def))
	next.rows = t.rows
	return next
}

// mapped is the sample of a table whose rows are changed.
func (s *Sample) mapped(f func([]value.Value) []value.Value) *Sample {
	if s == nil {
		return nil
	}
	rows := make([][]value.Value, len(s.Keys))
	for i, row := range s.Rows.Rows() {
		rows[i] = f(row)
	}
	return &Sample{Keys: s.Keys, Rows: algebra.NewSample(rows)}
}
