package fusion

import (
	"math"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/plantest"
)

// longest is the candidate with the most operators.
func longest(p *Program) *candidate {
	best := &p.candidates[0]
	for i := range p.candidates {
		if len(p.candidates[i].ops) > len(best.ops) {
			best = &p.candidates[i]
		}
	}
	return best
}

// best tries all ways to cut n operators, and returns what the cheapest costs.
func best(n int, cost func(from, to int) float64) float64 {
	least := math.Inf(1)
	for cuts := range 1 << (n - 1) {
		sum, from := 0.0, 0
		for at := 1; at <= n; at++ {
			if at == n || cuts>>(at-1)&1 == 1 {
				sum += cost(from, at)
				from = at
			}
		}
		least = min(least, sum)
	}
	return least
}

// sumOf is what the parts cost that end somewhere.
func sumOf(ends []int, cost func(from, to int) float64) float64 {
	sum, from := 0.0, 0
	for _, end := range ends {
		sum += cost(from, end)
		from = end
	}
	return sum
}

// TestCutIsTheBestOfAll tries all cuts of queries of twelve probes and forty columns: what is chosen
// costs no more than the best, and sometimes several kernels are that.
func TestCutIsTheBestOfAll(t *testing.T) {
	isCut := 0
	for _, grouped := range []bool{true, false} {
		for _, left := range []float64{0.05, 0.3, 0.7, 1} {
			p, err := Weave(plantest.Wide(600e6, 12, 28, left, grouped), Options{Fusion: true, Device: true})
			if err != nil {
				t.Fatal(err)
			}
			c := longest(p)
			known := make(map[[2]int]float64)
			cost := func(from, to int) float64 {
				part := [2]int{from, to}
				if _, ok := known[part]; !ok {
					known[part] = p.partCost(c.ops, from, to)
				}
				return known[part]
			}
			taken, least := sumOf(c.ends, cost), best(len(c.ops), cost)
			if math.Abs(taken-least) > 1e-9*least {
				t.Errorf("each probe leaves %v: the cut that is taken costs %.4g ms, the best %.4g", left, taken/1e6, least/1e6)
			}
			if len(c.ends) > 1 {
				isCut++
			}
			if d := p.weigh(c); d.Taken() == nil || math.Abs(d.Taken().Cost-taken) > 1e-9*taken {
				t.Errorf("each probe leaves %v: the decision is %v, though %.4g ms are taken", left, d.Lines(), taken/1e6)
			} else {
				t.Logf("each probe leaves %v, grouped %v: %.4g ms, in one kernel %.4g; ends %v; %v", left, grouped, taken/1e6, cost(0, len(c.ops))/1e6, c.ends, d.Lines())
			}
		}
	}
	if isCut == 0 {
		t.Error("nothing is ever cut")
	}
}

// TestCheapestCut holds the ends that are found to those of all ways to cut, for costs of any kind.
func TestCheapestCut(t *testing.T) {
	cost := func(from, to int) float64 { return float64((from*7+to*13)%11) + math.Pow(float64(to-from), 1.5) }
	for n := 1; n < 12; n++ {
		if got, want := sumOf(cheapestCut(n, cost), cost), best(n, cost); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d operators: %g, the best is %g", n, got, want)
		}
	}
}

// TestCompiledIsKnown has the next program know what a kernel was given, and cut a group whose kernel
// turned out to have too many registers.
func TestCompiledIsKnown(t *testing.T) {
	for _, c := range []struct {
		given Given
		isCut bool
	}{{Given{Registers: 72}, false}, {Given{Registers: 255, Spilled: 512}, true}} {
		figures := machine.Default().Device.Registers
		compiler := machine.NewCompiler("card", "", &figures)
		weave := func() *Program {
			p, err := Weave(plantest.Wide(600e6, 4, 3, 0.1, false), Options{Fusion: true, Device: true, Compiler: compiler})
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		before := weave()
		group := slices.IndexFunc(before.Groups, func(g Group) bool { return len(g.Ops) > 4 })
		if group < 0 || before.Groups[group].Compiled != nil || !before.Learns() || before.Outdated() {
			t.Fatalf("before: group %d of %d", group, len(before.Groups))
		}
		if err := before.Learn(map[int]Given{group: c.given}); err != nil {
			t.Fatal(err)
		}
		if before.Learns() || before.Outdated() != c.isCut {
			t.Errorf("%+v: the program learns once more, or is kept as it should not be", c.given)
		}
		after := weave()
		d := after.weigh(longest(after))
		if len(after.Groups) > len(before.Groups) != c.isCut || d.Takes(Cut) != c.isCut {
			t.Errorf("%+v: %d groups, before %d: %v", c.given, len(after.Groups), len(before.Groups), d.Lines())
		}
		if c.isCut {
			continue
		}
		if k := after.Groups[group].Compiled; k == nil || k.Registers != c.given.Registers || after.Groups[group].Cost.Registers == 0 {
			t.Errorf("the next program knows %+v", k)
		}
	}
}
