package cuda_test

import (
	"fmt"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
)

// TestChooseGroups has a device choose the table of groups by its own figures, whatever table the
// CPU takes; where the number of cells is not known, the table stays that of the plan.
func TestChooseGroups(t *testing.T) {
	const text = `kernel "groups" dicts 0
  input 0 relation "rows"
  scan 0
    %%0 i32 0..4095 "key" = column 0
  body
  aggregate %s rows %d groups 10%s keys %%0
    count_star filter none
      gives %%1 i64 "n"
  end
end
`
	force := strategy.Preference{Setting: "aggregate_strategy", Force: "hash"}
	cheap := machine.Default().Device
	cheap.Tables.HashStart, cheap.Tables.Hashed = 1, 1e-3
	for _, c := range []struct {
		planned string
		rows    int
		cells   string
		device  machine.Device
		want    strategy.Preference
		taken   kernel.Strategy
		decided bool
	}{
		{"hash", 100, " combinations 4096", machine.Default().Device, strategy.Preference{}, kernel.Dense, true},
		{"dense partitioned", 100, " combinations 4096", machine.Default().Device, strategy.Preference{}, kernel.Dense, true},
		{"dense", 100, " combinations 1e+06", machine.Default().Device, strategy.Preference{}, kernel.Hash, true},
		{"dense", 1e6, " combinations 4096", cheap, strategy.Preference{}, kernel.Hash, true},
		{"dense", 100, " combinations 4096", machine.Default().Device, force, kernel.Hash, true},
		{"hash", 100, "", machine.Default().Device, strategy.Preference{}, kernel.Hash, false},
	} {
		f, err := kerneltext.Parse(fmt.Sprintf(text, c.planned, c.rows, c.cells))
		if err != nil {
			t.Fatal(err)
		}
		planned := f.Sink.(*kernel.Aggregate).Strategy
		with, decisions, err := (&cuda.Target{Device: c.device}).ChooseGroups(f, c.want)
		if err != nil {
			t.Fatal(err)
		}
		if got := with.Sink.(*kernel.Aggregate).Strategy; got != c.taken || len(decisions) > 0 != c.decided {
			t.Errorf("planned %s over %d rows%s: %s, decided %v", c.planned, c.rows, c.cells, got, decisions)
		}
		if f.Sink.(*kernel.Aggregate).Strategy != planned {
			t.Error("the CPU's kernel has changed")
		}
	}
}
