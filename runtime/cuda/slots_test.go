package cuda

import (
	"math"
	"testing"
)

// TestLikelyGroups guesses the groups of a million rows from those of the first of
// them.
func TestLikelyGroups(t *testing.T) {
	const rows = 1_000_000
	drawn := func(distinct, taken float64) int64 { return int64(-distinct * math.Expm1(-taken/distinct)) }
	for _, test := range []struct {
		name string
		filled
		want float64
	}{
		{"all different", filled{groups: 10_000, rows: 10_000, came: 10_000, taken: 10_000}, rows},
		{"all different, much lost", filled{groups: 1000, rows: 10_000, came: 10_000, taken: 1000}, rows},
		{"a tenth of the rows, all different", filled{groups: 1000, rows: 10_000, came: 1000, taken: 1000}, rows / 10},
		{"of 50000", filled{groups: drawn(50_000, 20_000), rows: 20_000, came: 20_000, taken: 20_000}, 50_000},
		{"of 50000, half a million lost", filled{groups: 1000, rows: 600_000, came: 600_000, taken: 12_989}, 50_000},
		{"of 5000, multiplied", filled{groups: drawn(5000, 30_000), rows: 10_000, came: 30_000, taken: 30_000}, 5000},
		{"full at the end", filled{groups: 1000, rows: rows, came: rows, taken: rows}, 1000},
		{"nobody knows", filled{groups: 1000}, 1000},
	} {
		if got := likelyGroups(test.filled, rows); math.Abs(got/test.want-1) > 0.01 {
			t.Errorf("%s: %g groups, want %g", test.name, got, test.want)
		}
	}
}
