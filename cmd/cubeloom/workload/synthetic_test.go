package workload

import (
	"context"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
)

// TestSynthetic holds synthetic cubes to their bounds, and counts the targets of elements.
func TestSynthetic(t *testing.T) {
	firsts, varied := 0, 0
	for i := range 200 {
		s := DrawSynthetic(1, i, 100_000_000)
		mean, variation := s.Spread()
		switch {
		case s.Cells < 1 || s.Cells > 100_000_000, s.Targets < 1 || s.Targets > maxTargets, mean > 20*maxSyntheticMean,
			s.rows() < 1 || s.rows() > maxMapRows, s.Additions() > 1.001*maxAdditions:
			t.Errorf("cube %d is out of bounds: %v", i, s)
		}
		if s.First {
			firsts++
		}
		if variation > 2 {
			varied++
		}
	}
	if firsts < 50 || firsts > 150 || varied < 20 {
		t.Errorf("of 200 cubes %d have the hierarchy first, and %d fan-outs that vary much", firsts, varied)
	}
	s := DrawSynthetic(1, 3, 100_000)
	counts := make([]int64, s.Elements)
	err := s.Generate(context.Background(), Options{Seed: 1}, func(table string, rec arrow.Record) error {
		if table == "map" {
			for _, base := range rec.Column(0).(*array.Int32).Int32Values() {
				counts[base]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range counts {
		if want := s.starts[i+1] - s.starts[i]; n != want {
			t.Fatalf("element %d has %d targets, not %d", i, n, want)
		}
	}
}
