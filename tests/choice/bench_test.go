package choice

import (
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// TestFeaturesOfTheBenchmark draws some of the measured cubes again, and finds the features that were
// recorded of them: what `bench olap --synthetic --json` writes is what this package reads.
func TestFeaturesOfTheBenchmark(t *testing.T) {
	cubes := load(t, measured[0])
	for _, i := range []int{1, 2, 3, 17, 20, 34} {
		s := workload.DrawSynthetic(2, i, 10_000_000)
		f := s.Features(2)
		c := cubes[i]
		if s.String() != c.Cube || f.Spread.Keys != c.Spread.Keys || f.Spread.Squares != int64(c.Spread.Squares) || f.InOrder != c.InOrder {
			t.Errorf("cube %d is %v with %+v, not %+v", i, s, f, c)
		}
		for word, n := range f.Sample {
			if n != c.Sample[word] {
				t.Errorf("cube %d: word %d of the sample is %d, not %d", i, word, n, c.Sample[word])
			}
		}
	}
}
