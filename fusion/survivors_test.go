package fusion

import (
	"math"
	"testing"
)

// TestTail compares chances of Poisson variables with sums of all terms.
func TestTail(t *testing.T) {
	for _, least := range []float64{1, 2, 3, 10, 64, 100, 1000} {
		for _, mean := range []float64{1e-60, 1e-9, 0.01, 0.5, 1, 2, 9.5, 10, 11, 63, 80, 99, 101, 300, 900, 1010, 1500, 1e6} {
			want, wantFewer, factorial := 0.0, 0.0, 0.0
			for k := 0.0; k < max(least, mean)+50*math.Sqrt(max(least, mean))+50 && mean < 1e5; k++ {
				if k > 0 {
					factorial += math.Log(k)
				}
				term := math.Exp(k*math.Log(mean) - mean - factorial)
				if k >= least {
					want += term
				}
				if k >= least-1 {
					wantFewer += term
				}
			}
			if mean >= 1e5 {
				want, wantFewer = 1, 1
			}
			chance, fewer := newTail(least).of(mean)
			if math.Abs(chance-want) > 1e-4*want+1e-12 || math.Abs(fewer-wantFewer) > 1e-4*wantFewer+1e-12 {
				t.Errorf("at least %g of %g: %g, %g; in truth %g, %g", least, mean, chance, fewer, want, wantFewer)
			}
		}
	}
}
