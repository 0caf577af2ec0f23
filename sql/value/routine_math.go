package value

import (
	"math"
	"math/big"
)

// real1 is a function of one double precision.
func real1(f func(float64) float64) []Routine {
	return []Routine{{Params: "f", Result: 'f', Call: func(a []Value) (Value, error) {
		x := a[0].F
		y, err := noOverflow(f(x), math.IsInf(x, 0))
		return floatValue(y), err
	}}}
}

// angle is a function of an angle, which is not infinite.
func angle(f func(float64) float64) []Routine {
	return []Routine{{Params: "f", Result: 'f', Call: func(a []Value) (Value, error) {
		if math.IsInf(a[0].F, 0) {
			return Value{}, errInput()
		}
		return floatValue(f(a[0].F)), nil
	}}}
}

// arc is a function that is not defined everywhere.
func arc(f func(float64) float64) []Routine {
	return []Routine{{Params: "f", Result: 'f', Call: func(a []Value) (Value, error) {
		y := f(a[0].F)
		if math.IsNaN(y) && !math.IsNaN(a[0].F) {
			return Value{}, errInput()
		}
		return floatValue(y), nil
	}}}
}

func errInput() error { return Errorf(CodeNumericOutOfRange, "input is out of range") }

// divisors is gcd or, with multiple, lcm of integers of a number of bits.
func divisors(bits int, multiple bool) func([]Value) (Value, error) {
	return func(args []Value) (Value, error) {
		a, b := big.NewInt(args[0].I), big.NewInt(args[1].I)
		a.Abs(a)
		b.Abs(b)
		d := new(big.Int).GCD(nil, nil, a, b)
		if multiple {
			if a.Sign() == 0 || b.Sign() == 0 {
				return intValue(0), nil
			}
			d = a.Mul(a.Div(a, d), b)
		}
		if !d.IsInt64() || d.BitLen() >= bits {
			return Value{}, ErrIntRange(bits)
		}
		return intValue(d.Int64()), nil
	}
}

// wholeQuotient is the quotient without what stands behind the point.
func wholeQuotient(a []Value) (Value, error) {
	x, y := a[0].Num, a[1].Num
	if y.Sign() == 0 {
		return Value{}, Errorf(CodeDivisionByZero, "division by zero")
	}
	// Both as integers of one scale.
	scale := max(int(x.Scale), int(y.Scale))
	n := new(big.Int).Mul(x.Coef.Big(), bigPow10(scale-int(x.Scale)))
	q, err := bigNum(n.Quo(n, new(big.Int).Mul(y.Coef.Big(), bigPow10(scale-int(y.Scale)))), 0)
	return numValue(q), err
}

// factorial is n!, which has at most 38 digits.
func factorial(a []Value) (Value, error) {
	n := a[0].I
	if n < 0 {
		return Value{}, Errorf(CodeNumericOutOfRange, "factorial of a negative number is undefined")
	}
	const most = 34 // larger ones have more than 38 digits
	if n > most {
		return Value{}, errNumOverflow()
	}
	f, err := bigNum(new(big.Int).MulRange(1, n), 0)
	return numValue(f), err
}

// floatBucket is the number of the bucket, of count between low and high, that x
// is in.
func floatBucket(a []Value) (Value, error) {
	x, low, high, count := a[0].F, a[1].F, a[2].F, a[3].I
	switch {
	case count <= 0:
		return Value{}, errBucket("count must be greater than zero")
	case math.IsNaN(x) || math.IsNaN(low) || math.IsNaN(high):
		return Value{}, errBucket("operand, lower bound, and upper bound cannot be NaN")
	case math.IsInf(low, 0) || math.IsInf(high, 0):
		return Value{}, errBucket("lower and upper bounds must be finite")
	case low == high:
		return Value{}, errBucket("lower bound cannot equal upper bound")
	}
	if low > high {
		x, low, high = -x, -low, -high
	}
	switch {
	case x < low:
		return intValue(0), nil
	case x >= high:
		return bucket(count + 1)
	}
	return intValue(min(int64(float64(count)*((x-low)/(high-low))), count-1) + 1), nil
}

func errBucket(message string) error { return Errorf("2201G", "%s", message) }

func bucket(n int64) (Value, error) { return intValue(n), CheckInt(n, 32) }

// numericBucket is floatBucket for exact numbers.
func numericBucket(a []Value) (Value, error) {
	x, low, high, count := a[0].Num, a[1].Num, a[2].Num, a[3].I
	order := low.Cmp(high)
	switch {
	case count <= 0:
		return Value{}, errBucket("count must be greater than zero")
	case order == 0:
		return Value{}, errBucket("lower bound cannot equal upper bound")
	case x.Cmp(low)*order > 0:
		return intValue(0), nil
	case x.Cmp(high)*order <= 0:
		return bucket(count + 1)
	}
	scale := max(x.Scale, low.Scale, high.Scale)
	at := func(n Num) *big.Int { return new(big.Int).Mul(n.Coef.Big(), bigPow10(int(scale-n.Scale))) }
	from := at(low)
	n := new(big.Int).Sub(at(x), from)
	n.Mul(n, big.NewInt(count))
	n.Quo(n, new(big.Int).Sub(at(high), from))
	return bucket(n.Int64() + 1)
}

// toDigits is round or trunc to a number of digits behind the point, or before it.
func toDigits(f func(Num, int) (Num, error)) func([]Value) (Value, error) {
	return func(a []Value) (Value, error) {
		n, err := f(a[0].Num, int(a[1].I))
		return numValue(n), err
	}
}

// randomOf is a number of at least 0 and less than 1 that looks random beside those
// of other seeds and rows: SplitMix64's, at a place in its sequence.
func randomOf(a []Value) (Value, error) {
	const golden = 0x9e3779b97f4a7c15
	z := uint64(a[0].I) + uint64(a[1].I)*golden
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return floatValue(float64(z>>11) / (1 << 53)), nil
}

// logarithm is log(base, x).
func logarithm(a []Value) (Value, error) {
	n, err := a[1].Num.Log(a[0].Num)
	return numValue(n), err
}

// The routines that operators on bits are.
const (
	BitAnd     = "bits and"
	BitOr      = "bits or"
	BitXor     = "bits xor"
	ShiftLeft  = "bits left"
	ShiftRight = "bits right"
)

// bitwise is an operation on the bits of two integers.
func bitwise(f func(x, y int64) int64) []Routine {
	call := func(a []Value) (Value, error) { return intValue(f(a[0].I, a[1].I)), nil }
	return []Routine{{Params: "ww", Result: 'w', Call: call}, {Params: "ll", Result: 'l', Call: call}}
}

// shifted is a shift of an integer: only the last bits of the number of places
// count, those that number the bits of the integer.
func shifted(f func(x int64, n uint) int64) []Routine {
	return []Routine{
		{Params: "ww", Result: 'w', Call: func(a []Value) (Value, error) {
			return intValue(int64(int32(f(a[0].I, uint(a[1].I)&31)))), nil
		}},
		{Params: "lw", Result: 'l', Call: func(a []Value) (Value, error) { return intValue(f(a[0].I, uint(a[1].I)&63)), nil }},
	}
}
