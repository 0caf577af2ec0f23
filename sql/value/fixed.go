package value

import (
	"math"
	"math/big"
)

// arithmetic computes with real numbers as big integers times 2^-bits.
type arithmetic struct {
	bits uint
}

// guardBits is the precision beyond what a result is rounded to.
const guardBits = 64

// newArithmetic computes to so many decimal digits after the point.
func newArithmetic(digits int) arithmetic {
	const bitsPerDigit = 3.33
	return arithmetic{bits: uint(float64(digits)*bitsPerDigit) + guardBits}
}

// fromNum is n, rounded down.
func (a arithmetic) fromNum(n Num) *big.Int {
	x := n.Coef.Big()
	x.Lsh(x, a.bits)
	return x.Div(x, bigPow10(int(n.Scale)))
}

// num is x rounded half away from zero to scale digits after the point.
func (a arithmetic) num(x *big.Int, scale int) (Num, error) {
	neg := x.Sign() < 0
	digits := new(big.Int).Mul(x.Abs(x), bigPow10(scale))
	half := new(big.Int).Lsh(big.NewInt(1), a.bits-1)
	digits.Add(digits, half).Rsh(digits, a.bits)
	if neg {
		digits.Neg(digits)
	}
	return bigNum(digits, scale)
}

// float is x as a float64.
func (a arithmetic) float(x *big.Int) float64 {
	f, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(x), -int(a.bits)).Float64()
	return f
}

func (a arithmetic) mul(x, y *big.Int) *big.Int {
	z := new(big.Int).Mul(x, y)
	return z.Rsh(z, a.bits)
}

func (a arithmetic) quo(x, y *big.Int) *big.Int {
	z := new(big.Int).Lsh(x, a.bits)
	return z.Quo(z, y)
}

// mulNum is x times n, without rounding n first.
func (a arithmetic) mulNum(x *big.Int, n Num) *big.Int {
	z := new(big.Int).Mul(x, n.Coef.Big())
	return z.Quo(z, bigPow10(int(n.Scale)))
}

// ln is the natural logarithm of n > 0.
func (a arithmetic) ln(n Num) *big.Int {
	// n = m·2^k with m near 1. Scaling by 2^-k before the division keeps as
	// many bits of a small n as of a large one.
	num, den := n.Coef.Big(), bigPow10(int(n.Scale))
	k := num.BitLen() - den.BitLen()
	if k > 0 {
		den.Lsh(den, uint(k))
	} else {
		num.Lsh(num, uint(-k))
	}
	// m is in (1/2, 2), and ln(m) = 2·artanh((m-1)/(m+1)).
	z := a.quo(new(big.Int).Sub(num, den), new(big.Int).Add(num, den))
	ln := a.artanh(z)
	ln.Lsh(ln, 1)
	if k == 0 {
		return ln
	}
	return ln.Add(ln, new(big.Int).Mul(a.ln2(), big.NewInt(int64(k))))
}

// ln2 is 2·artanh(1/3).
func (a arithmetic) ln2() *big.Int {
	third := new(big.Int).Lsh(big.NewInt(1), a.bits)
	ln := a.artanh(third.Quo(third, big.NewInt(3)))
	return ln.Lsh(ln, 1)
}

// artanh sums z + z³/3 + z⁵/5 + …, for |z| < 1/2.
func (a arithmetic) artanh(z *big.Int) *big.Int {
	power := new(big.Int).Abs(z)
	sum := new(big.Int).Set(power)
	square := a.mul(z, z)
	product, term, divisor := new(big.Int), new(big.Int), new(big.Int)
	for i := int64(3); ; i += 2 {
		product.Mul(power, square)
		power.Rsh(product, a.bits)
		if term.Quo(power, divisor.SetInt64(i)); term.Sign() == 0 {
			break
		}
		sum.Add(sum, term)
	}
	if z.Sign() < 0 {
		return sum.Neg(sum)
	}
	return sum
}

// exp is e to the power of x.
func (a arithmetic) exp(x *big.Int) *big.Int {
	// x = k·ln(2) + r, and e^r = (e^(r/2^halvings))^(2^halvings).
	const halvings = 8
	ln2 := a.ln2()
	k, r := new(big.Int).DivMod(x, ln2, new(big.Int))
	if !k.IsInt64() || k.Int64() < math.MinInt32 {
		return new(big.Int)
	}
	r.Rsh(r, halvings)
	one := new(big.Int).Lsh(big.NewInt(1), a.bits)
	sum := new(big.Int).Add(one, r)
	term := new(big.Int).Set(r)
	for i := int64(2); term.Sign() != 0; i++ {
		term = a.mul(term, r)
		term.Quo(term, big.NewInt(i))
		sum.Add(sum, term)
	}
	for range halvings {
		sum = a.mul(sum, sum)
	}
	if n := k.Int64(); n < 0 {
		return sum.Rsh(sum, uint(-n))
	}
	return sum.Lsh(sum, uint(k.Int64()))
}

// bigDecimal is a positive number digits·10^-scale, rounded where it would
// have more than maxBigDigits digits.
type bigDecimal struct {
	digits *big.Int
	scale  int
}

// maxBigDigits leaves many digits to the rounding errors of a long product.
const maxBigDigits = 120

// powDecimal is (u·10^-scale) to the power of exponent > 0. It is exact while
// it has at most maxBigDigits digits.
func powDecimal(u uint128, scale int, exponent uint64) bigDecimal {
	base := bigDecimal{digits: Int128{Lo: u.lo, Hi: int64(u.hi)}.Big(), scale: scale}
	result := bigDecimal{digits: big.NewInt(1)}
	for {
		if exponent&1 == 1 {
			result = result.mul(base)
		}
		if exponent >>= 1; exponent == 0 {
			return result
		}
		base = base.mul(base)
	}
}

func (d bigDecimal) mul(e bigDecimal) bigDecimal {
	product := new(big.Int).Mul(d.digits, e.digits)
	scale := d.scale + e.scale
	const bitsPerDigit = 3.33
	if over := int(float64(product.BitLen())/bitsPerDigit) - maxBigDigits; over > 0 {
		product = bigQuoRound(product, bigPow10(over))
		scale -= over
	}
	return bigDecimal{digits: product, scale: scale}
}

// scaled is d·10^scale rounded half up.
func (d bigDecimal) scaled(scale int) *big.Int {
	if scale >= d.scale {
		return new(big.Int).Mul(d.digits, bigPow10(scale-d.scale))
	}
	return bigQuoRound(d.digits, bigPow10(d.scale-scale))
}

// inverse is 10^scale/d rounded half up.
func (d bigDecimal) inverse(scale int) *big.Int {
	if shift := scale + d.scale; shift >= 0 {
		return bigQuoRound(bigPow10(shift), d.digits)
	}
	return new(big.Int) // d exceeds 10^scale by far
}
