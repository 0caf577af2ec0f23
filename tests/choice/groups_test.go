package choice

import (
	"fmt"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
)

// TestScatteredGroups has the strategy chosen for 30 M rows by one scattered key, of which
// docs/measurements/2026-11-23-sums.md has the times: skewed keys take a third of the time where
// slots are sought, and uniform ones no more. What 1,024 and 65,536 groups take since blocks give slots
// to keys without waiting is in 2026-11-23-device.md.
func TestScatteredGroups(t *testing.T) {
	const text = `kernel "groups" dicts 0
  input 0 relation "rows"
  scan 0
    %%0 i64 "key" = column 0
    %%1 i32 0..249 "value" = column 1
  body
  aggregate hash rows 3e+07 groups %d keys %%0
    sum %%1 filter none
      gives %%2 i64 "sum"
    count_star filter none
      gives %%3 i64 "n"
  end
end
`
	for _, test := range []struct {
		groups int
		want   string
	}{{256, "block"}, {1024, "block"}, {2048, "wide"}, {4096, "wide"}, {16384, "block"}, {65536, "block"}, {1 << 20, "shared"}} {
		f, err := kerneltext.Parse(fmt.Sprintf(text, test.groups))
		if err != nil {
			t.Fatal(err)
		}
		_, decisions, err := aggregate.Target(machine.Default().Device).ChooseAggregate(f, 3e7, &cuda.Wants{})
		if err != nil {
			t.Fatal(err)
		}
		if !decisions[0].Takes(test.want) {
			t.Errorf("%d groups: not %s: %s", test.groups, test.want, decisions[0].Costs())
		}
	}
}
