package algebra

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/sql/value"
)

// TestMagnitudesHold computes random arithmetic of double precision and holds that every
// result lies in the magnitude that is proven of it.
func TestMagnitudesHold(t *testing.T) {
	double := func(f float64) *Const { return &Const{Val: value.Value{Kind: value.Float, F: f}, Typ: TFloat64} }
	rapid.Check(t, func(t *rapid.T) {
		var make func(depth int) (Expr, float64)
		make = func(depth int) (Expr, float64) {
			if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
				f := rapid.Custom(func(t *rapid.T) float64 {
					return rapid.SampledFrom([]float64{0, 1, -1, 0.1, 1e100, -1e-100, 3, 5e-324, 1e-30}).Draw(t, "number")
				}).Draw(t, "f")
				return double(f), f
			}
			a, x := make(depth - 1)
			b, y := make(depth - 1)
			switch rapid.IntRange(0, 3).Draw(t, "op") {
			case 0:
				return &Call{Func: Mul, Args: []Expr{a, b}, Typ: TFloat64}, x * y
			case 1:
				return &Call{Func: Add, Args: []Expr{a, b}, Typ: TFloat64}, x + y
			case 2:
				return &Call{Func: Sub, Args: []Expr{a, b}, Typ: TFloat64}, x - y
			}
			return &Call{Func: Neg, Args: []Expr{a}, Typ: TFloat64}, -x
		}
		e, f := make(4)
		of, ok := Magnitudes{}.Of(e, nil)
		if !ok || !of.Fits() {
			return
		}
		if math.IsInf(f, 0) || math.IsNaN(f) || f != 0 && (math.Abs(f) < math.Ldexp(1, of.Lo) || math.Abs(f) > math.Ldexp(1, of.Hi)) {
			t.Fatalf("%g is not in %v", f, of)
		}
	})
}
