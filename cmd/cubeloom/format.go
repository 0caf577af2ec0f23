package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/lists"
	"github.com/rivo/uniseg"
)

// widthSample is how many rows decide the widths of a table's columns.
const widthSample = 1000

// writeTable writes a result as an aligned table, as psql does. The widths are
// those of the first rows, so that a long result is written as it is read.
func writeTable(w io.Writer, res *cubeloom.Result) error {
	out := bufio.NewWriter(w)
	cur := res.Cursor()
	widths := lists.Map(res.Columns, func(col cubeloom.Column) int { return uniseg.StringWidth(col.Name) })
	var sample [][]string
	for len(sample) < widthSample && cur.Next() {
		row := rowTexts(cur, len(res.Columns))
		for i, cell := range row {
			widths[i] = max(widths[i], uniseg.StringWidth(cell))
		}
		sample = append(sample, row)
	}
	writeHeader(out, res.Columns, widths)
	rows := len(sample)
	for _, row := range sample {
		writeRow(out, res.Columns, widths, row)
	}
	for cur.Next() {
		writeRow(out, res.Columns, widths, rowTexts(cur, len(res.Columns)))
		rows++
	}
	fmt.Fprintf(out, "(%d %s)\n\n", rows, plural(rows, "row", "rows"))
	if err := cur.Err(); err != nil {
		return err
	}
	return out.Flush()
}

// rowTexts returns the texts of the cursor's row, NULL as the empty text.
func rowTexts(cur *cubeloom.Cursor, n int) []string {
	row := make([]string, n)
	for i := range row {
		if !cur.IsNull(i) {
			row[i] = strings.ReplaceAll(cur.Text(i), "\n", "\\n")
		}
	}
	return row
}

// writeHeader writes the names, centred, and the line below them.
func writeHeader(out *bufio.Writer, cols []cubeloom.Column, widths []int) {
	for i, col := range cols {
		if i > 0 {
			out.WriteByte('|')
		}
		gap := widths[i] - uniseg.StringWidth(col.Name)
		fmt.Fprintf(out, " %s%s%s ", strings.Repeat(" ", gap/2), col.Name, strings.Repeat(" ", gap-gap/2))
	}
	out.WriteByte('\n')
	for i := range cols {
		if i > 0 {
			out.WriteByte('+')
		}
		out.WriteString(strings.Repeat("-", widths[i]+2))
	}
	out.WriteByte('\n')
}

// writeRow writes one row: numbers to the right, everything else to the left.
func writeRow(out *bufio.Writer, cols []cubeloom.Column, widths []int, row []string) {
	for i, cell := range row {
		if i > 0 {
			out.WriteByte('|')
		}
		gap := strings.Repeat(" ", max(0, widths[i]-uniseg.StringWidth(cell)))
		switch {
		case cols[i].Type.IsNumber():
			fmt.Fprintf(out, " %s%s ", gap, cell)
		case i == len(row)-1:
			fmt.Fprintf(out, " %s", cell)
		default:
			fmt.Fprintf(out, " %s%s ", cell, gap)
		}
	}
	out.WriteByte('\n')
}

// writeLines writes the first column of a result, a line for each row: a plan is
// a picture, which a frame would spoil.
func writeLines(w io.Writer, res *cubeloom.Result) error {
	out := bufio.NewWriter(w)
	cur := res.Cursor()
	for cur.Next() {
		fmt.Fprintln(out, cur.Text(0))
	}
	if err := cur.Err(); err != nil {
		return err
	}
	return out.Flush()
}

// writeExpanded writes each row as a block of name and value lines.
func writeExpanded(w io.Writer, res *cubeloom.Result) error {
	out := bufio.NewWriter(w)
	width := 0
	for _, col := range res.Columns {
		width = max(width, uniseg.StringWidth(col.Name))
	}
	cur := res.Cursor()
	for n := 1; cur.Next(); n++ {
		title := fmt.Sprintf("-[ RECORD %d ]", n)
		fmt.Fprintf(out, "%s%s\n", title, strings.Repeat("-", max(0, width+2-len(title))))
		for i, cell := range rowTexts(cur, len(res.Columns)) {
			name := res.Columns[i].Name
			fmt.Fprintf(out, "%s%s | %s\n", name, strings.Repeat(" ", width-uniseg.StringWidth(name)), cell)
		}
	}
	out.WriteByte('\n')
	if err := cur.Err(); err != nil {
		return err
	}
	return out.Flush()
}

// writeCSV writes a header and the rows; NULL is an empty field.
func writeCSV(w io.Writer, res *cubeloom.Result) (err error) {
	defer sqlstate.Catch(&err)
	out := csv.NewWriter(w)
	record := lists.Map(res.Columns, func(col cubeloom.Column) string { return col.Name })
	sqlstate.Check(out.Write(record))
	cur := res.Cursor()
	for cur.Next() {
		for i := range record {
			record[i] = ""
			if !cur.IsNull(i) {
				record[i] = cur.Text(i)
			}
		}
		sqlstate.Check(out.Write(record))
	}
	out.Flush()
	sqlstate.Check(cur.Err())
	return out.Error()
}

// writeJSON writes the rows as an array of objects, one a line, with the
// columns in their order. Numbers keep all their digits.
func writeJSON(w io.Writer, res *cubeloom.Result) error {
	out := bufio.NewWriter(w)
	names := make([][]byte, len(res.Columns))
	for i, col := range res.Columns {
		names[i], _ = json.Marshal(col.Name)
	}
	cur := res.Cursor()
	out.WriteByte('[')
	for n := 0; cur.Next(); n++ {
		if n > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n  {")
		for i, col := range res.Columns {
			if i > 0 {
				out.WriteString(", ")
			}
			out.Write(names[i])
			out.WriteString(": ")
			out.Write(jsonValue(cur, i, col))
		}
		out.WriteByte('}')
	}
	out.WriteString("\n]\n")
	if err := cur.Err(); err != nil {
		return err
	}
	return out.Flush()
}

// jsonValue is column i of the cursor's row as JSON.
func jsonValue(cur *cubeloom.Cursor, i int, col cubeloom.Column) []byte {
	if cur.IsNull(i) {
		return []byte("null")
	}
	text := cur.Text(i)
	if col.Type.IsBool() {
		return strconv.AppendBool(nil, text == "t")
	}
	if col.Type.IsNumber() && json.Valid([]byte(text)) {
		return []byte(text)
	}
	quoted, _ := json.Marshal(text)
	return quoted
}

// writeArrow writes the result as an Arrow IPC stream.
func writeArrow(w io.Writer, res *cubeloom.Result) (err error) {
	defer sqlstate.Catch(&err)
	reader := sqlstate.Must(res.Records())
	defer reader.Release()
	out := ipc.NewWriter(w, ipc.WithSchema(reader.Schema()))
	for reader.Next() {
		sqlstate.Check(out.Write(reader.Record()))
	}
	sqlstate.Check(reader.Err())
	return out.Close()
}

// plural is one or many, as n asks.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
