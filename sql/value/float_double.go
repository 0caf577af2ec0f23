package value

import "math"

// double is an unevaluated sum hi+lo of two float64 with |lo| at most half a
// unit in the last place of hi: about 106 bits. The logarithms, exponentials
// and powers below are computed with it, so that their last digit is the
// nearest in all but a few cases and agrees with a good C library, which the
// math package's does not always. A device takes the same steps
// (codegen/cuda/device/double.cuh).
type double struct {
	hi, lo float64
}

// Beyond these e^x is infinite or 0.
const (
	maxExpFloat64 = 709.79
	minExpFloat64 = -745.2
)

var (
	ln2Double    = double{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	log10EDouble = double{0.4342944819032518, 1.098319650216765e-17}
	oneDouble    = double{1, 0}
)

// twoSum is a+b without rounding.
func twoSum(a, b float64) double {
	hi := a + b
	t := hi - a
	return double{hi, (a - (hi - t)) + (b - t)}
}

// twoProduct is a*b without rounding.
func twoProduct(a, b float64) double {
	hi := a * b
	return double{hi, math.FMA(a, b, -hi)}
}

func (x double) add(y double) double {
	s := twoSum(x.hi, y.hi)
	return twoSum(s.hi, s.lo+x.lo+y.lo)
}

func (x double) mul(y double) double {
	p := twoProduct(x.hi, y.hi)
	return twoSum(p.hi, p.lo+x.hi*y.lo+x.lo*y.hi)
}

func (x double) quo(y double) double {
	q := x.hi / y.hi
	p := twoProduct(q, y.hi)
	rem := (x.hi - p.hi) - p.lo + x.lo - q*y.lo
	return twoSum(q, rem/y.hi)
}

// logDouble is the natural logarithm of a finite x > 0.
func logDouble(x float64) double {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	// ln(m) = 2·artanh(s) = 2s·(1 + s²/3 + s⁴/5 + …), and s² < 0.03. The terms
	// from exact on are small enough for float64.
	const terms, exact = 21, 8
	s := twoSum(m, -1).quo(twoSum(m, 1))
	square := s.mul(s)
	tail := 0.0
	for k := terms; k >= exact; k-- {
		tail = tail*square.hi + 1/float64(2*k+1)
	}
	sum := double{tail, 0}
	for k := exact - 1; k >= 0; k-- {
		sum = sum.mul(square).add(oneDouble.quo(double{float64(2*k + 1), 0}))
	}
	sum = sum.mul(s)
	sum.hi, sum.lo = 2*sum.hi, 2*sum.lo
	return ln2Double.mul(double{float64(e), 0}).add(sum)
}

// exp is e to the power of x, 0 or infinite out of range.
func (x double) exp() float64 {
	switch {
	case x.hi > maxExpFloat64:
		return math.Inf(1)
	case x.hi < minExpFloat64:
		return 0
	}
	k := math.Round(x.hi / math.Ln2)
	r := x.add(ln2Double.mul(double{-k, 0}))
	// e^r = 1 + r + r²·(1/2 + r/6 + …), and |r| < 0.35.
	const terms = 18
	tail := 1.0
	for i := terms; i > 2; i-- {
		tail = tail*r.hi/float64(i) + 1
	}
	tail *= r.hi * r.hi / 2
	sum := twoSum(1, r.hi)
	return math.Ldexp(sum.hi+(sum.lo+(r.lo+r.lo*r.hi+tail)), int(k))
}

// pow is x to the power of y, for a finite x other than 0 and a finite y.
func pow(x, y float64) float64 {
	log := logDouble(math.Abs(x))
	f := math.Exp(log.hi * y) // 0 or infinite
	if math.Abs(log.hi*y) < -2*minExpFloat64 {
		f = log.mul(double{y, 0}).exp()
	}
	if x < 0 && math.Mod(y, 2) != 0 {
		return -f
	}
	return f
}
