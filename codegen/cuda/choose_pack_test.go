package cuda_test

import (
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// TestPackingBehindConditions holds what is packed in kernels like those of SSB and TPC-H at scale 10 to what was
// measured on one NVIDIA H200 (docs/measurements/2026-11-24-packing.md).
func TestPackingBehindConditions(t *testing.T) {
	const table = "%0 i32 1..15000000"
	target := aggregate.Target(machine.Of("", 4.8e12, 0))
	build := parsed(t, "kernel \"build\" dicts 0\n  input 0 relation \"rows\"\n  scan 0\n    "+table+" \"key\" = column 0\n"+
		"    %1 i32 0..99 \"name\" = column 1\n  body\n  build dense rows 500000 keys %0 payload %1\nend\n")
	sum := "    sum %2 filter none\n      gives %7 i64? \"sum\"\n  end\n"
	single := "  aggregate dense rows 400000 groups 1 keys\n" + sum
	groups := "  aggregate dense device block preaggregate none replicas 1 rows 400000 groups 6 keys %6\n" + sum
	for _, c := range []struct{ name, left, joins, sink, want string }{
		{"SSB Q1.2", "2.6e+06", "    probe inner 1 keys %0 rows 2.6e+06 to 4e+05 of 365\n      %6 i32 0..5 \"name\" = column 0\n    end\n", single, ""},
		{"TPC-H Q12", "5e+05", "    probe inner 2 sorted 0 unique keys %0 rows 5e+05 to 5e+05 of 0\n      %6 i32 0..5 \"name\" = column 1\n    end\n", groups, "behind conditions"},
		{"TPC-H Q4", "5e+05", "    probe semi 2 sorted 0 keys %0 rows 5e+05 to 4.9e+05 of 0\n    end\n    %6 i32 0..10 \"name\" = add %3 %3\n", groups, ""},
		{"TPC-H Q14", "5.8e+05", "", "  build dense repeats rows 580000 keys %0 payload %2\n", "behind conditions"},
		{"cells", "5.8e+05", "", "  build dense rows 580000 keys %0 payload %2\n", ""},
		{"TPC-H Q10, with few columns", "1.5e+07", "    probe inner 1 keys %0 rows 1.5e+07 to 4e+05 of 4e+05\n      %6 i32 0..5 \"name\" = column 0\n    end\n", groups, ""},
	} {
		f := parsed(t, "kernel \"rows\" dicts 0\n  input 0 relation \"rows\"\n  input 1 table \"table\"\n  input 2 relation \"sorted\"\n  param %4 i32 0..99 = 1\n"+
			"  scan 0\n    "+table+" \"key\" = column 0\n    %1 i32 0..99 \"date\" = column 1\n    %2 i64 0..1000000 \"price\" = column 2\n    %3 i32 0..5 \"mode\" = column 3\n"+
			"  body\n    %5 bool = eq %1 %4\n    filter %5\n"+c.joins+c.sink+"end\n")
		with, decisions, err := target.ChooseShared(f, map[int]*kernel.Func{1: build}, 6e7, strategy.Preference{Setting: "filter_strategy"}, strategy.Preference{Setting: "pack_strategy"})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(decisions) > 0 {
			got, _, _ = strings.Cut(decisions[len(decisions)-1].Taken().Detail, ",")
		}
		if got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
			for i := range decisions {
				t.Log(strings.Join(decisions[i].Lines(), "\n"))
			}
		}
		if packed := strings.Contains(kernel.Print(with), " pack"); packed != (c.want != "") {
			t.Errorf("%s: rows are packed: %v", c.name, packed)
		}
	}
}

// TestPackingBeforeGroups holds what is packed before pairs are put into a table of groups, as in TPC-H Q16 at scale 10, whose
// kernels take 0.214 ms so and 0.251 where rows stay (docs/measurements/2026-11-30-groups.md).
func TestPackingBeforeGroups(t *testing.T) {
	target := aggregate.Target(machine.Of("", 4.6e12, 0))
	build := parsed(t, "kernel \"build\" dicts 0\n  input 0 relation \"rows\"\n  scan 0\n    %0 i32 1..2000000 \"part\" = column 0\n"+
		"    %1 i32 0..24 \"brand\" = column 1\n    %2 i32 0..149 \"type\" = column 2\n    %3 i32 1..50 \"size\" = column 3\n  body\n  build dense rows 300000 keys %0 payload %1 %2 %3\nend\n")
	for _, c := range []struct{ sink, want string }{
		{"aggregate hash device shared preaggregate none replicas 1 rows 1.2e+06 groups 2.4e+06 keys %2 %3 %4 %1", "pack"},
		{"aggregate dense device shared preaggregate none replicas 1 rows 1.2e+06 groups 30000 keys %2 %3 %4", "stay"},
	} {
		f := parsed(t, "kernel \"rows\" dicts 0\n  input 0 relation \"rows\"\n  input 1 table \"part\"\n  scan 0\n    %0 i32 1..2000000 \"part\" = column 0\n"+
			"    %1 i32 1..100000 \"supplier\" = column 1\n  body\n    probe inner 1 keys %0 rows 8e+06 to 1.2e+06 of 3e+05\n      %2 i32 0..24 \"brand\" = column 0\n      %3 i32 0..149 \"type\" = column 1\n"+
			"      %4 i32 1..50 \"size\" = column 2\n    end\n  "+c.sink+"\n  end\nend\n")
		_, decisions, err := target.ChooseShared(f, map[int]*kernel.Func{1: build}, 8e6, strategy.Preference{Setting: "filter_strategy"}, strategy.Preference{Setting: "pack_strategy"})
		if err != nil {
			t.Fatal(err)
		}
		if d := decisions[len(decisions)-1]; !d.Takes(c.want) {
			t.Errorf("%s: not %s: %s", c.sink, c.want, d.Costs())
		}
	}
}
