//go:build device

package kernels

import (
	"math/rand/v2"
	"testing"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestThreadCellsOfManyMatches has threads add more rows to cells of threads than fields of
// them are wide enough for: few rows of the source have thousands of matches each, which
// one thread takes or all of its block, or are repeated as often.
func TestThreadCellsOfManyMatches(t *testing.T) {
	t.Parallel()
	for form, rows := range map[string]map[string]int{
		"loop":  {"sums": 3, "halves": 4, "repeated": 1},
		"block": {"sums": 300, "halves": 4, "repeated": 0},
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			funcs := parseFile(t, "testdata/matches/thread.kernels")
			for i, f := range funcs {
				funcs[i] = withForm(f, form)
			}
			tables := randomTables(funcs, 13500, rand.New(rand.NewPCG(13, 14)))
			for name, n := range rows {
				tables[name] = tables[name].head(n)
			}
			compareWanted(t, cudagen.Wants{Aggregates: forced("aggregate_strategy", "thread")}, funcs, tables)
		})
	}
}

// TestJoinedNumbers has lanes of a warp join numbers of 32 bits, whose sums have more.
func TestJoinedNumbers(t *testing.T) {
	t.Parallel()
	for _, name := range preaggregate.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			funcs := parseFile(t, "testdata/matches/joined.kernels")
			tables := randomTables(funcs, 1700, rand.New(rand.NewPCG(15, 16)))
			compareWanted(t, cudagen.Wants{
				Aggregates:    forced("aggregate_strategy", "block"),
				Preaggregates: forced("preaggregate_strategy", name),
			}, funcs, tables)
		})
	}
}

// compareWanted compares kernels that aggregate as is wanted on the device with the CPU's.
func compareWanted(t *testing.T, want cudagen.Wants, funcs []*kernel.Func, tables map[string]*memoryTable) {
	t.Helper()
	target := aggregate.Target(machine.Default().Device)
	for i, f := range funcs {
		if _, ok := f.Sink.(*kernel.Aggregate); !ok {
			continue
		}
		if funcs[i] = wanted(t, target, f, &want); funcs[i] == nil {
			t.Fatalf("%v does not apply to %s", want, f.Name)
		}
	}
	compareOver(t, cuda.New(device.Open(t), cpu.New(), cuda.Options{}), funcs, tables)
}
