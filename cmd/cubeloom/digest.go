package main

import (
	"fmt"
	"hash/maphash"

	"github.com/cubeloom/cubeloom"
)

// digestSeed makes the digests of one process comparable.
var digestSeed = maphash.MakeSeed()

// digest stands for a multiset of rows: their number and the sum of their
// hashes. Rows that differ give different digests but for one chance in 2^64.
type digest struct {
	rows int64
	sum  uint64
}

// digestRows reads a result. Columns are hashed as text, each with its length
// before it, so that their borders count.
func digestRows(res *cubeloom.Result) (digest, error) {
	var d digest
	var row, cell []byte
	cur := res.Cursor()
	for cur.Next() {
		row = row[:0]
		for i := range res.Columns {
			if cur.IsNull(i) {
				row = append(row, 0xff)
				continue
			}
			cell = cur.AppendText(cell[:0], i)
			row = append(row, byte(len(cell)), byte(len(cell)>>8), byte(len(cell)>>16))
			row = append(row, cell...)
		}
		d.rows++
		d.sum += maphash.Bytes(digestSeed, row)
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
		return fmt.Errorf("%d rows with digest %016x and %d rows with digest %016x", left.rows, left.sum, right.rows, right.sum)
	}
	return nil
}
