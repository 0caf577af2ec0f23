package value

import (
	"math"
	"math/big"
)

// The scales here are PostgreSQL 15's: at least 16 significant digits by its
// estimate of the result's weight, and no less than the operands' scales. The
// last digit is rounded correctly unless the result is within 10^-19 of its
// unit of the middle between two. PostgreSQL itself keeps fewer guard digits:
// its powers of numbers very near 1 can differ by one in the last digit.

// Sqrt is the square root.
func (n Num) Sqrt() (Num, error) {
	if n.Coef.Hi < 0 {
		return Num{}, errSqrtOfNegative()
	}
	weight, _ := leading(n)
	// Half the number of digits before the point, toward zero as C divides.
	scale := clampScale(minSigDigits-((weight+1)*4/2-1), int(n.Scale), 0)
	return sqrtNum(n.Coef.magnitude(), 2*scale-int(n.Scale), scale)
}

// Ln is the natural logarithm.
func (n Num) Ln() (Num, error) {
	if n.Coef.Sign() <= 0 {
		return Num{}, errLog(n.Coef.Hi < 0)
	}
	scale := clampScale(minSigDigits-lnWeight(n), int(n.Scale), 0)
	if scale > maxScale {
		return Num{}, errNumOverflow()
	}
	a := newArithmetic(scale)
	return a.num(a.ln(n), scale)
}

// Log10 is the logarithm of base 10.
func (n Num) Log10() (Num, error) { return n.Log(NumOf(10)) }

// Log is the logarithm of a base.
func (n Num) Log(base Num) (Num, error) {
	for _, x := range []Num{base, n} {
		if x.Coef.Sign() <= 0 {
			return Num{}, errLog(x.Coef.Hi < 0)
		}
	}
	if base.Cmp(NumOf(1)) == 0 {
		return Num{}, Errorf(CodeDivisionByZero, "division by zero")
	}
	scale := clampScale(minSigDigits-(lnWeight(n)-lnWeight(base)), int(n.Scale), int(base.Scale))
	if scale > maxScale {
		return Num{}, errNumOverflow()
	}
	a := newArithmetic(scale)
	return a.num(a.quo(a.ln(n), a.ln(base)), scale)
}

// Exp is e to the power of n.
func (n Num) Exp() (Num, error) {
	weight := n.Float64() * log10E
	if weight > MaxDigits+1 {
		return Num{}, errNumOverflow()
	}
	scale := clampScale(minSigDigits-int(max(weight, -2*maxScale)), int(n.Scale), 0)
	if scale > maxScale {
		return Num{}, errNumOverflow()
	}
	a := newArithmetic(scale + max(int(weight), 0))
	return a.num(a.exp(a.fromNum(n)), scale)
}

const log10E = 0.434294481903252

// Power is n to the power of m.
func (n Num) Power(m Num) (Num, error) {
	exponent, whole := m.integer()
	switch {
	case n.Coef.Sign() == 0 && m.Coef.Hi < 0:
		return Num{}, errPowerOfZero()
	case n.Coef.Hi < 0 && !whole:
		return Num{}, errPowerOfNegative()
	case whole && exponent.IsInt64() && CheckInt(int64(exponent.Lo), 32) == nil:
		return n.powerInt(int64(exponent.Lo))
	case n.Coef.Sign() == 0:
		return Num{Scale: minSigDigits}, nil
	}
	abs := n.Abs()
	a := newArithmetic(MaxDigits)
	weight := a.float(a.mulNum(a.ln(abs), m)) * log10E
	if weight > MaxDigits+1 {
		return Num{}, errNumOverflow()
	}
	scale := clampScale(minSigDigits-int(max(weight, -2*maxScale)), int(n.Scale), int(m.Scale))
	if scale > maxScale {
		return Num{}, errNumOverflow()
	}
	// The product of the logarithm and m has to be right to as many digits as
	// the result has, after those that m adds before the point.
	a = newArithmetic(scale + 2*MaxDigits)
	power, err := a.num(a.exp(a.mulNum(a.ln(abs), m)), scale)
	if n.Coef.Hi < 0 && exponent.Lo&1 == 1 {
		power = power.Neg()
	}
	return power, err
}

// integer returns n without its fraction, and whether there was none.
func (n Num) integer() (x Int128, whole bool) {
	u := n.Coef.magnitude()
	if n.Scale > MaxDigits {
		return Int128{}, u.isZero()
	}
	quo, rem := u.quoRem(pow10[n.Scale])
	x, _ = quo.signed(n.Coef.Hi < 0, true)
	return x, rem.isZero()
}

// powerInt is n to the power of a whole number of 32 bits.
func (n Num) powerInt(exponent int64) (Num, error) {
	scale := max(minSigDigits, int(n.Scale))
	switch {
	case exponent == 0:
		return Num{Coef: Int128Of(1)}.Round(scale)
	case n.Coef.Sign() == 0:
		return Num{Scale: uint8(scale)}, nil
	}
	weight := float64(exponent) * math.Log10(math.Abs(n.Float64()))
	if weight > MaxDigits+1 {
		return Num{}, errNumOverflow()
	}
	if weight+1 < -float64(scale) {
		return Num{Scale: uint8(scale)}, nil
	}
	p := powDecimal(n.Coef.magnitude(), int(n.Scale), uint64(max(exponent, -exponent)))
	digits := p.scaled(scale)
	if exponent < 0 {
		digits = p.inverse(scale)
	}
	if n.Coef.Hi < 0 && exponent&1 == 1 {
		digits.Neg(digits)
	}
	return bigNum(digits, scale)
}

// lnWeight estimates the decimal weight of ln(n)'s first digit as PostgreSQL
// does, which uses the first eight digits of n or fewer.
func lnWeight(n Num) int {
	if n.Cmp(Num{Coef: Int128Of(9), Scale: 1}) >= 0 && n.Cmp(Num{Coef: Int128Of(11), Scale: 1}) <= 0 {
		// Near 1, ln(n) is about n-1.
		diff, err := n.Sub(NumOf(1))
		if err != nil || diff.Coef.Sign() == 0 {
			return 0
		}
		weight, digit := leading(diff)
		return 4*weight + int(math.Log10(float64(digit)))
	}
	weight, digit := leading(n)
	first, shift := float64(digit), 4*weight
	if second, any := secondDigit(n, weight); any {
		first = first*10000 + float64(second)
		shift -= 4
	}
	return int(math.Log10(math.Abs(math.Log(first) + float64(shift)*math.Ln10)))
}

// secondDigit is the digit of n in base 10000 after the first, which has that
// weight, and whether n has any digits other than 0 after the first.
func secondDigit(n Num, weight int) (digit int, any bool) {
	x := n.Coef.Big()
	x.Mul(x, bigPow10(8)) // so that two digits are before the point below
	unit := 4*weight + int(n.Scale)
	quo, rem := x, new(big.Int)
	if unit > 0 {
		quo, rem = new(big.Int).QuoRem(x, bigPow10(unit), rem)
	} else {
		quo.Mul(quo, bigPow10(-unit))
	}
	after := new(big.Int).Mod(quo, bigPow10(8)).Int64()
	return int(after / 10000), after != 0 || rem.Sign() != 0
}
