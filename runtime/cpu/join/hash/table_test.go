package hash

import (
	"math"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// TestDenseCells finds cells by keys of every form, at and around the ends of the
// key's range and of the integers.
func TestDenseCells(t *testing.T) {
	ints := []int64{math.MinInt64, -6, -5, -1, 0, 3, 4, 5, 1 << 40, math.MaxInt64}
	for _, lo := range []int64{math.MinInt64, -5, 0, math.MaxInt64 - 8} {
		rng := kernel.Range{Known: true, Lo: lo, Hi: lo + 8}
		v := kernel.Value{Type: kernel.I64, Range: rng}
		d := newDenseLookup([]kernel.Value{v, v}, []bool{false, false})
		var wide []value.Int128
		var want []uint32
		for _, x := range ints {
			wide = append(wide, value.Int128Of(x))
			cell := uint32(noKey)
			if x >= rng.Lo && x <= rng.Hi {
				cell = uint32(x-lo) * 10 // 9 of the first key, 1 of the second
			}
			want = append(want, cell)
		}
		narrow := &vector.View{Form: vector.FormI64, N: len(ints), I64: ints}
		got := make([]uint32, len(ints))
		for _, keys := range [][]*vector.View{{narrow, narrow}, {narrow, {Form: vector.FormI128, N: len(ints), I128: wide}}} {
			if d.cellsOf(got, keys); !slices.Equal(got, want) {
				t.Errorf("from %d: cells %v, want %v", lo, got, want)
			}
		}
	}
}
