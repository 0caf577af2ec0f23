//go:build device

package kernels

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/emulator"
)

// TestHubs joins a few rows with many of all matches: kernels are launched for them, or,
// where the pool is full, their block deals with them itself.
func TestHubs(t *testing.T) {
	t.Parallel()
	for _, pool := range []int{4, 0} {
		d, err := device.OpenerOf(t, device.Limits{PendingLaunches: pool})(0)
		if err != nil {
			t.Fatal(err)
		}
		figures := machine.Default().Device
		figures.Expand.ChildMatches, figures.Expand.Children = 100, 64
		backend := cuda.New(d, cpu.New(), cuda.Options{Target: aggregate.Target(figures)})
		funcs := parseFile(t, "testdata/hubs.kernels")
		for i, f := range funcs {
			funcs[i] = withForm(f, "children")
		}
		tables := randomTables(funcs, 8000, rand.New(rand.NewPCG(7, 8)))
		tables["targets"] = tables["targets"].head(150) // of few targets each, so that the emulation is done soon
		compareOver(t, backend, funcs, tables)
		if counted, ok := d.(interface{ Launched() emulator.Launched }); ok {
			got := counted.Launched()
			t.Logf("a pool of %d: %d launches, %d refused", pool, got.Done, got.Refused)
			if got.Done == 0 || (pool == 4) != (got.Refused > 0) {
				t.Errorf("a pool of %d: %+v", pool, got)
			}
		}
		if err := d.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPages has a kernel launched for each page of the source, in blocks of all numbers and
// in segments, and with a pool that is full soon.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, pool := range []int{4, 0} {
		d, err := device.OpenerOf(t, device.Limits{PendingLaunches: pool})(0)
		if err != nil {
			t.Fatal(err)
		}
		backend := cuda.New(d, cpu.New(), cuda.Options{})
		kinds := []kernel.Pages{{Rows: 768, Blocks: 1}, {Rows: 64}, {Rows: 4096}}
		if pool == 0 { // segments need room for the next one
			kinds = append(kinds, kernel.Pages{Rows: 64, Segment: 5})
		}
		for _, pages := range device.Some(fmt.Sprint(t.Name(), pool), kinds, 2) {
			funcs := parseFile(t, "testdata/hubs.kernels")
			for i, f := range funcs {
				funcs[i] = withForm(f, "children")
				for _, in := range funcs[i].Body {
					if p, ok := in.(*kernel.Probe); ok {
						p.Pages = pages
					}
				}
			}
			tables := randomTables(funcs, 4500, rand.New(rand.NewPCG(13, 14)))
			tables["targets"] = tables["targets"].head(100)
			compareOver(t, backend, funcs, tables)
		}
		if counted, ok := d.(interface{ Launched() emulator.Launched }); ok {
			got := counted.Launched()
			t.Logf("a pool of %d: %d launches, %d refused", pool, got.Done, got.Refused)
			if got.Done == 0 || (pool == 4) != (got.Refused > 0) {
				t.Errorf("a pool of %d: %+v", pool, got)
			}
		}
		if err := d.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
}
