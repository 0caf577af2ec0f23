package compile

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addFloats registers arithmetic on double precision.
func (t opTable) addFloats() {
	t.addFloatLoop(kernel.OpAdd, addLoop, value.AddFloat64)
	t.addFloatLoop(kernel.OpSub, subLoop, value.SubFloat64)
	t.addFloatLoop(kernel.OpMul, mulLoop, value.MulFloat64)
	t.add(kernel.OpDiv, kernel.F64, zip(value.DivFloat64))
	t.add(kernel.OpPower, kernel.F64, zip(value.PowerFloat64))
	t.add(kernel.OpSqrt, kernel.F64, roots)
	t.add(kernel.OpLn, kernel.F64, unary(value.LnFloat64))
	t.add(kernel.OpLog10, kernel.F64, unary(value.Log10Float64))
	t.add(kernel.OpExp, kernel.F64, unary(value.ExpFloat64))
	t.addTotal(kernel.OpNeg, kernel.F64, infallible(func(a float64) float64 { return -a }))
	t.addTotal(kernel.OpAbs, kernel.F64, infallible(math.Abs))
	t.addTotal(kernel.OpRound, kernel.F64, infallible(math.RoundToEven))
	t.addTotal(kernel.OpTrunc, kernel.F64, infallible(math.Trunc))
	t.addTotal(kernel.OpFloor, kernel.F64, infallible(math.Floor))
	t.addTotal(kernel.OpCeil, kernel.F64, infallible(math.Ceil))
	t.addTotal(kernel.OpSign, kernel.F64, infallible(value.SignFloat64))
}

// roots computes square roots by a plain loop; only where one is of a negative number the rows are
// looked at one by one.
func roots(f *frame) {
	a, m, dst, negative := vector.Of[float64](f.args[0]), f.args[0].Mask(), vector.Of[float64](f.dst), false
	for _, i := range f.rows() {
		x := a[int(i)&m]
		dst[i] = math.Sqrt(x)
		negative = negative || x < 0
	}
	if negative {
		f.valid(func(i int) { dst[i] = sqlstate.Must(value.SqrtFloat64(a[i&m])) })
	}
}

// addFloatLoop registers a binary operation done by a plain loop. Only where it
// gives zeros or infinities the rows are looked at one by one, since these may
// be errors.
func (t opTable) addFloatLoop(op kernel.Op, fast loop[float64], exact func(a, b float64) (float64, error)) {
	t.add(op, kernel.F64, func(f *frame) {
		o, dst := operandsOf[float64](f), vector.Of[float64](f.dst)[:f.n]
		fast(dst, o, f.sel)
		if suspicious(dst, f.rows()) {
			f.valid(func(i int) { sqlstate.Must(exact(o.a[i&o.am], o.b[i&o.bm])) })
		}
	})
}

// suspicious reports whether some row is zero, infinite or not a number.
func suspicious(dst []float64, rows []int32) bool {
	found := false
	for _, i := range rows {
		x := dst[i]
		found = found || x == 0 || x-x != 0
	}
	return found
}
