package aggregate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
)

// TestPartsHaveRoom has rows divided by their keys only where the parts of the table have room for the groups
// that are likely: what does not fit is accumulated by another strategy, which has another cost.
func TestPartsHaveRoom(t *testing.T) {
	const text = `kernel "groups" dicts 0
  input 0 relation "rows"
  scan 0
    %%0 i64 0..4611686018427387904 "key" = column 0
  body
  aggregate hash rows 500000000 groups %d keys %%0
    count_star filter none
      gives %%1 i64 "n"
  end
end
`
	target := aggregate.Target(machine.Default().Device)
	for _, c := range []struct {
		groups  int
		refused bool
	}{{16 << 20, false}, {128 << 20, true}} {
		f, err := kerneltext.Parse(fmt.Sprintf(text, c.groups))
		if err != nil {
			t.Fatal(err)
		}
		_, decisions, err := target.ChooseAggregate(f, 5e8, &cuda.Wants{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range decisions[0].Offers {
			if o.Strategy == "radix" && strings.Contains(o.Refusal, "too many for") != c.refused {
				t.Errorf("%d groups: %q", c.groups, o.Refusal)
			}
		}
		if c.refused == decisions[0].Takes("radix") {
			t.Errorf("%d groups: %s", c.groups, decisions[0].Taken().Strategy)
		}
	}
}
