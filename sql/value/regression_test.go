package value

import (
	"math"
	"testing"
)

func TestRegressionCombines(t *testing.T) {
	pairs := [][2]float64{{1, 2}, {2.5, -1}, {4, 8}, {-3, 0.5}, {7, 7}, {0, 0}}
	for split := range pairs {
		var all, first, rest Regression
		for i, p := range pairs {
			part := &first
			if i >= split {
				part = &rest
			}
			if err := all.Add(p[0], p[1]); err != nil {
				t.Fatal(err)
			}
			if err := part.Add(p[0], p[1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := first.Combine(&rest); err != nil {
			t.Fatal(err)
		}
		for i, want := range all {
			if got := first[i]; math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Errorf("split at %d: number %d is %v, want %v", split, i, got, want)
			}
		}
	}
}

func TestRegressionOverflows(t *testing.T) {
	var r Regression
	if err := r.Add(1e300, 1); err != nil {
		t.Fatal(err)
	}
	if err := r.Add(-1e300, 2); err == nil {
		t.Errorf("no overflow: %+v", r)
	}
	var other Regression
	if err := other.Add(-1e300, 2); err != nil {
		t.Fatal(err)
	}
	if err := r.Combine(&other); err == nil {
		t.Errorf("no overflow: %+v", r)
	}
	if err := r.Add(math.Inf(1), 1); err != nil || !math.IsNaN(r[4]) {
		t.Errorf("infinite: %+v, %v", r, err)
	}
}

func TestSketchesCombine(t *testing.T) {
	var all, odd, even Sketch
	const n = 50_000
	for i := range uint64(n) {
		all.Add(Hash64(i))
		if i%2 == 0 {
			even.Add(Hash64(i))
		} else {
			odd.Add(Hash64(i))
		}
	}
	data, err := odd.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	read, err := ParseSketch(string(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := even.Combine(read); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Sketch{&all, &even} {
		if got := float64(s.hll.Estimate()); math.Abs(got-n) > 0.03*n {
			t.Errorf("estimate is %v, want %v", got, n)
		}
	}
	if _, err := ParseSketch("no sketch"); err == nil {
		t.Error("a text that is no sketch is read")
	}
}
