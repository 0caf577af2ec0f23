package cpu

import (
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// TestBuildDense makes the table of so many rows that threads find their cells in
// several parts.
func TestBuildDense(t *testing.T) {
	const rows = 5 << 15
	row := uint64(rows)
	in := storedInts(rows, storedInt{limit: rows, next: func() uint64 { row--; return row }})
	f := funcOf([]kernel.Type{kernel.I64}, 1, nil, &kernel.Build{Dense: true, Keys: []kernel.Key{{Val: 0}}, Payload: []kernel.ValueID{0}})
	f.Values[0].Nullable, f.Values[0].Range = false, kernel.Range{Known: true, Hi: rows - 1}
	out, _, err := New().Run(t.Context(), f, []any{in}, &runtime.RunOptions{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	probe := &kernel.Probe{Kind: kernel.ProbeInner, Input: 1, Keys: []kernel.Key{{Val: 0}}, Payload: []kernel.SourceCol{{Dst: 1}}, Cond: kernel.NoValue}
	join := funcOf([]kernel.Type{kernel.I64, kernel.I64}, 1, kernel.Block{probe}, &kernel.Materialize{Cols: []kernel.ValueID{0, 1}, Limit: -1})
	join.Inputs = append(join.Inputs, kernel.Input{Kind: kernel.HashTableInput})
	found, _, err := New().Run(t.Context(), join, []any{in, out}, &runtime.RunOptions{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	pairs := found.(runtime.Relation)
	if pairs.Rows() != rows {
		t.Fatalf("%d keys are found, want %d", pairs.Rows(), rows)
	}
	for i := range pairs.Blocks() {
		b, err := pairs.Load(i, nil)
		if err != nil {
			t.Fatal(err)
		}
		for row := range b.Rows {
			if key, got := b.Cols[0].Int(row), b.Cols[1].Int(row); got != key {
				t.Fatalf("key %d is found at the row of key %d", key, got)
			}
		}
	}
}
