//go:build device

package kernels

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestKernelsByStrategy runs every kernel that aggregates with each strategy that
// applies to it; each applies to some.
func TestKernelsByStrategy(t *testing.T) {
	backend := cuda.New(device.Open(t), cpu.New(), cuda.Options{})
	target := aggregate.Target(machine.Default().Device)
	files, err := filepath.Glob("testdata/*.kernels")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range aggregate.Names() {
		applied := 0
		for _, file := range files {
			funcs := parseFile(t, file)
			forced := 0
			for i, f := range funcs {
				if g := withStrategy(t, target, f, name); g != nil {
					funcs[i] = g
					forced++
				}
			}
			if forced == 0 {
				continue
			}
			applied += forced
			t.Run(name+"/"+strings.TrimSuffix(filepath.Base(file), ".kernels"), func(t *testing.T) {
				t.Parallel() // most of the time goes into compiling
				compareBackends(t, backend, funcs, 1700, rand.New(rand.NewPCG(3, 4)))
			})
		}
		if applied == 0 {
			t.Errorf("strategy %s applies to no kernel", name)
		}
		t.Logf("strategy %s applies to %d kernels", name, applied)
	}
}

// withStrategy is a kernel whose aggregation is done by a strategy on the device; nil
// where that is not so, or the strategy does not apply.
func withStrategy(t *testing.T, target *cudagen.Target, f *kernel.Func, name string) *kernel.Func {
	t.Helper()
	agg, ok := f.Sink.(*kernel.Aggregate)
	if !ok || len(agg.Keys) == 0 || codegen.SplitDistinct(f) != nil {
		return nil
	}
	_, err := target.ChooseAggregate(f, 0, strategy.Preference{Setting: "aggregate_strategy", Force: name})
	var e *value.Error
	if errors.As(err, &e) && e.Code == value.CodeFeatureNotSupported {
		return nil
	}
	if err != nil {
		t.Fatalf("%s by %s: %v", f.Name, name, err)
	}
	sink, with := *agg, *f
	sink.Device = name
	with.Sink = &sink
	return &with
}

// TestKernelsByForm runs every kernel of tests/kernels that joins with each form in which
// a device goes on with a row for each match.
func TestKernelsByForm(t *testing.T) {
	backend := cuda.New(device.ByText{Device: device.Open(t)}, cpu.New(), cuda.Options{})
	files, err := filepath.Glob("testdata/*.kernels")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range expand.Names() {
		for _, file := range files {
			funcs, forced := parseFile(t, file), 0
			for i, f := range funcs {
				funcs[i] = withForm(f, name)
				if funcs[i] != f {
					forced++
				}
			}
			if forced == 0 {
				continue
			}
			t.Run(name+"/"+strings.TrimSuffix(filepath.Base(file), ".kernels"), func(t *testing.T) {
				t.Parallel() // most of the time goes into compiling
				compareBackends(t, backend, funcs, 1700, rand.New(rand.NewPCG(5, 6)))
			})
		}
	}
}

// withForm is a kernel whose joins are done in a form on the device, as far as it applies
// to them; the very kernel where it applies to none.
func withForm(f *kernel.Func, name string) *kernel.Func {
	with, forced := *f, false
	if sink, ok := f.Sink.(*kernel.Aggregate); name == "children" && (!ok || len(sink.Keys) == 0) {
		return f // a row belongs to the block that has it
	}
	with.Body = slices.Clone(f.Body)
	for i, in := range with.Body {
		p, ok := in.(*kernel.Probe)
		if !ok || p.Kind != kernel.ProbeInner && p.Kind != kernel.ProbeLeft || p.Kind == kernel.ProbeLeft && p.Cond != kernel.NoValue && name != "loop" {
			continue
		}
		probe := *p
		probe.Expand = name
		with.Body[i], forced = &probe, true
	}
	if !forced {
		return f
	}
	return &with
}
