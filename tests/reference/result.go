package reference

import (
	"fmt"
	"sort"
	"strings"
)

// A Cell is one value of a result: PostgreSQL's text for it, or NULL.
type Cell struct {
	Text string
	Null bool
}

// String writes NULL for a NULL, and the text otherwise.
func (c Cell) String() string {
	if c.Null {
		return "NULL"
	}
	return c.Text
}

// A Column is a column of a result.
type Column struct {
	Name string
	// Type is PostgreSQL's short name of the type: int4, numeric, text.
	Type string
}

// A Result is the answer to a query.
type Result struct {
	Columns []Column
	Rows    [][]Cell
}

// Line writes a row on one line, cells between bars, so that different rows
// give different lines: bars, line breaks and backslashes within a cell are
// escaped, the text NULL is \NULL, and the empty text is \e.
func Line(row []Cell) string {
	cells := make([]string, len(row))
	for i, c := range row {
		switch {
		case c.Null:
			cells[i] = "NULL"
		case c.Text == "NULL":
			cells[i] = `\NULL`
		case c.Text == "":
			cells[i] = `\e`
		default:
			cells[i] = escapes.Replace(c.Text)
		}
	}
	return strings.Join(cells, "|")
}

var escapes = strings.NewReplacer("\\", `\\`, "\n", `\n`, "\r", `\r`, "|", `\|`)

// String writes the rows line by line.
func (r *Result) String() string {
	var b strings.Builder
	for _, row := range r.Rows {
		fmt.Fprintln(&b, Line(row))
	}
	return b.String()
}

// Sorted returns the result with its rows sorted as text; r stays as it is.
func (r *Result) Sorted() *Result {
	rows := append([][]Cell(nil), r.Rows...)
	sort.SliceStable(rows, func(i, j int) bool { return compareRows(rows[i], rows[j]) < 0 })
	return &Result{Columns: r.Columns, Rows: rows}
}

func compareRows(a, b []Cell) int {
	for i := range a {
		switch {
		case a[i].Null != b[i].Null:
			if a[i].Null {
				return 1
			}
			return -1
		case a[i].Text != b[i].Text:
			return strings.Compare(a[i].Text, b[i].Text)
		}
	}
	return 0
}
