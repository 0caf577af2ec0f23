package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addArithmetic registers add … abs.
func (t opTable) addArithmetic() {
	t.addIntegers32()
	t.addIntegers64()
	t.addIntegers128()
	t.addFloats()
	t.addNums()
	for _, typ := range []kernel.Type{kernel.I64, kernel.I128} {
		t[opKey{kernel.OpRescale, typ}] = operation{make: makeRescale}
	}
	for _, typ := range []kernel.Type{kernel.I32, kernel.I64, kernel.I128} {
		t[opKey{kernel.OpNarrow, typ}] = operation{make: makeNarrow}
	}
}

// errNumericRange is an error of PostgreSQL that whole batches may raise.
func errNumericRange() error {
	return value.Errorf(value.CodeNumericOutOfRange, "numeric field overflow")
}

// checkable registers an operation as total where it is proven to fit and as
// checked where it is not. exact computes one row of the checked form; it
// decides when the loop has found a row that does not fit.
func checkable[T any](t opTable, op kernel.Op, typ kernel.Type, fast loop[T], checked checkedLoop[T], exact func(a, b T) error) {
	t[opKey{op, typ}] = operation{total: true, make: func(_ *Compiler, in *kernel.Compute) apply {
		if !in.Checked {
			return func(f *frame) { fast(vector.Of[T](f.dst)[:f.n], operandsOf[T](f), f.sel) }
		}
		return func(f *frame) {
			if o := operandsOf[T](f); checked(vector.Of[T](f.dst), o, f.rows()) != 0 {
				f.valid(func(i int) { sqlstate.Check(exact(o.a[i&o.am], o.b[i&o.bm])) })
			}
		}
	}}
}

// exactly makes the exact form of a checked operation.
func exactly[T any](f func(a, b T) (T, bool), failure func() error) func(a, b T) error {
	return func(a, b T) error {
		if _, ok := f(a, b); !ok {
			return failure()
		}
		return nil
	}
}

func (t opTable) addIntegers32() {
	wide := func(f func(a, b int64) int64) func(a, b int32) error {
		return func(a, b int32) error { return value.CheckInt(f(int64(a), int64(b)), 32) }
	}
	checkable(t, kernel.OpAdd, kernel.I32, addLoop, addChecked32, wide(func(a, b int64) int64 { return a + b }))
	checkable(t, kernel.OpSub, kernel.I32, subLoop, subChecked32, wide(func(a, b int64) int64 { return a - b }))
	checkable(t, kernel.OpMul, kernel.I32, mulLoop, mulChecked32, wide(func(a, b int64) int64 { return a * b }))
	t.addDivision(kernel.I32, divisions32, remainders32)
	t.add(kernel.OpNeg, kernel.I32, unary(func(a int32) (int32, error) {
		return -a, value.CheckInt(-int64(a), 32)
	}))
	t.add(kernel.OpAbs, kernel.I32, unary(func(a int32) (int32, error) {
		return max(a, -a), value.CheckInt(max(int64(a), -int64(a)), 32)
	}))
	t.add(kernel.OpSign, kernel.I32, infallible(sign[int32]))
}

func (t opTable) addIntegers64() {
	overflow := func() error { return value.ErrIntRange(64) }
	add := func(a, b int64) (int64, bool) { return a + b, ((a^(a+b))&(b^(a+b)))>>63 == 0 }
	sub := func(a, b int64) (int64, bool) { return a - b, ((a^b)&(a^(a-b)))>>63 == 0 }
	checkable(t, kernel.OpAdd, kernel.I64, addLoop, addChecked64, exactly(add, overflow))
	checkable(t, kernel.OpSub, kernel.I64, subLoop, subChecked64, exactly(sub, overflow))
	checkable(t, kernel.OpMul, kernel.I64, mulLoop, mulChecked64, exactly(value.MulOverflow64, overflow))
	narrowMul := t[opKey{kernel.OpMul, kernel.I64}].make
	t[opKey{kernel.OpMul, kernel.I64}] = operation{total: true, make: func(c *Compiler, in *kernel.Compute) apply {
		if c.Kernel.Values[in.Dst].Type == kernel.I128 {
			return func(f *frame) { mulWidening(vector.Of[value.Int128](f.dst), operandsOf[int64](f), f.rows()) }
		}
		return narrowMul(c, in)
	}}
	t.addDivision(kernel.I64, divisions64, remainders64)
	t.add(kernel.OpNeg, kernel.I64, unary(negate64))
	t.add(kernel.OpAbs, kernel.I64, unary(func(a int64) (int64, error) {
		if a < 0 {
			return negate64(a)
		}
		return a, nil
	}))
	t.add(kernel.OpSign, kernel.I64, infallible(sign[int64]))
}

func (t opTable) addDivision(typ kernel.Type, div, mod apply) {
	t.add(kernel.OpDiv, typ, div)
	t.add(kernel.OpMod, typ, mod)
}

func sign[T int32 | int64](a T) T {
	switch {
	case a > 0:
		return 1
	case a < 0:
		return -1
	}
	return 0
}

func (t opTable) addIntegers128() {
	t.addWide(kernel.OpAdd, addWide, value.Int128.Add)
	t.addWide(kernel.OpSub, subWide, value.Int128.Sub)
	t.addWide(kernel.OpMul, mulWide, value.Int128.Mul)
	t.add(kernel.OpMod, kernel.I128, zip(func(a, b value.Int128) (value.Int128, error) {
		if b == (value.Int128{}) {
			return b, errDivisionByZero()
		}
		_, rem, _ := a.QuoRem(b)
		return rem, nil
	}))
	t.add(kernel.OpNeg, kernel.I128, unary(fits(value.Int128.Neg)))
	t.add(kernel.OpAbs, kernel.I128, unary(fits(value.Int128.Abs)))
	t.add(kernel.OpSign, kernel.I128, infallible(func(a value.Int128) value.Int128 {
		return value.Int128Of(int64(a.Sign()))
	}))
}

// fits makes an error of a result that does not fit.
func fits(f func(value.Int128) (value.Int128, bool)) func(value.Int128) (value.Int128, error) {
	return func(a value.Int128) (value.Int128, error) {
		r, ok := f(a)
		if !ok {
			return r, errNumericRange()
		}
		return r, nil
	}
}

// addWide registers an operation on 128-bit integers. numeric holds 38 digits,
// which is less than 128 bits can.
func (t opTable) addWide(op kernel.Op, fast loop[value.Int128], exact func(a, b value.Int128) (value.Int128, bool)) {
	slow := zip(func(a, b value.Int128) (value.Int128, error) {
		r, ok := exact(a, b)
		if !ok {
			return r, errNumericRange()
		}
		return r, nil
	})
	t[opKey{op, kernel.I128}] = operation{make: func(_ *Compiler, in *kernel.Compute) apply {
		if in.Checked {
			return slow
		}
		return func(f *frame) { fast(vector.Of[value.Int128](f.dst), operandsOf[value.Int128](f), f.rows()) }
	}}
}

func (t opTable) addNums() {
	num2 := func(f func(a, b value.Num) (value.Num, error)) apply { return zip(f) }
	t.add(kernel.OpAdd, kernel.Num, num2(value.Num.Add))
	t.add(kernel.OpSub, kernel.Num, num2(value.Num.Sub))
	t.add(kernel.OpMul, kernel.Num, num2(value.Num.Mul))
	t.add(kernel.OpDiv, kernel.Num, num2(value.Num.Div))
	t.add(kernel.OpMod, kernel.Num, num2(value.Num.Mod))
	t.add(kernel.OpNeg, kernel.Num, infallible(value.Num.Neg))
	t.add(kernel.OpAbs, kernel.Num, infallible(value.Num.Abs))
	t.add(kernel.OpFloor, kernel.Num, unary(value.Num.Floor))
	t.add(kernel.OpCeil, kernel.Num, unary(value.Num.Ceil))
	t.add(kernel.OpPower, kernel.Num, num2(value.Num.Power))
	t.add(kernel.OpSqrt, kernel.Num, unary(value.Num.Sqrt))
	t.add(kernel.OpLn, kernel.Num, unary(value.Num.Ln))
	t.add(kernel.OpLog10, kernel.Num, unary(value.Num.Log10))
	t.add(kernel.OpExp, kernel.Num, unary(value.Num.Exp))
	t.add(kernel.OpSign, kernel.Num, infallible(func(a value.Num) value.Num {
		return value.NumOf(int64(a.Sign()))
	}))
	scaled := func(op kernel.Op, f func(value.Num, int) (value.Num, error)) {
		t[opKey{op, kernel.Num}] = operation{make: func(_ *Compiler, in *kernel.Compute) apply {
			scale := in.Aux.Scale
			return unary(func(a value.Num) (value.Num, error) { return f(a, scale) })
		}}
	}
	scaled(kernel.OpRound, value.Num.Round)
	scaled(kernel.OpTrunc, value.Num.Trunc)
}

// makeRescale compiles OpRescale.
func makeRescale(c *Compiler, in *kernel.Compute) apply {
	k := in.Aux.Scale
	if c.Kernel.Values[in.Dst].Type == kernel.I128 {
		return unary(func(a value.Int128) (value.Int128, error) {
			r, ok := a.Rescale(k)
			if !ok {
				return r, errNumericRange()
			}
			return r, nil
		})
	}
	if k >= 0 && k <= 18 && !in.Checked {
		factor := value.Pow10Int64(k)
		return func(f *frame) {
			a := f.args[0]
			mulLoop(vector.Of[int64](f.dst)[:f.n], operands[int64]{a: vector.Of[int64](a), am: a.Mask(), b: []int64{factor}}, f.sel)
		}
	}
	return unary(func(a int64) (int64, error) {
		r, ok := value.Rescale64(a, k)
		if !ok {
			return r, errNumericRange()
		}
		return r, nil
	})
}

// makeNarrow compiles OpNarrow.
func makeNarrow(c *Compiler, in *kernel.Compute) apply {
	check := func(x value.Int128) error {
		if in.Aux.Digits != 0 {
			return value.CheckPrecision(x, int(in.Aux.Digits), in.Aux.Scale)
		}
		v, ok := x.Int64()
		if !ok {
			return value.ErrIntRange(int(in.Aux.Bits))
		}
		return value.CheckInt(v, int(in.Aux.Bits))
	}
	switch c.Kernel.Values[in.Args[0]].Type {
	case kernel.I32:
		return unary(func(a int32) (int32, error) { return a, check(value.Int128Of(int64(a))) })
	case kernel.I64:
		return unary(func(a int64) (int64, error) { return a, check(value.Int128Of(a)) })
	}
	return unary(func(a value.Int128) (value.Int128, error) { return a, check(a) })
}
