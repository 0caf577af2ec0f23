//go:build device

package kernels

import (
	"math/rand/v2"
	"testing"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/emulator"
)

// TestProducts joins rows with several matches of two tables, in the order that is chosen
// for a device: that with the most matches comes first, in each form for both and in some
// for one and another for the other. Sums go over 32 bits within few pairs.
func TestProducts(t *testing.T) {
	t.Parallel()
	figures := machine.Default().Device
	figures.Expand.ChildMatches, figures.Expand.Children = 100, 64
	target := aggregate.Target(figures)
	d := device.Open(t)
	if counted, ok := d.(interface{ Launched() emulator.Launched }); ok {
		t.Cleanup(func() {
			if got := counted.Launched(); got.Done == 0 {
				t.Errorf("kernels have launched none: %+v", got)
			}
		})
	}
	backend := cuda.New(d, cpu.New(), cuda.Options{Target: target})
	names, some := expand.Names(), device.Sampler(t.Name(), *formShare)
	for i, first := range names {
		for j, second := range names {
			if i != j && !some() {
				continue
			}
			t.Run(first+"/"+second, func(t *testing.T) {
				t.Parallel() // most of the time goes into compiling
				funcs := parseFile(t, "testdata/products.kernels")
				sums := funcs[len(funcs)-1]
				with, _, err := target.ChooseExpansions(cudagen.DealtFirst(sums), 0, forced("expansion_strategy", first), kernel.Pages{})
				if err != nil {
					t.Fatal(err)
				}
				many, few := with.Body[0].(*kernel.Probe), with.Body[1].(*kernel.Probe)
				if sums.Inputs[many.Input].Name != "many" || sums.Inputs[few.Input].Name != "few" {
					t.Fatalf("joins with inputs %d and %d", many.Input, few.Input)
				}
				few.Expand = second
				if err := kernel.Verify(with); err != nil {
					t.Fatal(err)
				}
				funcs[len(funcs)-1] = with
				compareBackends(t, backend, funcs, 1000, rand.New(rand.NewPCG(15, 16)))
			})
		}
	}
}
