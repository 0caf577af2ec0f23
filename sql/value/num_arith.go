package value

func errDivisionByZero() error { return Errorf(CodeDivisionByZero, "division by zero") }

// Neg is -n.
func (n Num) Neg() Num {
	n.Coef, _ = n.Coef.Neg() // at most 38 digits: it fits
	return n
}

// Abs is |n|.
func (n Num) Abs() Num {
	n.Coef, _ = n.Coef.Abs()
	return n
}

// Add is n+m, at the larger of the two scales.
func (n Num) Add(m Num) (Num, error) {
	n, m, ok := alignScales(n, m)
	if !ok {
		return Num{}, errNumOverflow()
	}
	sum, ok := n.Coef.Add(m.Coef)
	return checked(sum, n.Scale, ok)
}

// Sub is n-m, at the larger of the two scales.
func (n Num) Sub(m Num) (Num, error) {
	n, m, ok := alignScales(n, m)
	if !ok {
		return Num{}, errNumOverflow()
	}
	diff, ok := n.Coef.Sub(m.Coef)
	return checked(diff, n.Scale, ok)
}

// checked is the Num of coef and scale if ok and coef has at most 38 digits.
func checked(coef Int128, scale uint8, ok bool) (Num, error) {
	if !ok || !coef.magnitude().less(pow10[MaxDigits]) {
		return Num{}, errNumOverflow()
	}
	return Num{Coef: coef, Scale: scale}, nil
}

// alignScales brings both to the larger scale; ok is false when one does not
// fit there.
func alignScales(n, m Num) (a, b Num, ok bool) {
	switch {
	case n.Scale == m.Scale:
		return n, m, true
	case n.Scale < m.Scale:
		n.Coef, ok = n.Coef.Rescale(int(m.Scale - n.Scale))
		n.Scale = m.Scale
	default:
		m.Coef, ok = m.Coef.Rescale(int(n.Scale - m.Scale))
		m.Scale = n.Scale
	}
	return n, m, ok
}

// Mul is n*m, exact: its scale is the sum of the two.
func (n Num) Mul(m Num) (Num, error) {
	product, ok := n.Coef.Mul(m.Coef)
	scale := int(n.Scale) + int(m.Scale)
	if scale > maxScale {
		return Num{}, errNumOverflow()
	}
	return checked(product, uint8(scale), ok)
}

// Div is n/m rounded half away from zero to the scale that PostgreSQL chooses:
// at least 16 significant digits, and no less than either operand's scale. The
// operands may have 39 digits, which the sums under an average can reach.
func (n Num) Div(m Num) (Num, error) {
	if m.Coef == (Int128{}) {
		return Num{}, errDivisionByZero()
	}
	return n.divScale(m, divScale(n, m))
}

// divScale is n/m rounded to scale, which is no less than n.Scale.
func (n Num) divScale(m Num, scale int) (Num, error) {
	u, v := n.Coef.magnitude(), m.Coef.magnitude()
	if u.isZero() {
		return makeNum(false, u, scale)
	}
	k := scale + int(m.Scale) - int(n.Scale)
	hi, lo, ok := mulPow10(u, k)
	if !ok || !hi.less(v) {
		return Num{}, errNumOverflow()
	}
	quo, rem := quoRem256(hi, lo, v)
	if !rem.less(v.sub(rem)) {
		quo = quo.add(uint128{lo: 1})
	}
	return makeNum(n.Coef.Hi^m.Coef.Hi < 0, quo, scale)
}

// mulPow10 is u·10^k in 256 bits, for k >= 0; ok is false when it does not fit.
func mulPow10(u uint128, k int) (hi, lo uint128, ok bool) {
	if k <= MaxDigits {
		hi, lo = mul128(u, pow10[k])
		return hi, lo, true
	}
	if k > 2*MaxDigits {
		return hi, lo, false
	}
	hi, lo = mul128(u, pow10[MaxDigits])
	overHi, hi := mul128(hi, pow10[k-MaxDigits])
	carry, lo := mul128(lo, pow10[k-MaxDigits])
	sum := hi.add(carry)
	return sum, lo, overHi.isZero() && !sum.less(hi)
}

// divScale is the scale of the quotient of n and m. PostgreSQL estimates the
// quotient's weight from the operands' first digits in base 10000.
func divScale(n, m Num) int {
	nWeight, nFirst := leading(n)
	mWeight, mFirst := leading(m)
	weight := nWeight - mWeight
	if nFirst <= mFirst {
		weight--
	}
	return clampScale(minSigDigits-4*weight, int(n.Scale), int(m.Scale))
}

// QuotientScale is how many digits behind the point quotients have at least whose dividends are no
// greater than n, and whose divisors are no less than m > 0, of their scales.
func QuotientScale(n, m Num) int {
	nWeight, _ := leading(n)
	mWeight, _ := leading(m)
	return clampScale(minSigDigits-4*(nWeight-mWeight), int(n.Scale), int(m.Scale))
}

// clampScale raises a wanted scale to the operands' scales and to 0, and limits
// it to the largest scale that PostgreSQL displays.
func clampScale(scale, s, t int) int {
	const maxDisplayScale = 1000
	return min(max(scale, s, t, 0), maxDisplayScale)
}

// leading returns the weight and the value of n's first non-zero digit in base
// 10000, whose digits are aligned to the decimal point. Both are 0 for 0.
func leading(n Num) (weight, digit int) {
	u := n.Coef.magnitude()
	digits := u.digits()
	if digits == 0 {
		return 0, 0
	}
	exponent := digits - 1 - int(n.Scale)
	weight = exponent >> 2
	width := exponent&3 + 1
	if digits >= width {
		u, _ = u.quoRem(pow10[digits-width])
		return weight, int(u.lo)
	}
	return weight, int(u.lo * pow10[width-digits].lo)
}

// Mod is the remainder of n/m truncated, with the sign of n, at the larger of
// the two scales.
func (n Num) Mod(m Num) (Num, error) {
	if m.Coef == (Int128{}) {
		return Num{}, errDivisionByZero()
	}
	u, v := n.Coef.magnitude(), m.Coef.magnitude()
	neg := n.Coef.Hi < 0
	if n.Scale >= m.Scale {
		hi, divisor, ok := mulPow10(v, int(n.Scale)-int(m.Scale))
		if !ok || !hi.isZero() {
			return makeNum(neg, u, int(n.Scale)) // the divisor exceeds u
		}
		_, rem := u.quoRem(divisor)
		return makeNum(neg, rem, int(n.Scale))
	}
	_, rem := u.quoRem(v)
	for k := int(m.Scale) - int(n.Scale); k > 0; k -= MaxDigits {
		// Both factors are below v, so the high half of their product is too.
		_, factor := pow10[min(k, MaxDigits)].quoRem(v)
		hi, lo := mul128(rem, factor)
		_, rem = quoRem256(hi, lo, v)
	}
	return makeNum(neg, rem, int(m.Scale))
}

// Avg is PostgreSQL's average of count exact numbers whose sum is sum. count
// must not be 0.
func Avg(sum Num, count int64) (Num, error) { return sum.Div(NumOf(count)) }
