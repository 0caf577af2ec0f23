package order

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRangeAt compares with the binary search of the library.
func TestRangeAt(t *testing.T) {
	for n := range 40 {
		splitters := make([]uint64, n)
		for i := range splitters {
			splitters[i] = rand.Uint64N(100)
		}
		slices.SortFunc(splitters, cmp.Compare[uint64])
		splitters = slices.Compact(splitters)
		for prefix := range uint64(102) {
			want, _ := slices.BinarySearch(splitters, prefix)
			if got := rangeAt(splitters, prefix); got != want {
				t.Fatalf("%d among %v: %d, want %d", prefix, splitters, got, want)
			}
		}
	}
}
