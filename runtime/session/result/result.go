// Package result is what a statement returns: rows with their columns, or a command tag, and
// notices.
package result

import (
	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Result is what one statement gave: rows, or only a command tag.
type Result struct {
	Columns []Column
	Tag     string // the command tag, such as "SELECT 5" or "CREATE TABLE"
	Notices []Notice
	Stats   Stats

	Rows  runtime.Relation      // nil: a statement without rows
	Held  *runtime.Hold         // the memory of the rows, where it is not that of the statement
	Names pgcatalog.ObjectNames // of what the columns identify
}

// Close frees the memory of the rows.
func (a *Result) Close() {
	a.Rows = nil
	a.Held.Release()
}

// Count is the number of rows.
func (a *Result) Count() int64 {
	if a.Rows == nil {
		return 0
	}
	return a.Rows.Rows()
}

// First are the values of the first row as texts; nil where there is none.
func (a *Result) First() ([]string, error) {
	for i := range a.Rows.Blocks() {
		block, err := a.Rows.Load(i, lists.Upto[int](len(a.Columns)))
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

// Behind is the result without its first own columns.
func (a *Result) Behind(own int, tag string) *Result {
	types := a.Rows.Types()
	cols := make([]codegen.PartCol, 0, len(types)-own)
	for i := own; i < len(types); i++ {
		cols = append(cols, codegen.PartCol{Type: types[i], Ordinal: i})
	}
	return &Result{
		Columns: a.Columns[own:], Tag: tag, Notices: a.Notices, Stats: a.Stats,
		Rows: runtime.NewView([]runtime.ViewPart{{Rel: a.Rows, Cols: cols}}),
	}
}

// Texts is an answer of texts.
func Texts(tag string, names []string, rows [][]string) *Result {
	res := &Result{Tag: tag, Columns: TextColumns(names...)}
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
	res.Rows = runtime.NewRows(types, values)
	return res
}
