package workload

import (
	"testing"
)

// TestPermuted sees that every number below n comes once, of any n.
func TestPermuted(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 4, 5, 16, 17, 100, 1000, 4097} {
		seen := make(map[int64]bool)
		for i := range n {
			x := permuted(newStream(uint64(n), 1), i, n)
			if x < 0 || x >= n || seen[x] {
				t.Fatalf("of %d numbers number %d is %d, out of range or seen before", n, i, x)
			}
			seen[x] = true
		}
	}
}

// TestDBJoinKeys sees that each table has each key of its own once, and that nine of ten
// are among those of x.
func TestDBJoinKeys(t *testing.T) {
	d := DBJoins{Rows: 3000}
	of := func(i int) map[int64]int {
		seen := make(map[int64]int)
		for row := range d.Rows {
			seen[d.key(1, i, 2, row)]++
		}
		return seen
	}
	x, big := of(0), of(3)
	common := 0
	for k := range big {
		common += x[k]
	}
	if len(x) != 3000 || len(big) != 3000 || common != 2700 {
		t.Errorf("%d keys in x, %d in big, %d in both", len(x), len(big), common)
	}
}
