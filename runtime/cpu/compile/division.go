package compile

import (
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// divisor divides integers of 32 bits by a constant of at least 2: the product with its inverse, rounded up to
// 64 bits behind the point, has the quotient before the point (Lemire, Kaser and Kurz 2019).
type divisor struct {
	by      int32
	inverse uint64
}

// divisorOf makes the divisor of a constant. ok is false where there is none.
func divisorOf(v *vector.Vector) (d divisor, ok bool) {
	by := vector.Of[int32](v)[0]
	if !v.Const || by < 2 {
		return d, false
	}
	return divisor{by: by, inverse: ^uint64(0)/uint64(by) + 1}, true
}

func (d divisor) quotient(x int32) int32 {
	sign := x >> 31
	q, _ := bits.Mul64(d.inverse, uint64(uint32(x^sign-sign)))
	return int32(q) ^ sign - sign
}

// remainder is what is left of x: the part of the product with the inverse that is behind the point, times the divisor.
func (d divisor) remainder(x int32) int32 {
	sign := x >> 31
	r, _ := bits.Mul64(d.inverse*uint64(uint32(x^sign-sign)), uint64(d.by))
	return int32(r) ^ sign - sign
}

// divisions32 divides 32-bit integers.
func divisions32(f *frame) {
	d, ok := divisorOf(f.args[1])
	if !ok {
		zip(divide32)(f)
		return
	}
	a, m, dst := vector.Of[int32](f.args[0]), f.args[0].Mask(), vector.Of[int32](f.dst)
	for _, i := range f.rows() {
		dst[i] = d.quotient(a[int(i)&m])
	}
}

// remainders32 are those of 32-bit integers.
func remainders32(f *frame) {
	d, ok := divisorOf(f.args[1])
	if !ok {
		zip(modulo[int32])(f)
		return
	}
	a, m, dst := vector.Of[int32](f.args[0]), f.args[0].Mask(), vector.Of[int32](f.dst)
	if f.sel == nil && m != 0 {
		dst = dst[:f.n]
		for i, x := range a[:len(dst)] {
			dst[i] = d.remainder(x)
		}
		return
	}
	for _, i := range f.rows() {
		dst[i] = d.remainder(a[int(i)&m])
	}
}

// floatDivisor is a constant by which numbers of up to 52 bits are divided in double precision, which is quicker:
// quotients of such numbers are not rounded to another integer.
type floatDivisor struct {
	by    int64
	float float64
}

// exactFloat bounds the numbers that a floatDivisor divides in double precision.
const exactFloat = 1 << 52

// floatDivisorOf makes the divisor of a constant. ok is false where there is none.
func floatDivisorOf(v *vector.Vector) (d floatDivisor, ok bool) {
	by := vector.Of[int64](v)[0]
	return floatDivisor{by: by, float: float64(by)}, v.Const && by > 0 && by <= exactFloat
}

func (d floatDivisor) quotient(x int64) int64 {
	if x > -exactFloat && x < exactFloat {
		return int64(float64(x) / d.float)
	}
	return x / d.by
}

// divisions64 divides 64-bit integers.
func divisions64(f *frame) {
	d, ok := floatDivisorOf(f.args[1])
	if !ok {
		zip(divide64)(f)
		return
	}
	a, m, dst := vector.Of[int64](f.args[0]), f.args[0].Mask(), vector.Of[int64](f.dst)
	for _, i := range f.rows() {
		dst[i] = d.quotient(a[int(i)&m])
	}
}

// remainders64 are those of 64-bit integers.
func remainders64(f *frame) {
	d, ok := floatDivisorOf(f.args[1])
	if !ok {
		zip(modulo[int64])(f)
		return
	}
	a, m, dst := vector.Of[int64](f.args[0]), f.args[0].Mask(), vector.Of[int64](f.dst)
	for _, i := range f.rows() {
		x := a[int(i)&m]
		dst[i] = x - d.quotient(x)*d.by
	}
}

func divide32(a, b int32) (int32, error) {
	if b == 0 {
		return 0, errDivisionByZero()
	}
	q := int64(a) / int64(b)
	return int32(q), value.CheckInt(q, 32)
}

func divide64(a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, errDivisionByZero()
	case b == -1:
		return negate64(a)
	}
	return a / b, nil
}

func modulo[T int32 | int64](a, b T) (T, error) {
	if b == 0 {
		return 0, errDivisionByZero()
	}
	return a % b, nil
}

func negate64(a int64) (int64, error) {
	if a == math.MinInt64 {
		return 0, value.ErrIntRange(64)
	}
	return -a, nil
}

func errDivisionByZero() error {
	return value.Errorf(value.CodeDivisionByZero, "division by zero")
}
