package cubeloom

import (
	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Column is a column of a result.
type Column struct {
	Name string
	Type ColumnType
}

// ColumnType is the SQL type of a column.
type ColumnType struct {
	algebra.Type
	// Declared says that the precision and scale of a numeric are ones that somebody
	// gave it, which clients are told.
	Declared bool
}

// IsBool reports whether the type is boolean.
func (t ColumnType) IsBool() bool { return t.Kind == algebra.Bool }

// answer is what one statement gave: rows, or only a command tag.
type answer struct {
	Columns []Column
	Tag     string // the command tag, such as "SELECT 5" or "CREATE TABLE"
	Notices []Notice
	Stats   query.Stats

	rows  runtime.Relation      // nil: a statement without rows
	held  *runtime.Hold         // the memory of the rows, where it is not that of the statement
	names pgcatalog.ObjectNames // of what the columns identify
}

// close gives the memory of the rows back.
func (a *answer) close() {
	a.rows = nil
	a.held.Release()
}

// count is the number of rows.
func (a *answer) count() int64 {
	if a.rows == nil {
		return 0
	}
	return a.rows.Rows()
}

// first are the values of the first row as texts; nil where there is none.
func (a *answer) first() ([]string, error) {
	for i := range a.rows.Blocks() {
		block, err := a.rows.Load(i, allOrdinals(len(a.Columns)))
		if err != nil {
			return nil, err
		}
		if block.Rows == 0 {
			continue
		}
		texts := make([]string, len(a.Columns))
		for c, col := range a.Columns {
			if block.Cols[c].IsValid(0) {
				t := col.Type.Type
				texts[c] = string(runtime.AppendText(nil, block.Cols[c].Value(0, t), t, value.Style{}, nil))
			}
		}
		return texts, nil
	}
	return nil, nil
}

// behind is the result without its first own columns.
func (a *answer) behind(own int, tag string) *answer {
	types := a.rows.Types()
	cols := make([]codegen.PartCol, 0, len(types)-own)
	for i := own; i < len(types); i++ {
		cols = append(cols, codegen.PartCol{Type: types[i], Ordinal: i})
	}
	return &answer{
		Columns: a.Columns[own:], Tag: tag, Notices: a.Notices, Stats: a.Stats,
		rows: runtime.NewView([]runtime.ViewPart{{Rel: a.rows, Cols: cols}}),
	}
}

// textAnswer is an answer of texts.
func textAnswer(tag string, names []string, rows [][]string) *answer {
	res := &answer{Tag: tag, Columns: textColumns(names...)}
	types := make([]kernel.Type, len(names))
	for i := range names {
		types[i] = kernel.Str
	}
	values := make([][]value.Value, len(rows))
	for i, row := range rows {
		for _, text := range row {
			values[i] = append(values[i], value.Value{Kind: value.Text, S: text})
		}
	}
	res.rows = runtime.NewRows(types, values)
	return res
}

// textColumns are columns of texts.
func textColumns(names ...string) []Column {
	columns := make([]Column, len(names))
	for i, name := range names {
		columns[i] = Column{Name: name, Type: ColumnType{Type: algebra.TText}}
	}
	return columns
}

// storeColumns are columns as the store describes them.
func storeColumns(list []Column) []store.Column {
	columns := make([]store.Column, len(list))
	for i, col := range list {
		columns[i] = store.Column{Name: col.Name, Type: col.Type.Type}
	}
	return columns
}

// allOrdinals are the positions of n columns, in order.
func allOrdinals(n int) []int {
	ordinals := make([]int, n)
	for i := range ordinals {
		ordinals[i] = i
	}
	return ordinals
}

// columnTypes are the types as the API gives them.
func columnTypes(types []algebra.Type) []ColumnType {
	out := make([]ColumnType, len(types))
	for i, t := range types {
		out[i] = ColumnType{Type: t}
	}
	return out
}
