//go:build device

package kernels

import (
	"fmt"
	"testing"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestParts groups rows that are dealt out to parts of the table: few slots and rows of a part that a
// block takes at a time, tables that are too small, and a part with one group that has all rows.
func TestParts(t *testing.T) {
	t.Parallel()
	for _, small := range []struct {
		partBytes, partRows int64
		rows                []int
	}{
		{512, 64, []int{0, 1, 3000}},
		{2 << 10, 1 << 10, []int{6000}},
	} {
		figures := machine.Default().Device
		figures.Groups.PartBytes, figures.Groups.PartRows = small.partBytes, small.partRows
		target := aggregate.Target(figures)
		backend := cuda.New(device.Open(t), cpu.New(), cuda.Options{Target: target})
		funcs := parseFile(t, "testdata/parts.kernels")
		for i, f := range funcs {
			if funcs[i] = wanted(t, target, f, &cudagen.Wants{Aggregates: forced("aggregate_strategy", "radix")}); funcs[i] == nil {
				t.Fatalf("%s cannot be grouped by parts", f.Name)
			}
		}
		t.Run(fmt.Sprintf("%d bytes of a part", small.partBytes), func(t *testing.T) {
			t.Parallel()
			for _, rows := range small.rows {
				compareBackends(t, backend, funcs, rows, device.Draw("rows of parts"))
			}
		})
	}
}
