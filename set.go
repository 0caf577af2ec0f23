package cubeloom

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql"
)

// set runs SET and RESET.
func (s *Session) set(stmt *sql.Set) (*Result, error) {
	defaults := s.defaults()
	if stmt.Default && stmt.Name == "all" {
		s.settings = defaults
		return &Result{Tag: "RESET"}, nil
	}
	setting, err := findSetting(stmt.Name)
	if err != nil {
		return nil, at(err, stmt.Pos)
	}
	text := stmt.Value
	if stmt.Default {
		text = setting.show(&defaults)
	}
	if err := setting.set(&s.settings, text); err != nil {
		return nil, at(err, stmt.Pos)
	}
	return &Result{Tag: "SET"}, nil
}

// at gives a user error a place in the text where it has none.
func at(err error, pos sql.Pos) error { return value.At(err, int(pos)) }

// show runs SHOW.
func (s *Session) show(stmt *sql.Show) (*Result, error) {
	if stmt.Name == "all" {
		var rows [][]string
		for i := range settingTable {
			row := []string{settingTable[i].name, settingTable[i].show(&s.settings), settingTable[i].help}
			rows = append(rows, row)
		}
		return textResult("SHOW", []string{"name", "setting", "description"}, rows), nil
	}
	setting, err := findSetting(stmt.Name)
	if err != nil {
		return nil, at(err, stmt.Pos)
	}
	return textResult("SHOW", []string{stmt.Name}, [][]string{{setting.show(&s.settings)}}), nil
}

// textResult makes a result of texts.
func textResult(tag string, names []string, rows [][]string) *Result {
	res := &Result{Tag: tag}
	types := make([]kernel.Type, len(names))
	for i, name := range names {
		types[i] = kernel.Str
		res.Columns = append(res.Columns, Column{Name: name, Type: ColumnType{algebra.TText}})
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
