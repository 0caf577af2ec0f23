package value

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// genInt128 draws integers of every width, with the extremes often.
func genInt128() *rapid.Generator[Int128] {
	return rapid.Custom(func(t *rapid.T) Int128 {
		if rapid.IntRange(0, 9).Draw(t, "extreme") == 0 {
			edges := []Int128{{}, {Lo: 1}, {Lo: math.MaxUint64, Hi: -1}, MaxInt128, MinInt128,
				Int128Of(math.MaxInt64), Int128Of(math.MinInt64), {Lo: math.MaxUint64}, {Hi: 1}}
			return rapid.SampledFrom(edges).Draw(t, "edge")
		}
		x := Int128{Lo: rapid.Uint64().Draw(t, "lo"), Hi: rapid.Int64().Draw(t, "hi")}
		if rapid.Bool().Draw(t, "narrow") {
			x = Int128Of(x.Hi)
		}
		return x
	})
}

// fits returns b as an Int128 by way of big.Int comparisons alone.
func fits(b *big.Int) bool {
	return b.Cmp(MinInt128.Big()) >= 0 && b.Cmp(MaxInt128.Big()) <= 0
}

func TestInt128Arithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := genInt128().Draw(t, "x"), genInt128().Draw(t, "y")
		bx, by := x.Big(), y.Big()
		check := func(op string, got Int128, ok bool, want *big.Int) {
			t.Helper()
			if ok != fits(want) || ok && got.Big().Cmp(want) != 0 {
				t.Fatalf("%s of %v and %v: got %v (%v), want %v", op, x, y, got, ok, want)
			}
		}
		sum, ok := x.Add(y)
		check("Add", sum, ok, new(big.Int).Add(bx, by))
		diff, ok := x.Sub(y)
		check("Sub", diff, ok, new(big.Int).Sub(bx, by))
		product, ok := x.Mul(y)
		check("Mul", product, ok, new(big.Int).Mul(bx, by))
		neg, ok := x.Neg()
		check("Neg", neg, ok, new(big.Int).Neg(bx))
		abs, ok := x.Abs()
		check("Abs", abs, ok, new(big.Int).Abs(bx))
		check("Mul64", Mul64(x.Hi, y.Hi), true, new(big.Int).Mul(big.NewInt(x.Hi), big.NewInt(y.Hi)))
		if y != (Int128{}) {
			quo, rem, ok := x.QuoRem(y)
			wantQuo, wantRem := new(big.Int).QuoRem(bx, by, new(big.Int))
			check("Quo", quo, ok, wantQuo)
			if ok {
				check("Rem", rem, ok, wantRem)
			}
		}
		if got, want := x.Cmp(y), bx.Cmp(by); got != want {
			t.Fatalf("Cmp of %v and %v: got %d, want %d", x, y, got, want)
		}
		if got, want := x.Sign(), bx.Sign(); got != want {
			t.Fatalf("Sign of %v: got %d, want %d", x, got, want)
		}
	})
}

func TestInt128Conversions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := genInt128().Draw(t, "x")
		if got, want := x.String(), x.Big().String(); got != want {
			t.Fatalf("String: got %s, want %s", got, want)
		}
		if back, ok := Int128FromBig(x.Big()); !ok || back != x {
			t.Fatalf("Int128FromBig(%v): got %v, %v", x, back, ok)
		}
		want, _ := new(big.Float).SetInt(x.Big()).Float64()
		if got := x.Float64(); got != want {
			t.Fatalf("Float64 of %v: got %v, want %v", x, got, want)
		}
		if v, ok := x.Int64(); ok != x.Big().IsInt64() || ok && v != x.Big().Int64() {
			t.Fatalf("Int64 of %v: got %v, %v", x, v, ok)
		}
		if got, want := x.magnitude().digits(), len(new(big.Int).Abs(x.Big()).String()); x.Sign() != 0 && got != want {
			t.Fatalf("digits of %v: got %d, want %d", x, got, want)
		}
	})
}

func TestQuoRem256(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, v := genInt128().Draw(t, "q").magnitude(), genInt128().Draw(t, "v").magnitude()
		if v.isZero() {
			return
		}
		_, r := genInt128().Draw(t, "r").magnitude().quoRem(v)
		hi, lo := mul128(q, v)
		sum := lo.add(r)
		if sum.less(lo) {
			hi = hi.add(uint128{lo: 1})
		}
		gotQ, gotR := quoRem256(hi, sum, v)
		if gotQ != q || gotR != r {
			t.Fatalf("(%v*%v+%v)/%v: got %v remainder %v", q, v, r, v, gotQ, gotR)
		}
	})
}
