package harness

import (
	"errors"
	"math"
	"testing"
	"time"
)

func TestWhichOfSeveralCounts(t *testing.T) {
	if got := Median([]time.Duration{5, 1, 9, 3}); got != 4 {
		t.Errorf("the median of four is %d", got)
	}
	values := []float64{5, 1, 9}
	if got := Median(values); got != 5 || values[0] != 5 {
		t.Errorf("the median of three is %v, and they are %v", got, values)
	}
	for share, want := range map[float64]int{0: 1, 0.5: 3, 0.99: 4, 1: 4} {
		if got := Percentile([]int{4, 2, 1, 3}, share); got != want {
			t.Errorf("percentile %v is %d, want %d", share, got, want)
		}
	}
	if got := Percentile([]int(nil), 0.5); got != 0 {
		t.Errorf("a percentile of nothing is %d", got)
	}
	if got := GeometricMean([]float64{1, 4, 16}); math.Abs(got-4) > 1e-9 || !math.IsNaN(GeometricMean(nil)) {
		t.Errorf("the geometric mean is %v", got)
	}
	got, err := Middle(3, func(x int) float64 { return float64(-x) }, func(run int) (int, error) { return []int{7, 2, 5}[run], nil })
	if got != 5 || err != nil {
		t.Errorf("the middle is %d, %v", got, err)
	}
}

// TestRepeat counts runs, which a clock that tells 1 ms more whenever it is asked says
// to have taken 1 ms each.
func TestRepeat(t *testing.T) {
	runs, cleaned, now := 0, 0, time.Duration(0)
	clock := func() (time.Duration, error) { now += time.Millisecond; return now, nil }
	costs, err := Repeat(3, clock, func() error { runs++; return nil }, func() { cleaned++ })
	if err != nil || runs != 3 || cleaned != 3 || costs.MeanCPU() != time.Millisecond || costs.Median().CPU != time.Millisecond || costs.Median().Elapsed < 0 {
		t.Errorf("%d runs, %d cleaned: %v, %v", runs, cleaned, costs, err)
	}
	failure := errors.New("no")
	if _, err := Repeat(3, nil, func() error { return failure }, nil); err != failure {
		t.Errorf("got %v", err)
	}
}

func TestDigest(t *testing.T) {
	digest := func(rows ...string) (d Digest) {
		for _, row := range rows {
			d.Add([]byte(row))
		}
		return d
	}
	both := digest("a")
	both.Append(digest("b", "a"))
	if both != digest("b", "a", "a") || both == digest("b", "a", "b") || both == digest("a", "b") || digest("") == (Digest{}) {
		t.Errorf("%v", both)
	}
	cells := func(cells ...string) string {
		var row []byte
		for _, c := range cells {
			row = AppendCell(row, []byte(c), c == "NULL")
		}
		return string(row)
	}
	if cells("ab", "c") == cells("a", "bc") || cells("NULL") == cells("") {
		t.Error("cells run together")
	}
}
