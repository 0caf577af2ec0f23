package cpu

import (
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/compile"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// TestGatherAfterDecode gathers a value that comes stored in a small batch, where
// it is decoded afterwards, and computed in a large one.
func TestGatherAfterDecode(t *testing.T) {
	const small, large = 12, vector.DefaultRows
	numbers := make([]int64, large)
	for i := range numbers {
		numbers[i] = int64(large - i)
	}
	stored := &vector.Vector{Type: kernel.I64, Raw: &runtime.Chunk{Enc: runtime.EncI64, Rows: small, I64: numbers[:small]}}
	computed := &vector.Vector{Type: kernel.I64, Vals: &vector.List[int64]{At: numbers}}
	x := compile.NewExpander(&exec.Worker{Rows: large, Vals: make([]*vector.Vector, 1)}, []kernel.ValueID{0})
	for _, b := range []vector.Batch{{Rows: small, Vals: []*vector.Vector{stored}}, {Rows: large, Vals: []*vector.Vector{computed}}} {
		out := x.Gather(&b, vector.Identity(b.Rows))
		if got := vector.Of[int64](out.Value(0)); !slices.Equal(got, numbers[:b.Rows]) {
			t.Errorf("%d rows: got %v", b.Rows, got)
		}
	}
}
