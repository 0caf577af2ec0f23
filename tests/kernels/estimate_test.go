//go:build device

package kernels

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// builds counts the launches that fill a hash table.
type builds struct {
	*cuda.Backend
	launches int
}

func (b *builds) Run(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions) (runtime.Output, runtime.Metrics, error) {
	told := *opts
	told.Explain = true
	out, metrics, err := b.Backend.Run(ctx, f, inputs, &told)
	if err == nil {
		for _, l := range metrics.Device.Launches {
			if strings.HasSuffix(l.Entry, "_build") {
				b.launches++
			}
		}
	}
	return out, metrics, err
}

// TestBuildOfTooLowAnEstimate makes a hash table with room for about as many rows as
// are estimated: where there are more, once more with room for all.
func TestBuildOfTooLowAnEstimate(t *testing.T) {
	t.Parallel()
	dev := device.Open(t)
	for estimate, launches := range map[float64]int{1: 2, 1000: 1} {
		t.Run(fmt.Sprint(estimate), func(t *testing.T) {
			var funcs []*kernel.Func
			for _, f := range parseFile(t, "testdata/join-narrow64.kernels") {
				switch s := f.Sink.(type) {
				case *kernel.Build:
					s.Rows = estimate
					f.Params[0].Val.I = -50 // all but NULLs stay
					funcs = append(funcs, f)
				case *kernel.Materialize:
					if _, ok := f.Source.(*kernel.Unmatched); ok { // reads the whole table
						funcs = append(funcs, f)
					}
				}
			}
			backend := &builds{Backend: cuda.New(dev, cpu.New(), cuda.Options{FewSourceRows: 1})}
			compareBackends(t, backend, funcs, 1700, rand.New(rand.NewPCG(7, 7)))
			if backend.launches != launches || len(funcs) < 2 {
				t.Errorf("%d launches to build, not %d", backend.launches, launches)
			}
		})
	}
}
