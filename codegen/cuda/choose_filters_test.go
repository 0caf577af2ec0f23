package cuda_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
)

// star is a kernel that joins so many facts with parts, suppliers and dates, as Q2.1 of SSB, and
// the kernels that make their tables, which have a row for each of so many keys.
func star(t *testing.T, facts float64, parts, suppliers int64) (*kernel.Func, map[int]*kernel.Func) {
	t.Helper()
	parse := func(text string) *kernel.Func {
		f, err := kerneltext.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := kernel.Verify(f); err != nil {
			t.Fatal(err)
		}
		return f
	}
	build := func(keys int64) *kernel.Func {
		return parse(fmt.Sprintf(`kernel "build" dicts 0
  input 0 relation "rows"
  scan 0
    %%0 i32 1..%d "key" = column 0
    %%1 i32 0..99 "name" = column 1
  body
  build dense rows 0 keys %%0 payload %%1
end
`, keys))
	}
	f := parse(fmt.Sprintf(`kernel "facts" dicts 0
  input 0 relation "facts"
  input 1 table "parts"
  input 2 table "suppliers"
  input 3 table "dates"
  scan 0
    %%0 i32 1..%d "part" = column 0
    %%1 i32 1..%d "supplier" = column 1
    %%2 i32 1..2556 "date" = column 2
    %%3 i32 1..10000000 "revenue" = column 3
  body
    probe inner 1 keys %%0 rows %g to %g of %g
      %%4 i32 0..999 "brand" = column 1
    end
    probe inner 2 keys %%1 rows %g to %g of %g
    end
    probe inner 3 keys %%2 rows %g to %g of 2556
      %%5 i32 0..6 "year" = column 1
    end
  aggregate dense device block preaggregate none replicas 1 rows %g groups 280 keys %%5 %%4
    sum %%3 filter none
      gives %%6 i64? 0..6000000000000000 "revenue"
  end
end
`, parts, suppliers, facts, facts/25, float64(parts)/25, facts/25, facts/125, float64(suppliers)/5, facts/125, facts/125, facts/125))
	return f, map[int]*kernel.Func{1: build(parts), 2: build(suppliers), 3: build(2556)}
}

// stay wants rows to stay in their threads.
var stay = strategy.Preference{Setting: "pack_strategy", Force: "stay"}

// TestFilters has the tables of a star have filters where these fit, and where they save
// more than it takes to copy them into shared memory.
func TestFilters(t *testing.T) {
	target := aggregate.Target(machine.Of("", 4.8e12, 0))
	for _, c := range []struct {
		name             string
		facts            float64
		parts, suppliers int64
		force, want, why string
	}{
		{"scale 100", 6e8, 1_400_000, 200_000, "", "exact none none", "the cheapest"},
		{"scale 10", 6e7, 800_000, 20_000, "", "exact none none", "the cheapest"},
		{"few rows", 1e5, 800_000, 20_000, "", "none none none", "the cheapest"},
		{"parts do not fit by value", 6e8, 4_000_000, 200_000, "", "bloom none none", "the cheapest"},
		{"parts do not fit", 6e8, 40_000_000, 200_000, "", "none none none", "nothing else applies"},
		{"none", 6e8, 1_400_000, 200_000, "none", "none none none", "filter_strategy is none"},
		{"exact", 1e5, 1_400_000, 200_000, "exact", "exact exact exact", "filter_strategy is exact"},
		{"bloom", 1e5, 1_400_000, 200_000, "bloom", "bloom bloom bloom", "filter_strategy is bloom"},
	} {
		f, builds := star(t, c.facts, c.parts, c.suppliers)
		with, decisions, err := target.ChooseShared(f, builds, c.facts, strategy.Preference{Setting: "filter_strategy", Force: c.force}, stay)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range decisions[:3] {
			got = append(got, decisions[i].Taken().Strategy)
		}
		if strings.Join(got, " ") != c.want || decisions[0].Reason != c.why {
			t.Errorf("%s: %s, %s; want %s, %s", c.name, strings.Join(got, " "), decisions[0].Reason, c.want, c.why)
			for i := range decisions {
				t.Log(strings.Join(decisions[i].Lines(), "\n"))
			}
		}
		if need := target.FilterBytes(with, cuda.PlainShapes(with)); need > 227<<10 {
			t.Errorf("%s: blocks need %d bytes", c.name, need)
		}
	}
	f, builds := star(t, 6e8, 40_000_000, 20_000_000)
	f.Body = f.Body[:2]
	_, _, err := target.ChooseShared(f, builds, 6e8, strategy.Preference{Setting: "filter_strategy", Force: "exact"}, stay)
	if e, ok := err.(*value.Error); !ok || e.Code != value.CodeFeatureNotSupported || !strings.Contains(e.Message, "do not fit") {
		t.Errorf("got %v", err)
	}
}

// TestPacking packs rows where few are left and look-ups do not take as long as warps wait.
func TestPacking(t *testing.T) {
	target := aggregate.Target(machine.Of("", 4.8e12, 0))
	for _, c := range []struct {
		name             string
		facts            float64
		parts, suppliers int64
		filters, packs   string
		want             string
	}{
		{"scale 100", 6e8, 1_400_000, 200_000, "", "", "behind parts"},
		{"few rows", 1e4, 800_000, 20_000, "", "", ""},
		{"through the cache", 6e8, 1_400_000, 200_000, "none", "", ""},
		{"forced", 6e8, 1_400_000, 200_000, "none", "pack", "behind suppliers"},
		{"forced to stay", 6e8, 1_400_000, 200_000, "", "stay", ""},
	} {
		f, builds := star(t, c.facts, c.parts, c.suppliers)
		with, decisions, err := target.ChooseShared(f, builds, c.facts,
			strategy.Preference{Setting: "filter_strategy", Force: c.filters}, strategy.Preference{Setting: "pack_strategy", Force: c.packs})
		if err != nil {
			t.Fatal(err)
		}
		d := decisions[len(decisions)-1]
		if got, _, _ := strings.Cut(d.Taken().Detail, ","); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
			for i := range decisions {
				t.Log(strings.Join(decisions[i].Lines(), "\n"))
			}
		}
		if need := target.FilterBytes(with, cuda.PlainShapes(with)); need > 227<<10 {
			t.Errorf("%s: blocks need %d bytes", c.name, need)
		}
	}
}
