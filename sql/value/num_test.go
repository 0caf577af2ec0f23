package value

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// genNum draws numerics of every size and scale.
func genNum() *rapid.Generator[Num] {
	return rapid.Custom(func(t *rapid.T) Num {
		digits := rapid.IntRange(0, MaxDigits).Draw(t, "digits")
		_, u := genInt128().Draw(t, "coef").magnitude().quoRem(pow10[digits])
		coef, _ := u.signed(rapid.Bool().Draw(t, "neg"), true)
		return Num{Coef: coef, Scale: uint8(rapid.IntRange(0, 60).Draw(t, "scale"))}
	})
}

// rat is the exact value of n.
func rat(n Num) *big.Rat {
	return new(big.Rat).SetFrac(n.Coef.Big(), bigPow10(int(n.Scale)))
}

func TestNumArithmeticIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := genNum().Draw(t, "n"), genNum().Draw(t, "m")
		check := func(op string, got Num, err error, want *big.Rat, scale int) {
			t.Helper()
			if err != nil {
				// Refused only when the exact result at that scale is too long.
				unscaled := new(big.Rat).Mul(want, new(big.Rat).SetInt(bigPow10(scale)))
				if scale <= maxScale && unscaled.Abs(unscaled).Cmp(new(big.Rat).SetInt(bigPow10(MaxDigits))) < 0 &&
					max(n.Coef.magnitude().digits()-int(n.Scale), m.Coef.magnitude().digits()-int(m.Scale))+scale <= MaxDigits {
					t.Fatalf("%v %s %v: %v", n, op, m, err)
				}
				return
			}
			if rat(got).Cmp(want) != 0 || int(got.Scale) != scale {
				t.Fatalf("%v %s %v: got %v at scale %d, want %v at %d", n, op, m, got, got.Scale, want, scale)
			}
		}
		scale := max(int(n.Scale), int(m.Scale))
		sum, err := n.Add(m)
		check("+", sum, err, new(big.Rat).Add(rat(n), rat(m)), scale)
		diff, err := n.Sub(m)
		check("-", diff, err, new(big.Rat).Sub(rat(n), rat(m)), scale)
		if product, err := n.Mul(m); err == nil {
			check("*", product, nil, new(big.Rat).Mul(rat(n), rat(m)), int(n.Scale)+int(m.Scale))
		}
		if got, want := n.Cmp(m), rat(n).Cmp(rat(m)); got != want {
			t.Fatalf("Cmp(%v, %v) = %d, want %d", n, m, got, want)
		}
		if (n.Normalize() == m.Normalize()) != (n.Cmp(m) == 0) {
			t.Fatalf("Normalize of %v and %v disagrees with Cmp", n, m)
		}
	})
}

func TestNumDivisionIsRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := genNum().Draw(t, "n"), genNum().Draw(t, "m")
		if m.Coef.Sign() == 0 {
			return
		}
		exact := new(big.Rat).Quo(rat(n), rat(m))
		if quo, err := n.Div(m); err == nil {
			// |quo - exact| is at most half a unit of the last digit.
			unit := new(big.Rat).SetFrac(big.NewInt(1), bigPow10(int(quo.Scale)))
			diff := new(big.Rat).Sub(rat(quo), exact)
			if diff.Abs(diff).Cmp(unit.Quo(unit, big.NewRat(2, 1))) > 0 {
				t.Fatalf("%v / %v = %v", n, m, quo)
			}
		}
		if rem, err := n.Mod(m); err == nil {
			whole := new(big.Int).Quo(exact.Num(), exact.Denom())
			want := new(big.Rat).Mul(new(big.Rat).SetInt(whole), rat(m))
			if want.Sub(rat(n), want); rat(rem).Cmp(want) != 0 {
				t.Fatalf("%v %% %v = %v, want %v", n, m, rem, want)
			}
		}
	})
}

func TestNumTextReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := genNum().Draw(t, "n")
		if back, err := ParseNum(n.String()); err != nil || back != n {
			t.Fatalf("ParseNum(%v) = %v, %v", n, back, err)
		}
	})
}

func TestDecimalRescale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Int64().Draw(t, "x")
		k := rapid.IntRange(-25, 25).Draw(t, "k")
		wide, wideOK := Int128Of(x).Rescale(k)
		narrow, ok := Rescale64(x, k)
		if ok != (wideOK && wide.IsInt64()) || ok && Int128Of(narrow) != wide {
			t.Fatalf("Rescale64(%d, %d) = %d, %v; in 128 bits %v, %v", x, k, narrow, ok, wide, wideOK)
		}
		y := rapid.Int64().Draw(t, "y")
		product, ok := MulOverflow64(x, y)
		if want := Mul64(x, y); ok != want.IsInt64() || ok && Int128Of(product) != want {
			t.Fatalf("MulOverflow64(%d, %d) = %d, %v", x, y, product, ok)
		}
	})
}
