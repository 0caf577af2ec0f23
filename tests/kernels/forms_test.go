//go:build device

package kernels

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestShares joins a few rows with many of all matches, which blocks take in even shares.
func TestShares(t *testing.T) {
	t.Parallel()
	backend := cuda.New(device.Open(t), cpu.New(), cuda.Options{})
	funcs := parseFile(t, "testdata/hubs.kernels")
	for i, f := range funcs {
		funcs[i] = withForm(f, "grid")
	}
	for _, rows := range []int{0, 1, 6000} {
		tables := randomTables(funcs, rows, rand.New(rand.NewPCG(9, 10)))
		tables["targets"] = tables["targets"].head(300)
		compareOver(t, backend, funcs, tables)
	}
}

// choosing is a backend that keeps the choices of its runs.
type choosing struct {
	*cuda.Backend
	forms []strategy.Decision
}

// Run implements runtime.Backend.
func (c *choosing) Run(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions) (runtime.Output, runtime.Metrics, error) {
	explained := *opts
	explained.Explain = true
	out, metrics, err := c.Backend.Run(ctx, f, inputs, &explained)
	c.forms = append(c.forms, metrics.Forms...)
	return out, metrics, err
}

// TestChosenForms has the run choose forms by the tables and a sample of the source, which
// here is all of it; figures of the device make each form the cheapest once.
func TestChosenForms(t *testing.T) {
	t.Parallel()
	tables := randomTables(parseFile(t, "testdata/hubs.kernels"), 2000, rand.New(rand.NewPCG(11, 12)))
	tables["targets"] = tables["targets"].head(100)
	for name, cheap := range map[string]func(*machine.Expand){
		"loop":     func(e *machine.Expand) { e.LoopStart, e.WarpTurn, e.BlockTurn, e.Apart, e.Same = 0, 0, 0, 0, 0 },
		"block":    func(e *machine.Expand) { e.BlockStart, e.Staged = 0, 0 },
		"grid":     func(e *machine.Expand) { e.CountStart, e.Counted = 0, 0 },
		"children": func(e *machine.Expand) { e.ChildStart, e.Handed, e.ChildMatches = 0, -1, 0 },
	} {
		figures := machine.Default().Device
		figures.Groups.ThreadBytes = 0 // form block is taken beside cells of threads
		e := &figures.Expand
		e.Sampled = -1 // whatever is to be saved
		e.ThreadTurn, e.SlotTurn, e.CellTurn, e.SoughtTurn = 0, 0, 0, 0
		cheap(e)
		backend := &choosing{Backend: cuda.New(device.Open(t), cpu.New(), cuda.Options{Target: aggregate.Target(figures)})}
		funcs := parseFile(t, "testdata/hubs.kernels")
		for i, f := range funcs {
			funcs[i] = opened(f)
		}
		compareOver(t, backend, funcs, tables)
		if len(backend.forms) != len(funcs)-1 {
			t.Fatalf("%s: %d choices", name, len(backend.forms))
		}
		for _, d := range backend.forms {
			if !d.Takes(name) {
				t.Errorf("%s is not taken: %s, %s", name, d.Costs(), d.Reason)
			}
		}
		if want := matchesText(tables); !strings.Contains(backend.forms[0].Reason, want) {
			t.Errorf("%s, not with %s", backend.forms[0].Reason, want)
		}
	}
}

// TestTimedForms runs a kernel over the same rows until all forms are timed, which are compiled behind its
// runs. Each has the CPU's answer, and the last run takes the fastest.
func TestTimedForms(t *testing.T) {
	funcs := parseFile(t, "testdata/hubs.kernels")[:2]
	for i, f := range funcs {
		funcs[i] = opened(f)
	}
	tables := randomTables(funcs, 6000, rand.New(rand.NewPCG(15, 16)))
	tables["targets"] = tables["targets"].head(300)
	figures := machine.Default().Device
	figures.Groups.ThreadBytes = 0
	figures.Expand.Doubt, figures.Expand.Tried = 1e6, 0 // whatever is predicted
	backend := &choosing{Backend: cuda.New(device.Open(t), cpu.New(), cuda.Options{Target: aggregate.Target(figures)})}
	tried := make(map[string]bool)
	for began := time.Now(); ; {
		compareOver(t, backend, funcs, tables)
		d := backend.forms[len(backend.forms)-1]
		tried[d.Taken().Strategy] = true
		if len(tried) == len(expand.Names()) && strings.HasPrefix(d.Reason, "the fastest of ") {
			if strings.Count(d.Reason, "timed as") != len(tried) {
				t.Errorf("%s is taken as %s", d.Taken().Strategy, d.Reason)
			}
			return
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("of %v no form is taken for good: %s", tried, d.Reason)
		}
	}
}

// opened is a kernel whose expansions may be done in another form.
func opened(f *kernel.Func) *kernel.Func {
	with := *f
	with.Body = slices.Clone(f.Body)
	for i, in := range with.Body {
		if p, ok := in.(*kernel.Probe); ok {
			probe := *p
			probe.Expand, probe.Open = "block", true
			with.Body[i] = &probe
		}
	}
	return &with
}

// matchesText counts the rows of sums that have matches, and these.
func matchesText(tables map[string]*memoryTable) string {
	targets := make(map[string]int)
	eachKey(tables["targets"], func(element string) { targets[element]++ })
	rows, matches := 0.0, 0.0
	eachKey(tables["sums"], func(element string) {
		matches += float64(targets[element])
		if targets[element] > 0 {
			rows++
		}
	})
	return fmt.Sprintf("%.4g have %.4g matches", rows, matches)
}

// eachKey calls f with the values of the first column.
func eachKey(m *memoryTable, f func(string)) {
	for _, b := range m.blocks {
		for row := range b.Rows {
			f(cell(b.Cols[0], row))
		}
	}
}
