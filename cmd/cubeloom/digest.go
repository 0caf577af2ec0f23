package main

import (
	"fmt"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
)

// digestRows reads a result, whose cells count as texts.
func digestRows(res *cubeloom.Result) (harness.Digest, error) {
	var d harness.Digest
	var row, cell []byte
	cur := res.Cursor()
	for cur.Next() {
		row = row[:0]
		for i := range res.Columns {
			if cell = cell[:0]; !cur.IsNull(i) {
				cell = cur.AppendText(cell, i)
			}
			row = harness.AppendCell(row, cell, cur.IsNull(i))
		}
		d.Add(row)
	}
	return d, cur.Err()
}

// sameRows compares two results as multisets of rows.
func sameRows(a, b *cubeloom.Result) error {
	left, err := digestRows(a)
	if err != nil {
		return err
	}
	right, err := digestRows(b)
	if err != nil {
		return err
	}
	if left != right {
		return fmt.Errorf("%v and %v", left, right)
	}
	return nil
}
