package machine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// compiledBy are kernels as a compiler with other figures would give them registers, but for a part.
func compiledBy(each Parts, n int, noise float64, seed uint64) []Compiled {
	random := rand.New(rand.NewPCG(seed, 0))
	kernels := make([]Compiled, n)
	for i := range kernels {
		p := Parts{
			Kernel: 1, Words: float64(1 + random.IntN(30)), Filter: float64(random.IntN(3)), Item: float64(random.IntN(9)),
			Probe: float64(random.IntN(5)), Key: float64(random.IntN(4)), Sum: float64(random.IntN(4)), Stage: 1,
		}
		r := Registers{Each: each, Least: 16}
		registers := float64(r.Of(&p)) * (1 + noise*(2*random.Float64()-1))
		kernels[i] = Compiled{Kernel: fmt.Sprint(i), Parts: p, Registers: int(registers)}
	}
	return kernels
}

func meanError(each Parts, kernels []Compiled) float64 {
	r, sum := Registers{Each: each}, 0.0
	for i := range kernels {
		sum += math.Abs(float64(r.Of(&kernels[i].Parts))/float64(kernels[i].Registers) - 1)
	}
	return sum / float64(len(kernels))
}

// TestFit has figures follow a compiler that gives other registers than they say.
func TestFit(t *testing.T) {
	before := defaultRegisters.Each
	other := before
	other.Kernel, other.Words, other.Probe, other.Key = 40, 2.5, 8, 3
	seen, unseen := compiledBy(other, 60, 0.1, 1), compiledBy(other, 60, 0.1, 2)
	after := Fit(&before, seen)
	if was, is := meanError(before, unseen), meanError(after, unseen); is > 0.1 || is > was/2 {
		t.Errorf("kernels that were not seen are off by %.2f, before by %.2f", is, was)
	}
	if Fit(&before, seen) != after {
		t.Error("the same kernels give other figures")
	}
	if Fit(&before, nil) != before {
		t.Error("without a kernel the figures change")
	}
	spilled := []Compiled{{Parts: Parts{Kernel: 1}, Registers: 255, Spilled: 100}}
	if Fit(&before, spilled) != before {
		t.Error("a kernel that spills, which needs more than it was given, counts")
	}
}

// TestFitIsBounded has figures stay within a factor whatever the kernels say.
func TestFitIsBounded(t *testing.T) {
	before := defaultRegisters.Each
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 3))
		kernels := compiledBy(before, 40, 0, seed)
		for i := range kernels {
			kernels[i].Registers = 1 + random.IntN(100000)
		}
		after := Fit(&before, kernels)
		was := before.fields()
		for i, f := range after.fields() {
			if math.IsNaN(*f) || *f < *was[i]/bound || *f > *was[i]*bound {
				t.Fatalf("figure %d is %v, before %v", i, *f, *was[i])
			}
		}
	}
}

// TestCompilerIsKept holds that what a compiler gave kernels is known to the next process with the same
// driver, of a bounded number of kernels.
func TestCompilerIsKept(t *testing.T) {
	t.Cleanup(func() { current.Store(&calibrated{machine: Default()}) })
	dir := t.TempDir()
	if err := Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	figures := defaultRegisters
	c := NewCompiler("card", "12.8", &figures)
	if err := KeepLaunch("card", "12.8", Launch{Kernel: "tuned"}); err != nil {
		t.Fatal(err)
	}
	kernels := compiledBy(Parts{Kernel: 60, Words: 3}, maxCompiled+10, 0.1, 4)
	for _, some := range [][]Compiled{kernels[:5], kernels[3:], kernels[8:9]} {
		if err := c.Learn(some); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := c.Find("0"); ok || len(c.known) != maxCompiled {
		t.Errorf("%d kernels are known, of which the first is %v", len(c.known), ok)
	}
	if err := Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	again := NewCompiler("card", "12.8", &figures)
	if k, ok := again.Find("20"); !ok || k != kernels[20] || again.Figures() != c.Figures() || again.Figures() == figures {
		t.Errorf("the next process knows %+v, %v", k, ok)
	}
	if _, ok := LaunchOf("card", "12.8", "tuned"); !ok {
		t.Error("what was tuned is dropped")
	}
	if NewCompiler("card", "13.0", &figures).Figures() != figures {
		t.Error("what another driver compiled counts")
	}
}

// TestOccupancy has known numbers of threads of compute capability 9.0.
func TestOccupancy(t *testing.T) {
	for _, c := range []struct {
		registers, threads int
		want               float64
	}{{32, 256, 1}, {40, 256, 0.75}, {64, 256, 0.5}, {128, 256, 0.25}, {129, 256, 0.125}, {255, 256, 0.125}, {64, 1024, 0.5}, {120, 512, 0.25}} {
		if got := defaultRegisters.Occupancy(c.registers, c.threads); got != c.want {
			t.Errorf("%d registers in blocks of %d threads: %v, not %v", c.registers, c.threads, got, c.want)
		}
	}
	for _, c := range []struct {
		registers, threads int
		want               bool
	}{{255, 256, true}, {240, 256, false}, {128, 512, true}, {64, 1024, true}, {56, 1024, false}} {
		if got := defaultRegisters.Spills(c.registers, c.threads); got != c.want {
			t.Errorf("%d registers in blocks of %d threads spill: %v", c.registers, c.threads, got)
		}
	}
}
