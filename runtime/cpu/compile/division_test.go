package compile

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/sql/value"
)

// TestConstantDivisors holds that quotients and remainders by constants are those of Go's division.
func TestConstantDivisors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 1 << 20 {
		by, x := rng.Int64()>>rng.IntN(64), rng.Int64()>>rng.IntN(64)*(1-2*rng.Int64N(2))
		if edges := []int64{math.MinInt64, math.MinInt32, -1 << 52, -1, 0, 1, 1<<52 - 1, 1 << 52, math.MaxInt32, math.MaxInt64}; i < 1000*len(edges) {
			x = edges[i%len(edges)]
		}
		if near := by * (x / max(by, 1)); i%4 == 0 {
			x = near + rng.Int64N(3) - 1
		}
		if d, ok := divisorOf(exec.Constant(kernel.I32, value.Value{Kind: value.Int, I: int64(int32(by))})); ok {
			if got, want := d.quotient(int32(x)), int32(x)/int32(by); got != want {
				t.Fatalf("%d / %d is %d, not %d", int32(x), int32(by), got, want)
			}
			if got, want := d.remainder(int32(x)), int32(x)%int32(by); got != want {
				t.Fatalf("%d %% %d is %d, not %d", int32(x), int32(by), got, want)
			}
		}
		if d, ok := floatDivisorOf(exec.Constant(kernel.I64, value.Value{Kind: value.Int, I: by})); ok {
			if got, want := d.quotient(x), x/by; got != want {
				t.Fatalf("%d / %d is %d, not %d", x, by, got, want)
			}
		}
	}
}
