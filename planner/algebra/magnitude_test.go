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
		if !ok || !of.Fits(TFloat64) {
			return
		}
		if math.IsInf(f, 0) || math.IsNaN(f) || f != 0 && (math.Abs(f) < math.Ldexp(1, of.Lo) || math.Abs(f) > math.Ldexp(1, of.Hi)) {
			t.Fatalf("%g is not in %v", f, of)
		}
	})
}

// TestMagnitudesOfNumericsHold computes random arithmetic of numerics and holds that none
// that is proven to fit overflows.
func TestMagnitudesOfNumericsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() value.Num {
			digits := rapid.IntRange(0, 37).Draw(t, "digits")
			coef := value.Pow10(digits)
			if rapid.Bool().Draw(t, "less") {
				coef = coef.SubWrap(value.Int128Of(1))
			}
			if rapid.Bool().Draw(t, "negative") {
				coef, _ = coef.Neg()
			}
			return value.Num{Coef: coef, Scale: uint8(rapid.IntRange(0, 60).Draw(t, "scale"))}
		}
		number := func(n value.Num) *Const {
			return &Const{Val: value.Value{Kind: value.Decimal, Num: n}, Typ: TNumeric}
		}
		a, b := draw(), draw()
		for f, op := range map[Func]func(a, b value.Num) (value.Num, error){Mul: value.Num.Mul, Add: value.Num.Add, Sub: value.Num.Sub} {
			of, ok := Magnitudes{}.Of(&Call{Func: f, Args: []Expr{number(a), number(b)}, Typ: TNumeric}, nil)
			if !ok || !of.Fits(TNumeric) {
				continue
			}
			if out, err := op(a, b); err != nil || int(out.Scale) > of.Scale || NumMagnitude(out).Hi > of.Hi+1 {
				t.Fatalf("%s of %v and %v: %v, %v; %v", f, a, b, out, err, of)
			}
		}
	})
}
