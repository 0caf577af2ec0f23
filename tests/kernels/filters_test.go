//go:build device

package kernels

import (
	"errors"
	"maps"
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
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestKernelsByFilter runs kernels that join with each form of filter before their tables, in
// blocks of the usual size and in those that have a multiprocessor for themselves.
func TestKernelsByFilter(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.kernels")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	// Of joins many are of the usual size, and of others many are large.
	many, some := device.Sampler(t.Name(), 1), device.Sampler(t.Name(), *formShare)
	usual, large := machine.Default().Device, machine.Default().Device
	large.Filters.Resident = 1 << 40
	for _, size := range []struct {
		name   string
		device machine.Device
	}{{"usual", usual}, {"large", large}} {
		target := aggregate.Target(size.device)
		backend := cuda.New(device.ByText{Device: device.Open(t)}, cpu.New(), cuda.Options{Target: target})
		for _, form := range cudagen.FilterForms()[1:] {
			forms := make(map[cudagen.Layout]bool)
			for _, file := range files {
				funcs, filtered := withFilters(t, target, parseFile(t, file), form, forms)
				draws := many
				if strings.HasPrefix(filepath.Base(file), "join") == (size.name == "large") {
					draws = some
				}
				if !filtered || !draws() {
					continue
				}
				t.Run(size.name+"/"+form+"/"+strings.TrimSuffix(filepath.Base(file), ".kernels"), func(t *testing.T) {
					t.Parallel() // most of the time goes into compiling
					for _, rows := range []int{0, 37, 1700} {
						compareBackends(t, backend, funcs, rows, rand.New(rand.NewPCG(21, 22)))
					}
				})
			}
			want := map[string]int{"exact": 2, "bloom": 4}[form]
			if len(forms) != want {
				t.Errorf("%s/%s: tables of %d layouts have filters, not of %d: %v", size.name, form, len(forms), want, slices.Collect(maps.Keys(forms)))
			}
		}
	}
}

// withFilters has the kernels of a file filter keys wherever that applies, and notes the layouts
// of the tables.
func withFilters(t *testing.T, target *cudagen.Target, funcs []*kernel.Func, form string, layouts map[cudagen.Layout]bool) (with []*kernel.Func, filtered bool) {
	t.Helper()
	with = slices.Clone(funcs)
	for i, f := range funcs {
		builds := make(map[int]*kernel.Func)
		for in, input := range f.Inputs {
			made := slices.IndexFunc(funcs, func(g *kernel.Func) bool { return g.Name == input.Name })
			if made < 0 {
				continue
			}
			if _, ok := funcs[made].Sink.(*kernel.Build); ok {
				builds[in] = funcs[made]
			}
		}
		g, _, err := target.ChooseShared(tablesOf(f, 200), builds, 0, forced("filter_strategy", form), forced("pack_strategy", cudagen.NoPacking))
		if e := new(value.Error); errors.As(err, &e) && e.Code == value.CodeFeatureNotSupported {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		for _, in := range g.Body {
			if p, ok := in.(*kernel.Probe); ok && p.Filter.Form != kernel.NoFilter {
				filtered = true
				layouts[target.TableLayout(builds[p.Input], p)] = true
			}
		}
		with[i] = g
	}
	return with, filtered
}

// tablesOf is a kernel whose tables are estimated to have so many rows.
func tablesOf(f *kernel.Func, rows float64) *kernel.Func {
	with := *f
	with.Body = slices.Clone(f.Body)
	for i, in := range f.Body {
		if p, ok := in.(*kernel.Probe); ok {
			probe := *p
			probe.Rows.Table = rows
			with.Body[i] = &probe
		}
	}
	return &with
}
