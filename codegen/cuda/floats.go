package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// floatArithmetic writes add … abs on double precision.
func (e *computing) floatArithmetic(op string, in *kernel.Compute) {
	switch op {
	case "neg":
		e.each(in, "-%s", e.argsAt(in))
		return
	case "abs":
		e.each(in, "fabs(%s)", e.argsAt(in))
		return
	}
	a, b := e.At(in.Args[0]), e.At(in.Args[1])
	result := e.name(in.Dst) + "[r]"
	e.each(in, "%s %s %s", a, map[string]string{"add": "+", "sub": "-", "mul": "*"}[op], b)
	e.raiseWhere(in, ErrFloatOverflow, fmt.Sprintf("overflowed(%s, %s, %s)", result, a, b))
	if op == "mul" {
		e.raiseWhere(in, ErrFloatUnderflow, fmt.Sprintf("%s == 0 && %s != 0 && %s != 0", result, a, b))
	}
}

func (e *computing) floatDivide(in *kernel.Compute) {
	a, b := e.At(in.Args[0]), e.At(in.Args[1])
	result := e.name(in.Dst) + "[r]"
	e.each(in, "%s / %s", a, b)
	e.raiseWhere(in, ErrDivisionByZero, fmt.Sprintf("%s == 0 && !is_nan(%s)", b, a))
	e.raiseWhere(in, ErrFloatOverflow, fmt.Sprintf("is_inf(%s) && !is_inf(%s)", result, a))
	e.raiseWhere(in, ErrFloatUnderflow, fmt.Sprintf("%s != 0 && %s == 0 && %s != 0 && !is_inf(%s)", b, result, a, b))
}

func (e *computing) round(in *kernel.Compute) {
	if e.typeOf(in) == kernel.Num {
		e.numRound(in)
		return
	}
	e.each(in, "%s(%s)", in.Op.Operation().CUDA, e.argsAt(in))
}

// sqrt … power write functions of double precision.

func (e *computing) sqrt(in *kernel.Compute) {
	a := e.At(in.Args[0])
	e.function(in, fmt.Sprintf("sqrt(%s < 0 ? 0 : %[1]s)", a))
	e.raiseWhere(in, ErrNegative, a+" < 0")
}

func (e *computing) logarithm(in *kernel.Compute) {
	a := e.At(in.Args[0])
	e.function(in, fmt.Sprintf("%s_f64(%s)", in.Op, a))
	e.raiseWhere(in, ErrUndefined, a+" == 0")
	e.raiseWhere(in, ErrNegative, a+" < 0")
}

func (e *computing) exp(in *kernel.Compute) {
	a := e.At(in.Args[0])
	e.function(in, fmt.Sprintf("exp_f64(%s)", a))
	e.raiseOutOfRange(in, fmt.Sprintf("!is_inf(%s)", a))
}

func (e *computing) power(in *kernel.Compute) {
	a, b := e.At(in.Args[0]), e.At(in.Args[1])
	e.function(in, fmt.Sprintf("power_f64(%s, %s)", a, b))
	e.raiseWhere(in, ErrUndefined, fmt.Sprintf("%s == 0 && %s < 0", a, b))
	e.raiseWhere(in, ErrNegative, fmt.Sprintf("%s < 0 && %s != floor(%[2]s) && !is_nan(%[2]s)", a, b))
	e.raiseOutOfRange(in, fmt.Sprintf("%s != 0 && !is_inf(%[1]s) && !is_inf(%s)", a, b))
}

// function writes a function of double precision.
func (e *computing) function(in *kernel.Compute, call string) {
	if t := e.typeOf(in); t != kernel.F64 {
		e.refuse("there is no device code for operation %s of type %s", in.Op, t)
	}
	e.include("double.cuh")
	e.each(in, "%s", call)
}

// raiseOutOfRange raises an error where the result is infinite or 0, and the arguments are
// finite.
func (e *computing) raiseOutOfRange(in *kernel.Compute, finite string) {
	result := e.name(in.Dst) + "[r]"
	e.raiseWhere(in, ErrFloatOverflow, fmt.Sprintf("is_inf(%s) && %s", result, finite))
	e.raiseWhere(in, ErrFloatUnderflow, fmt.Sprintf("%s == 0 && %s", result, finite))
}

// convertFloat writes conversions to and from double precision.
func (e *computing) convertFloat(in *kernel.Compute) {
	from, to := e.typeOf(in), e.f.Values[in.Dst].Type
	a := e.At(in.Args[0])
	switch {
	case from == kernel.I32 && to == kernel.F64, from == kernel.I64 && to == kernel.F64 && in.Aux.Scale == 0:
		e.each(in, "(f64)%s", a)
	case from.IsInteger() && to == kernel.F64:
		e.include("num.cuh")
		e.each(in, "to_f64({%s, %d})", a, in.Aux.Scale)
	case from == kernel.F64 && (to == kernel.I32 || to == kernel.I64) && in.Aux.Scale == 0:
		limits := map[kernel.Type]string{kernel.I32: "-2147483648.0, 2147483648.0", kernel.I64: "-9223372036854775808.0, 9223372036854775808.0"}[to]
		inRange := fmt.Sprintf("round_in(%s, %s)", a, limits)
		e.each(in, "%s ? (%s)rint(%s) : 0", inRange, e.ctype(to), a)
		e.raiseWhere(in, ErrIntRange, "!"+inRange)
	default:
		e.refuse("there is no device code for the conversion of %s to %s", from, to)
	}
}

// finite raises an error where a sum is not finite: finite numbers have overflowed, or
// there were others among them.
func (e *computing) finite(sum string) {
	e.raise(fmt.Sprintf("%s - %s != 0", sum, sum), ErrNotFinite, nil)
}
