package launch

import (
	"math"
	"testing"
)

// TestDistinct guesses the groups of a million rows from those of the first of them.
func TestDistinct(t *testing.T) {
	const rows = 1_000_000
	drawn := func(distinct, taken float64) int64 { return int64(-distinct * math.Expm1(-taken/distinct)) }
	for _, test := range []struct {
		name                             string
		groups, sourceRows, seen, placed int64
		want                             float64
	}{
		{"all different", 10_000, 10_000, 10_000, 10_000, rows},
		{"all different, much lost", 1000, 10_000, 10_000, 1000, rows},
		{"a tenth of the rows, all different", 1000, 10_000, 1000, 1000, rows / 10},
		{"of 50000", drawn(50_000, 20_000), 20_000, 20_000, 20_000, 50_000},
		{"of 50000, half a million lost", 1000, 600_000, 600_000, 12_989, 50_000},
		{"of 5000, multiplied", drawn(5000, 30_000), 10_000, 30_000, 30_000, 5000},
		{"full at the end", 1000, rows, rows, rows, 1000},
		{"nobody knows", 1000, 0, 0, 0, 1000},
	} {
		if got := DistinctOf(test.groups, test.sourceRows, test.seen, test.placed, rows); math.Abs(float64(got)/test.want-1) > 0.01 {
			t.Errorf("%s: %d groups, want %g", test.name, got, test.want)
		}
	}
}
