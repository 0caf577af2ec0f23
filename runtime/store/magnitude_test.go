package store

import (
	"math"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

func TestMagnitudes(t *testing.T) {
	table, err := NewTable(Definition{Name: "t", Columns: []Column{{Name: "f", Type: algebra.TFloat64}, {Name: "i", Type: algebra.TInt32}}})
	if err != nil {
		t.Fatal(err)
	}
	add := func(numbers ...float64) {
		app := table.Append()
		batch := app.NewBatch()
		for _, f := range numbers {
			if err := batch.AppendRow([]value.Value{{Kind: value.Float, F: f}, {Kind: value.Int, I: 1}}); err != nil {
				t.Fatal(err)
			}
		}
		batch.Col(0).Null()
		batch.Col(1).Null()
		part, err := batch.Seal()
		if err == nil {
			err = app.Add(part)
		}
		if err == nil {
			table, err = app.Finish()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	holds := func(ordinal int, want algebra.Magnitude, ok bool) {
		t.Helper()
		for range 2 {
			if m, known := table.Magnitude(ordinal); m != want || known != ok {
				t.Errorf("%v, %v instead of %v, %v", m, known, want, ok)
			}
		}
	}
	holds(0, algebra.Magnitude{}, true)
	add(0, -6)
	holds(0, algebra.Magnitude{Lo: 2, Hi: 3}, true)
	add(0.25, 5e-324)
	holds(0, algebra.Magnitude{Lo: -1074, Hi: 3}, true)
	holds(1, algebra.Magnitude{}, false)
	add(math.Inf(-1))
	holds(0, algebra.Magnitude{}, false)
}

func TestMagnitudesOfNumerics(t *testing.T) {
	var rows [][]value.Value
	for _, n := range []value.Num{{}, {Coef: value.Int128Of(-125), Scale: 2}, {Coef: value.Int128Of(7), Scale: 5}, {Coef: value.Int128Of(40)}} {
		rows = append(rows, []value.Value{{Kind: value.Decimal, Num: n}})
	}
	table, err := NewTable(Definition{Name: "t", Columns: []Column{{Name: "n", Type: algebra.TNumeric}}})
	if err != nil {
		t.Fatal(err)
	}
	app := table.Append()
	batch := app.NewBatch()
	for _, row := range rows {
		if err := batch.AppendRow(row); err != nil {
			t.Fatal(err)
		}
	}
	part, err := batch.Seal()
	if err == nil {
		err = app.Add(part)
	}
	if err == nil {
		table, err = app.Finish()
	}
	if m, ok := table.Magnitude(0); err != nil || !ok || m != (algebra.Magnitude{Lo: -20, Hi: 6, Scale: 5}) {
		t.Errorf("%v, %v, %v", m, ok, err)
	}
}
