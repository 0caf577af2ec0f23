package accumulator

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// TestPick picks values that are close to each other and far apart, and compares with what the
// sorted values say.
func TestPick(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	mem := &exec.Memory{}
	for range 2000 {
		vals := make([]uint64, 1+rng.IntN(200))
		width := []uint64{1, 3, 50, 400, 1 << 62}[rng.IntN(5)]
		for i := range vals {
			vals[i] = ^uint64(0) - rng.Uint64N(width)
		}
		sorted := slices.Sorted(slices.Values(vals))
		times := make(map[uint64]int)
		for _, x := range vals {
			times[x]++
		}
		most := 0
		for _, n := range times {
			most = max(most, n)
		}
		frequent := slices.DeleteFunc(slices.Clone(sorted), func(x uint64) bool { return times[x] < most })
		for op, want := range map[kernel.AccOp]uint64{
			kernel.AccMode: frequent[0], kernel.AccModeDesc: frequent[len(frequent)-1],
			kernel.AccPlaced: sorted[(len(sorted)+3)/4-1], kernel.AccPlacedDesc: sorted[len(sorted)-(len(sorted)+3)/4],
		} {
			p := picker[uint64]{mem: mem, spec: &Spec{Op: op, Fraction: 0.25}}
			for range 2 { // its counts are used again
				if got := p.pick(slices.Clone(vals)); got != want {
					t.Fatalf("%s of %v is %d, want %d", op, sorted, got, want)
				}
			}
			p.release()
		}
	}
}
