package choice

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
)

// replicated are cubes whose targets lay in global memory, timed with 1 to 1024 replicas of them,
// and with those that were chosen then.
const replicated = "testdata/2026-11-23-h200-replicas.jsonl"

// noise is by how many milliseconds two runs of the same differ.
const noise = 0.002

// TestReplicas has the number of replicas (hash functions) chosen for cubes that were timed with each.
func TestReplicas(t *testing.T) {
	target := aggregate.Target(machine.Default().Device)
	near, worst := 0, 0.0
	cubes := load(t, replicated)
	for _, c := range cubes {
		number := replicasOf(t, target, c)
		took, ok := c.Kernels[number]
		if !ok { // more of them than were timed
			took = c.Kernels["1024"]
			if number == c.Replicas {
				took = c.Kernels["auto"]
			}
		}
		best := math.Inf(1)
		for name, ms := range c.Kernels {
			if name != "auto" {
				best = min(best, ms)
			}
		}
		if took <= 1.1*best+noise {
			near++
		} else {
			t.Logf("%.2f %s, %s: %s replicas, of %v", took/best, c.Cube, c.Groups, number, c.Kernels)
		}
		worst = max(worst, took/best)
	}
	t.Logf("within 10 %% of the best number of replicas for %d of %d cubes, the worst %.2f", near, len(cubes), worst)
	if near*100 < 90*len(cubes) || worst > 2.5 {
		t.Error("too far from the best")
	}
}

// replicasOf is the number that is chosen.
func replicasOf(t *testing.T, target *cuda.Target, c *cube) string {
	t.Helper()
	force := func(name string) strategy.Preference { return strategy.Preference{Setting: "the test's", Force: name} }
	f := *c.kernel
	sink := *f.Sink.(*kernel.Aggregate)
	sink.Device, sink.Preaggregate, sink.Replicas = "", "", 0
	f.Sink = &sink
	_, decisions, err := target.ChooseAggregate(&f, c.Cells, &cuda.Wants{Aggregates: force("shared"), Preaggregates: force("none")})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(decisions, func(d strategy.Decision) bool { return d.Of == "replicas on the device" })
	return decisions[i].Taken().Strategy
}

// TestReplicasOfTheThesis are the numbers for its queries, whose targets combine several keys:
// docs/measurements/2026-11-23-tables.md has the times.
func TestReplicasOfTheThesis(t *testing.T) {
	const text = `kernel "targets" dicts 0
  input 0 relation "cells"
  scan 0
    %%0 i32 1..%d "first" = column 0
    %%1 i32 1..%d "second" = column 1
    %%2 i64 1..1000 "value" = column 2
  body
  aggregate dense rows %g groups %d keys %%0 %%1
    sum %%2 filter none
      gives %%3 i64 0..9000000000000000000 "sum"
  end
end
`
	target := aggregate.Target(machine.Default().Device)
	for _, q := range []struct {
		name          string
		first, second int
		rows          float64
		groups        int
		good          []string // within 10 % of the best
	}{
		{"B2", 20, 12, 1.256e9, 228, []string{"1024", "4096", "12288"}},
		{"M3", 483, 2000, 4.59e9, 13971, []string{"64", "256", "1024"}},
	} {
		f, err := kerneltext.Parse(fmt.Sprintf(text, q.first, q.second, q.rows, q.groups))
		if err != nil {
			t.Fatal(err)
		}
		if got := replicasOf(t, target, &cube{kernel: f, Cells: q.rows}); !slices.Contains(q.good, got) {
			t.Errorf("%s has %s replicas, not one of %v", q.name, got, q.good)
		}
	}
}

// TestReplicasThatHardlyPay has one table of so many groups that lanes seldom meet: 16 of them took 6.2 ms and one 5.4.
func TestReplicasThatHardlyPay(t *testing.T) {
	const text = `kernel "targets" dicts 0
  input 0 relation "rows"
  scan 0
    %0 i32 1..262144 "key" = column 0
    %1 i64 1..1000 "value" = column 1
  body
  aggregate dense rows 536870912 groups 262144 keys %0
    sum %1 filter none
      gives %2 i64 0..9000000000000000000 "sum"
  end
end
`
	f, err := kerneltext.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := replicasOf(t, aggregate.Target(machine.Default().Device), &cube{kernel: f, Cells: 1 << 29}); got != "1" {
		t.Errorf("%s replicas", got)
	}
}
