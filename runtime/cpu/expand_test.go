package cpu

import (
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// TestGatherAfterDecode gathers a value that comes stored in a small batch, where
// it is decoded afterwards, and computed in a large one.
func TestGatherAfterDecode(t *testing.T) {
	const small, large = 12, DefaultVectorRows
	numbers := make([]int64, large)
	for i := range numbers {
		numbers[i] = int64(large - i)
	}
	stored := &Vector{Type: kernel.I64, Raw: &runtime.Chunk{Enc: runtime.EncI64, Rows: small, I64: numbers[:small]}}
	computed := &Vector{Type: kernel.I64, vals: &list[int64]{numbers}}
	x := newExpander(&worker{rows: large, vals: make([]*Vector, 1)}, []kernel.ValueID{0})
	for _, b := range []Batch{{Rows: small, Vals: []*Vector{stored}}, {Rows: large, Vals: []*Vector{computed}}} {
		out := x.gather(&b, identity(b.Rows))
		if got := of[int64](out.value(0)); !slices.Equal(got, numbers[:b.Rows]) {
			t.Errorf("%d rows: got %v", b.Rows, got)
		}
	}
}
