package lower

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bounds is an inclusive interval that an integer lies in; the zero bounds are
// unknown. The numbers are not changed once made.
type bounds struct{ lo, hi *big.Int }

func (r bounds) known() bool { return r.lo != nil }

func int64Bounds(lo, hi int64) bounds { return bounds{big.NewInt(lo), big.NewInt(hi)} }

var (
	i32Bounds  = int64Bounds(math.MinInt32, math.MaxInt32)
	i64Bounds  = int64Bounds(math.MinInt64, math.MaxInt64)
	i128Bounds = bounds{value.MinInt128.Big(), value.MaxInt128.Big()}
)

// typeBounds are the bounds of everything that a type holds.
func typeBounds(t kernel.Type) bounds {
	switch t {
	case kernel.I32:
		return i32Bounds
	case kernel.I64:
		return i64Bounds
	}
	return i128Bounds
}

// digitBounds are the bounds of numbers of at most n decimal digits.
func digitBounds(n int) bounds {
	hi := new(big.Int).Sub(pow10(n), big.NewInt(1))
	return bounds{new(big.Int).Neg(hi), hi}
}

func pow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// in reports whether the bounds lie within those of type t.
func (r bounds) in(t kernel.Type) bool {
	tb := typeBounds(t)
	return r.known() && r.lo.Cmp(tb.lo) >= 0 && r.hi.Cmp(tb.hi) <= 0
}

// within is the range that the bounds give for a value of type t: unknown
// where they say no more than the type.
func (r bounds) within(t kernel.Type) kernel.Range {
	tb := typeBounds(t)
	if !r.in(kernel.I64) || r.lo.Cmp(tb.lo) == 0 && r.hi.Cmp(tb.hi) == 0 {
		return kernel.Range{}
	}
	return kernel.Range{Known: true, Lo: r.lo.Int64(), Hi: r.hi.Int64()}
}

func (r bounds) neg() bounds { return bounds{new(big.Int).Neg(r.hi), new(big.Int).Neg(r.lo)} }

func (r bounds) abs() bounds {
	n := r.neg()
	hi := bigMax(r.hi, n.hi)
	if r.lo.Sign() >= 0 || r.hi.Sign() <= 0 {
		return bounds{bigMin(new(big.Int).Abs(r.lo), new(big.Int).Abs(r.hi)), hi}
	}
	return bounds{new(big.Int), hi}
}

func (r bounds) add(s bounds) bounds {
	return bounds{new(big.Int).Add(r.lo, s.lo), new(big.Int).Add(r.hi, s.hi)}
}

func (r bounds) mul(s bounds) bounds {
	lo := new(big.Int).Mul(r.lo, s.lo)
	hi := lo
	for _, p := range [][2]*big.Int{{r.lo, s.hi}, {r.hi, s.lo}, {r.hi, s.hi}} {
		x := new(big.Int).Mul(p[0], p[1])
		lo, hi = bigMin(lo, x), bigMax(hi, x)
	}
	return bounds{lo, hi}
}

// quo are the bounds of a quotient toward zero, whatever the divisor.
func (r bounds) quo() bounds {
	a := r.abs()
	return bounds{new(big.Int).Neg(a.hi), a.hi}
}

// quoBy are those of a quotient whose divisor is at least least > 0.
func (r bounds) quoBy(least int64) bounds {
	zero, d := new(big.Int), big.NewInt(least)
	return bounds{bigMin(zero, new(big.Int).Quo(r.lo, d)), bigMax(zero, new(big.Int).Quo(r.hi, d))}
}

// mod are the bounds of a remainder by s: it has the sign of r and is smaller
// than the divisor.
func (r bounds) mod(s bounds) bounds {
	hi := bigMin(r.abs().hi, s.abs().hi)
	lo := new(big.Int).Neg(hi)
	if r.lo.Sign() >= 0 {
		lo = new(big.Int)
	}
	return bounds{lo, hi}
}

// rescale are the bounds after a multiplication by 10^n, or for negative n a
// division that rounds.
func (r bounds) rescale(n int) bounds {
	if n >= 0 {
		return r.mul(bounds{pow10(n), pow10(n)})
	}
	one := big.NewInt(1)
	d := pow10(-n)
	lo := new(big.Int).Quo(r.lo, d)
	hi := new(big.Int).Quo(r.hi, d)
	return bounds{lo.Sub(lo, one), hi.Add(hi, one)}
}

// hull is the smallest interval around both, unknown where either is.
func (r bounds) hull(s bounds) bounds {
	if !r.known() || !s.known() {
		return bounds{}
	}
	return bounds{bigMin(r.lo, s.lo), bigMax(r.hi, s.hi)}
}

func bigMin(a, b *big.Int) *big.Int {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func bigMax(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// paramBounds are bounds of a constant, widened to its sign and its length in
// bits: what is proven with them holds for every other constant of that size.
func paramBounds(t kernel.Type, val value.Value) bounds {
	if t == kernel.I128 {
		c := val.Num.Coef.Big()
		span := new(big.Int).Lsh(big.NewInt(1), uint(c.BitLen()))
		if c.Sign() < 0 {
			return bounds{new(big.Int).Neg(span), new(big.Int)}
		}
		return bounds{new(big.Int), span}
	}
	span := func(x uint64) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(bits.Len64(x))) }
	if val.I < 0 {
		return bounds{new(big.Int).Neg(span(uint64(-(val.I + 1)))), big.NewInt(-1)}
	}
	return bounds{new(big.Int), new(big.Int).Sub(span(uint64(val.I)), big.NewInt(1))}
}
