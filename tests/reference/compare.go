package reference

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// FloatTolerance is the relative difference up to which double precision
// values agree: sums depend on the order of their summands.
const FloatTolerance = 1e-9

// Compare reports the first difference between two results, or nil. Column
// types and the number of columns must agree, names too. With ordered, rows
// are compared one by one, but for rows that tie and print differently; otherwise
// as multisets. Values are compared as text,
// those of type float8 within FloatTolerance.
func Compare(got, want *Result, ordered bool) error {
	if err := compareColumns(got.Columns, want.Columns); err != nil {
		return err
	}
	if len(got.Rows) != len(want.Rows) {
		return fmt.Errorf("%d rows, want %d", len(got.Rows), len(want.Rows))
	}
	inOrder := rowDifference(got.Rows, want.Rows, want.Columns)
	if ordered && (inOrder == nil || !tied(got, want)) {
		return inOrder
	}
	err := rowDifference(canonical(got), canonical(want), want.Columns)
	if err != nil && tied(byValue(got), byValue(want)) {
		return fmt.Errorf("%s: %w", SameValues, err)
	}
	return err
}

// SameValues begins the difference of results whose rows are equal as values, but which
// have numerics of other scales, as 3.10 and 3.100.
const SameValues = "equal values of other scales"

// byValue is a result with its rows in the order of their values.
func byValue(r *Result) *Result {
	rows := slices.Clone(r.Rows)
	slices.SortStableFunc(rows, func(a, b []Cell) int {
		for c := range a {
			if d := CompareCells(a[c], b[c], r.Columns[c].Type); d != 0 {
				return d
			}
		}
		return 0
	})
	return &Result{Columns: r.Columns, Rows: rows}
}

// rowDifference returns the first difference.
func rowDifference(got, want [][]Cell, columns []Column) error {
	for i := range got {
		for c := range got[i] {
			if !sameCell(got[i][c], want[i][c], columns[c].Type) {
				return fmt.Errorf("row %d, column %s: %s, want %s\n  got  %s\n  want %s", i+1, columns[c].Name,
					got[i][c], want[i][c], Line(got[i]), Line(want[i]))
			}
		}
	}
	return nil
}

// tied reports whether rows in the same place tie in an order by all columns: a
// numeric may be equal and print differently, as 3.10 and 3.100 do.
func tied(got, want *Result) bool {
	for i := range got.Rows {
		for c, cell := range got.Rows[i] {
			other, typ := want.Rows[i][c], want.Columns[c].Type
			if !sameCell(cell, other, typ) && (typ != "numeric" || CompareCells(cell, other, typ) != 0) {
				return false
			}
		}
	}
	return true
}

func compareColumns(got, want []Column) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d columns, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			return fmt.Errorf("column %d is %s %s, want %s %s", i+1, got[i].Name, got[i].Type, want[i].Name, want[i].Type)
		}
	}
	return nil
}

func sameCell(a, b Cell, typ string) bool {
	if a == b {
		return true
	}
	if a.Null || b.Null || typ != "float8" && typ != "float4" {
		return false
	}
	x, errX := strconv.ParseFloat(a.Text, 64)
	y, errY := strconv.ParseFloat(b.Text, 64)
	if errX != nil || errY != nil {
		return false
	}
	return x == y || math.Abs(x-y) <= FloatTolerance*math.Max(math.Abs(x), math.Abs(y)) ||
		math.Abs(x-y) < 1e-300
}

// canonical sorts rows by their exact columns first and by float columns,
// numerically, after them, so that slightly different floats do not bring rows
// into different orders unless they are equal everywhere else.
func canonical(r *Result) [][]Cell {
	type keyed struct {
		text   string
		floats []float64
		row    []Cell
	}
	rows := make([]keyed, len(r.Rows))
	for i, row := range r.Rows {
		var exact strings.Builder
		var floats []float64
		for c, cell := range row {
			v, err := strconv.ParseFloat(cell.Text, 64)
			if r.Columns[c].Type == "float8" && !cell.Null && err == nil && !math.IsNaN(v) {
				floats = append(floats, v)
				continue
			}
			fmt.Fprintf(&exact, "%d%t%q", c, cell.Null, cell.Text)
		}
		rows[i] = keyed{exact.String(), floats, row}
	}
	sort.SliceStable(rows, func(i, j int) bool {
		a, b := rows[i], rows[j]
		if a.text != b.text {
			return a.text < b.text
		}
		for k := range min(len(a.floats), len(b.floats)) {
			if a.floats[k] != b.floats[k] {
				return a.floats[k] < b.floats[k]
			}
		}
		return false
	})
	out := make([][]Cell, len(rows))
	for i, k := range rows {
		out[i] = k.row
	}
	return out
}

// CompareCells orders two values of a type as ORDER BY does in ascending order:
// numbers by size, other values by their text, NULLs last.
func CompareCells(a, b Cell, typ string) int {
	if a.Null || b.Null {
		return boolInt(a.Null) - boolInt(b.Null)
	}
	switch typ {
	case "int2", "int4", "int8", "numeric", "float8":
		x, okX := new(big.Float).SetPrec(256).SetString(a.Text)
		y, okY := new(big.Float).SetPrec(256).SetString(b.Text)
		if okX && okY {
			return x.Cmp(y)
		}
	}
	return strings.Compare(a.Text, b.Text)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
