//go:build device

package kernels

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestKernelsByPacking packs rows behind every filter and probe of the kernels that aggregate, write rows or make tables, with
// filters before their tables and without.
func TestKernelsByPacking(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.kernels")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	target := aggregate.Target(machine.Default().Device)
	backend := cuda.New(device.ByText{Device: device.Open(t)}, cpu.New(), cuda.Options{Target: target})
	packed, some := 0, device.Sampler(t.Name(), *formShare)
	for _, form := range cudagen.FilterForms() {
		for _, file := range files {
			funcs, _ := withFilters(t, target, parseFile(t, file), form, make(map[cudagen.Layout]bool))
			for place := range 3 {
				with, behind := packedAt(target, funcs, place)
				if behind == 0 {
					continue
				}
				packed += behind
				if !some() {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%d", form, strings.TrimSuffix(filepath.Base(file), ".kernels"), place), func(t *testing.T) {
					t.Parallel() // most of the time goes into compiling
					sizes := []int{0, 37, 1700}
					if strings.HasSuffix(file, "star.kernels") { // others have many matches
						sizes = append(sizes, 40000) // warps are full several times
					}
					for _, rows := range sizes {
						compareBackends(t, backend, with, rows, rand.New(rand.NewPCG(23, 24)))
					}
				})
			}
		}
	}
	if packed < 12 {
		t.Errorf("rows are packed at %d places", packed)
	}
}

// packedAt packs rows behind the filter or probe of each kernel that has so many before it, where that
// applies, and returns behind how many.
func packedAt(target *cudagen.Target, funcs []*kernel.Func, place int) (with []*kernel.Func, packed int) {
	with = slices.Clone(funcs)
	for i, f := range funcs {
		before := 0
		for at, in := range f.Body {
			_, isFilter := in.(*kernel.Filter)
			_, isProbe := in.(*kernel.Probe)
			if !isFilter && !isProbe {
				continue
			}
			if before == place && target.PackRefusal(f, at) == "" {
				with[i] = cudagen.Packed(f, at)
				packed++
			}
			before++
		}
	}
	return with, packed
}
