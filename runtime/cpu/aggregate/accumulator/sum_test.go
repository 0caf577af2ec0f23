package accumulator

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestSumLong compares sums of integers of all sizes with those of math/big.
func TestSumLong(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		vals := make([]int64, n)
		want := new(big.Int)
		for i := range vals {
			switch r.IntN(4) {
			case 0:
				vals[i] = math.MinInt64
			case 1:
				vals[i] = math.MaxInt64
			default:
				vals[i] = int64(r.Uint64()) >> r.IntN(64)
			}
			want.Add(want, big.NewInt(vals[i]))
		}
		if got := sumLong(vals).String(); got != want.String() {
			t.Fatalf("%v: %s and not %s", vals, got, want)
		}
	}
}
