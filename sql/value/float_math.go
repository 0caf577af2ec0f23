package value

import "math"

// ErrFloatOverflow is the error of double precision for a result out of range.
func ErrFloatOverflow() error {
	return Errorf(CodeNumericOutOfRange, "value out of range: overflow")
}

func errFloatUnderflow() error {
	return Errorf(CodeNumericOutOfRange, "value out of range: underflow")
}

// AddFloat64 is x+y; a finite sum that overflows is an error.
func AddFloat64(x, y float64) (float64, error) {
	return noOverflow(x+y, math.IsInf(x, 0) || math.IsInf(y, 0))
}

// SubFloat64 is x-y; a finite difference that overflows is an error.
func SubFloat64(x, y float64) (float64, error) {
	return noOverflow(x-y, math.IsInf(x, 0) || math.IsInf(y, 0))
}

// MulFloat64 is x*y; overflow of finite factors and underflow to 0 are errors.
func MulFloat64(x, y float64) (float64, error) {
	if x*y == 0 && x != 0 && y != 0 {
		return 0, errFloatUnderflow()
	}
	return noOverflow(x*y, math.IsInf(x, 0) || math.IsInf(y, 0))
}

// DivFloat64 is x/y; division by zero, overflow and underflow are errors.
func DivFloat64(x, y float64) (float64, error) {
	switch {
	case y == 0 && !math.IsNaN(x):
		return 0, errDivisionByZero()
	case x/y == 0 && x != 0 && !math.IsInf(y, 0):
		return 0, errFloatUnderflow()
	}
	return noOverflow(x/y, math.IsInf(x, 0))
}

// noOverflow returns f, or an error if f is infinite and may not be.
func noOverflow(f float64, mayBeInf bool) (float64, error) {
	if math.IsInf(f, 0) && !mayBeInf {
		return 0, ErrFloatOverflow()
	}
	return f, nil
}

// SignFloat64 is -1, 0 or 1, and 0 for NaN.
func SignFloat64(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// CmpFloat64 orders as PostgreSQL does: NaN equals NaN and exceeds all others,
// and -0 equals 0. It is -1, 0 or 1.
func CmpFloat64(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y:
		return 0
	case math.IsNaN(x) && math.IsNaN(y):
		return 0
	case math.IsNaN(x):
		return 1
	}
	return -1
}

// FloatToInt is f as an integer of that many bits (16, 32 or 64), rounded half
// to even.
func FloatToInt(f float64, bits int) (int64, error) {
	f = math.RoundToEven(f)
	limit := math.Ldexp(1, bits-1)
	if !(f >= -limit && f < limit) {
		return 0, ErrIntRange(bits)
	}
	return int64(f), nil
}

// SqrtFloat64 is the square root.
func SqrtFloat64(x float64) (float64, error) {
	if x < 0 {
		return 0, errSqrtOfNegative()
	}
	return math.Sqrt(x), nil
}

// LnFloat64 is the natural logarithm.
func LnFloat64(x float64) (float64, error) {
	switch {
	case x <= 0:
		return 0, errLog(x < 0)
	case x > math.MaxFloat64 || x != x:
		return x, nil
	}
	log := logDouble(x)
	return log.hi + log.lo, nil
}

// Log10Float64 is the logarithm of base 10.
func Log10Float64(x float64) (float64, error) {
	switch {
	case x <= 0:
		return 0, errLog(x < 0)
	case x > math.MaxFloat64 || x != x:
		return x, nil
	}
	log := logDouble(x).mul(log10EDouble)
	return log.hi + log.lo, nil
}

// ExpFloat64 is e to the power of x.
func ExpFloat64(x float64) (float64, error) {
	if math.IsInf(x, 0) || x != x {
		return math.Exp(x), nil
	}
	f := double{x, 0}.exp()
	if f == 0 {
		return 0, errFloatUnderflow()
	}
	return noOverflow(f, false)
}

// PowerFloat64 is x to the power of y.
func PowerFloat64(x, y float64) (float64, error) {
	switch {
	case x == 0 && y < 0:
		return 0, errPowerOfZero()
	case x < 0 && y != math.Floor(y) && !math.IsNaN(y):
		return 0, errPowerOfNegative()
	}
	if math.IsInf(x, 0) || math.IsInf(y, 0) || x != x || y != y || x == 0 {
		return math.Pow(x, y), nil
	}
	f := pow(x, y)
	if f == 0 {
		return 0, errFloatUnderflow()
	}
	return noOverflow(f, false)
}

func errSqrtOfNegative() error {
	return Errorf(CodeInvalidPower, "cannot take square root of a negative number")
}

func errLog(negative bool) error {
	if negative {
		return Errorf(CodeInvalidLog, "cannot take logarithm of a negative number")
	}
	return Errorf(CodeInvalidLog, "cannot take logarithm of zero")
}

func errPowerOfZero() error {
	return Errorf(CodeInvalidPower, "zero raised to a negative power is undefined")
}

func errPowerOfNegative() error {
	return Errorf(CodeInvalidPower, "a negative number raised to a non-integer power yields a complex result")
}
