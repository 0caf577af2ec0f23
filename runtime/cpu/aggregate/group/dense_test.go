package group

import (
	"math/rand/v2"
	"testing"
)

// TestDivider divides by many divisors, next to the machine's division.
func TestDivider(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 2000 {
		d := 1 + r.IntN(1<<(1+r.IntN(31)))
		div := newDivider(d)
		for _, x := range []uint32{0, 1, uint32(d) - 1, uint32(d), 1<<32 - 1, -uint32(d), r.Uint32(), r.Uint32() / uint32(d) * uint32(d)} {
			if got := div.quo(x); got != x/uint32(d) {
				t.Fatalf("%d / %d = %d", x, d, got)
			}
		}
	}
}
