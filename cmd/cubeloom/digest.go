package main

import (
	"fmt"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// digestRows reads a result, whose cells count as texts.
func digestRows(res *cubeloom.Result) (harness.Digest, error) {
	return digest(res, func(int) bool { return false }, nil)
}

// readRows reads a result, whose cells count as texts but for numbers of double precision.
func readRows(res *cubeloom.Result) (harness.Digest, *harness.Floats, error) {
	floats := &harness.Floats{}
	d, err := digest(res, func(i int) bool { return res.Columns[i].Type.Kind == algebra.Float64 }, floats)
	floats.Sort()
	return d, floats, err
}

// digest reads a result, and takes cells of some columns apart.
func digest(res *cubeloom.Result, apart func(column int) bool, floats *harness.Floats) (harness.Digest, error) {
	var d harness.Digest
	var row, cell []byte
	cur := res.Cursor()
	for cur.Next() {
		row = row[:0]
		var values []float64
		for i := range res.Columns {
			null := cur.IsNull(i)
			if cell = cell[:0]; !null && apart(i) {
				values = append(values, cur.Value(i).F)
			} else if !null {
				cell = cur.AppendText(cell, i)
			}
			row = harness.AppendCell(row, cell, null)
		}
		if rest := d.Add(row); values != nil {
			floats.Add(rest, values)
		}
	}
	return d, cur.Err()
}

// sameRows compares two results as multisets of rows.
func sameRows(a, b *cubeloom.Result) error { return agree(a, b, 0) }

// agree is sameRows but for numbers of double precision, which agree within the precision
// of such up to a magnitude: see workload.Query.
func agree(a, b *cubeloom.Result, magnitude float64) error {
	left, leftFloats, err := readRows(a)
	if err != nil {
		return err
	}
	right, rightFloats, err := readRows(b)
	if err != nil {
		return err
	}
	if left != right {
		return fmt.Errorf("%v and %v", left, right)
	}
	if !leftFloats.Agree(rightFloats, magnitude) {
		return fmt.Errorf("%v, but for numbers of double precision", left)
	}
	return nil
}
