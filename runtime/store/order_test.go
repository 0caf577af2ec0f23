package store

import (
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// TestOrder looks at what a table knows of the order of its rows, within a block and
// from one to the next.
func TestOrder(t *testing.T) {
	for name, tc := range map[string]struct {
		blocks [][]int64
		want   runtime.Order
	}{
		"no rows":         {nil, runtime.Unordered},
		"one row":         {[][]int64{{7}}, runtime.Strict},
		"strict":          {[][]int64{{-1, 2, 5}, {6, 9}}, runtime.Strict},
		"equal within":    {[][]int64{{1, 2, 2}, {6, 9}}, runtime.Ascending},
		"equal between":   {[][]int64{{1, 2, 5}, {5, 9}}, runtime.Ascending},
		"constant":        {[][]int64{{7, 7}, {7, 7}}, runtime.Ascending},
		"falling within":  {[][]int64{{1, 3, 2}, {6, 9}}, runtime.Unordered},
		"falling between": {[][]int64{{1, 2, 5}, {4, 9}}, runtime.Unordered},
	} {
		table := &Table{}
		for _, vals := range tc.blocks {
			table.blocks = append(table.blocks, block{rows: len(vals), cols: []*runtime.Chunk{EncodeInts(kernel.I64, vals, nil, 0)}})
		}
		if got := table.order(0); got != tc.want {
			t.Errorf("%s: order %d, want %d", name, got, tc.want)
		}
	}
	if c := EncodeInts(kernel.I64, []int64{1, 0, 3}, []byte{5}, 1); c.Order != runtime.Unordered {
		t.Errorf("a chunk with a NULL is in order %d", c.Order)
	}
}
