package value

import (
	"math"
	"testing"
)

// TestCentralMoments compares sums that are updated, and combined of two parts, with those
// of the differences from the mean.
func TestCentralMoments(t *testing.T) {
	values := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, -1e3, 1e-3}
	want := CentralMoments{float64(len(values))}
	for _, x := range values {
		want[1] += x
	}
	for _, x := range values {
		d := x - want[1]/want[0]
		want[2], want[3], want[4] = want[2]+d*d, want[3]+d*d*d, want[4]+d*d*d*d
	}
	for split := range values {
		var left, right CentralMoments
		for i, x := range values {
			part := &left
			if i >= split {
				part = &right
			}
			if err := part.Add(x); err != nil {
				t.Fatal(err)
			}
		}
		if err := left.Combine(&right); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if math.Abs(left[i]-want[i]) > 1e-12*math.Abs(want[i]) {
				t.Errorf("split at %d: number %d is %v, want %v", split, i, left[i], want[i])
			}
		}
	}
}

func TestCentralMomentsOverflow(t *testing.T) {
	var m, other CentralMoments
	if err := m.Add(1e100); err != nil {
		t.Fatal(err)
	}
	if err := m.Add(-1e100); err == nil {
		t.Errorf("no overflow: %v", m)
	}
	if err := other.Add(-1e100); err != nil {
		t.Fatal(err)
	}
	if err := m.Combine(&other); err == nil {
		t.Errorf("no overflow: %v", m)
	}
	if err := m.Add(math.Inf(1)); err != nil || !math.IsNaN(m[2]) {
		t.Errorf("infinite: %v, %v", m, err)
	}
}
