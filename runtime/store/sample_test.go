package store

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/storetest"
)

// TestSmallTablesAreTheirSamples holds that all rows of a small table are in
// its sample, with the values of all columns.
func TestSmallTablesAreTheirSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := drawColumns(t)
		table, err := NewTable(Definition{Name: "t", Columns: columns})
		if err != nil {
			t.Fatal(err)
		}
		all := [][]value.Value{}
		for range rapid.IntRange(1, 4).Draw(t, "appends") {
			rows := storetest.Table(t, columnTypes(columns), 20)
			if table, err = appended(table, rows); err != nil {
				t.Fatal(err)
			}
			all = append(all, rows...)
		}
		if got, want := fmt.Sprint(table.Sample().Rows()), fmt.Sprint(all); got != want {
			t.Fatalf("the sample is\n%s\nof\n%s", got, want)
		}
	})
}

// TestSamplesAreEven holds that a sample of a large table has its size, takes
// about as many rows of each part of the table, and leaves older versions'
// samples as they were.
func TestSamplesAreEven(t *testing.T) {
	table, err := NewTable(Definition{Name: "t", Columns: []Column{
		{Name: "n", Type: algebra.TInt64}, {Name: "x", Type: algebra.TText},
	}})
	if err != nil {
		t.Fatal(err)
	}
	const parts, rows = 8, 5000
	var old *Table
	before := ""
	for part := range parts {
		var vals [][]value.Value
		for i := range rows {
			n := int64(part*rows + i)
			vals = append(vals, []value.Value{{Kind: value.Int, I: n}, {Kind: value.Text, S: fmt.Sprint(n % 10)}})
		}
		if table, err = appended(table, vals); err != nil {
			t.Fatal(err)
		}
		if part == 3 {
			old, before = table, fmt.Sprint(table.Sample().Rows())
		}
	}
	if got := fmt.Sprint(old.Sample().Rows()); got != before {
		t.Error("appending changed an older version's sample")
	}
	if len(table.Sample().Rows()) != sampleSize {
		t.Fatalf("%d rows in the sample", len(table.Sample().Rows()))
	}
	var of [parts]int
	for _, row := range table.Sample().Rows() {
		if row[1].S != fmt.Sprint(row[0].I%10) {
			t.Fatalf("no row is %v", row)
		}
		of[row[0].I/rows]++
	}
	for part, n := range of {
		if n < sampleSize/parts/2 || n > sampleSize/parts*2 {
			t.Errorf("%d of %d sampled rows are of part %d of %d: %v", n, sampleSize, part, parts, of)
		}
	}
}
