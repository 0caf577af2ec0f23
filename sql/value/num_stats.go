package value

import "math/big"

// Moment is one of the statistics that are functions of the count, the sum and
// the sum of squares.
type Moment uint8

// The moments.
const (
	VarSamp Moment = iota
	VarPop
	StddevSamp
	StddevPop
)

// IsSample reports whether the moment divides by n-1 and is NULL for one value.
func (m Moment) IsSample() bool { return m == VarSamp || m == StddevSamp }

// MomentNum is PostgreSQL's variance or standard deviation of count exact
// numbers with the given sum and sum of squares, at the scales s and 2s; ok is
// false when it is NULL. The coefficients may use all 128 bits.
func MomentNum(m Moment, count int64, sum, sumSq Num) (result Num, ok bool, err error) {
	if count == 0 || count == 1 && m.IsSample() {
		return Num{}, false, nil
	}
	divisor := count
	if m.IsSample() {
		divisor--
	}
	if variance, ok := narrowVariance(count, divisor, sum, sumSq); ok {
		if m == VarSamp || m == VarPop {
			return variance, true, nil
		}
		result, err = sqrtNum(variance.Coef.magnitude(), int(variance.Scale), int(variance.Scale))
		return result, true, err
	}
	scale := 2 * int(sum.Scale)
	n := big.NewInt(count)
	// count·sumSq - sum², then over count·(count-1) or count².
	numerator := new(big.Int).Mul(n, sumSq.Coef.Big())
	numerator.Mul(numerator, bigPow10(scale-int(sumSq.Scale)))
	square := sum.Coef.Big()
	numerator.Sub(numerator, square.Mul(square, square))
	if numerator.Sign() <= 0 {
		return Num{}, true, nil
	}
	denominator := new(big.Int).Mul(n, big.NewInt(divisor))
	resultScale := bigDivScale(numerator, scale, denominator)
	variance := bigQuoRound(numerator.Mul(numerator, bigPow10(resultScale-scale)), denominator)
	if m == StddevSamp || m == StddevPop {
		variance = bigSqrtRound(variance.Mul(variance, bigPow10(resultScale)))
	}
	result, err = bigNum(variance, resultScale)
	return result, true, err
}

// narrowVariance is (count·sumSq - sum²) / (count·divisor) where 128 bits hold what it is
// made of; ok is false where they do not.
func narrowVariance(count, divisor int64, sum, sumSq Num) (variance Num, ok bool) {
	scale := 2 * int(sum.Scale)
	if int(sumSq.Scale) != scale || scale > maxScale {
		return Num{}, false
	}
	squares, fits := sumSq.Coef.Mul(Int128Of(count))
	square, fitsToo := sum.Coef.Mul(sum.Coef)
	numerator, fitsStill := squares.Sub(square)
	if !fits || !fitsToo || !fitsStill {
		return Num{}, false
	}
	if numerator.Sign() <= 0 {
		return Num{}, true
	}
	variance, err := Num{Coef: numerator, Scale: sum.Scale * 2}.Div(Num{Coef: Mul64(count, divisor)})
	return variance, err == nil
}

// sqrtNum is the square root of u·10^(k-2·scale), rounded to scale.
func sqrtNum(u uint128, k, scale int) (Num, error) {
	if hi, lo, ok := mulPow10(u, k); ok && hi.isZero() {
		return makeNum(false, lo.sqrtRound(), scale)
	}
	x := Int128{Hi: int64(u.hi), Lo: u.lo}.Big()
	return bigNum(bigSqrtRound(x.Mul(x, bigPow10(k))), scale)
}

// bigDivScale is divScale for integers of any size: n·10^-scale over d.
func bigDivScale(n *big.Int, scale int, d *big.Int) int {
	nWeight, nFirst := bigLeading(n, scale)
	dWeight, dFirst := bigLeading(d, 0)
	weight := nWeight - dWeight
	if nFirst <= dFirst {
		weight--
	}
	return clampScale(minSigDigits-4*weight, scale, 0)
}

// bigLeading is leading for x·10^-scale, x > 0.
func bigLeading(x *big.Int, scale int) (weight, digit int) {
	text := x.String()
	exponent := len(text) - 1 - scale
	for i := 0; i <= exponent&3; i++ {
		digit *= 10
		if i < len(text) {
			digit += int(text[i] - '0')
		}
	}
	return exponent >> 2, digit
}

// bigPow10 is 10^k for k >= 0.
func bigPow10(k int) *big.Int {
	if k <= MaxDigits {
		return Pow10(k).Big()
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil)
}

// bigQuoRound is n/d rounded half up, for n >= 0 and d > 0.
func bigQuoRound(n, d *big.Int) *big.Int {
	quo, rem := new(big.Int).QuoRem(n, d, new(big.Int))
	if rem.Lsh(rem, 1).Cmp(d) >= 0 {
		quo.Add(quo, big.NewInt(1))
	}
	return quo
}

// bigSqrtRound is the integer nearest to the square root of x >= 0.
func bigSqrtRound(x *big.Int) *big.Int {
	root := new(big.Int).Sqrt(x)
	// (root+1/2)² = root² + root + 1/4: above it the remainder exceeds root.
	rem := new(big.Int).Mul(root, root)
	if rem.Sub(x, rem).Cmp(root) > 0 {
		root.Add(root, big.NewInt(1))
	}
	return root
}

// bigNum is x·10^-scale.
func bigNum(x *big.Int, scale int) (Num, error) {
	coef, ok := Int128FromBig(x)
	if !ok || scale > maxScale {
		return Num{}, errNumOverflow()
	}
	return checked(coef, uint8(scale), true)
}
