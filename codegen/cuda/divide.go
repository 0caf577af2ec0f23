package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

func (e *computing) divide(in *kernel.Compute) {
	switch e.typeOf(in) {
	case kernel.F64:
		e.floatDivide(in)
		return
	case kernel.Num:
		e.numDivide("div", in)
		return
	case kernel.I128:
		e.refuse("there is no device code for the division of 128-bit integers")
		return
	}
	e.each(in, "quotient(%s, %s)", e.At(in.Args[0]), e.divisor(in))
	e.raiseByZero(in)
	overflows := fmt.Sprintf("div_overflows(%s)", e.argsAt(in))
	if e.divisors[in.Args[1]] {
		bad := e.Temp("bad")
		e.Line("u32 %s = 0;", bad)
		e.Line("if (%s == -1) ROWS set(%s, r, %s);", e.name(in.Args[1]), bad, overflows)
		e.raise(e.without(bad+" & active", in.Args), ErrIntRange, in)
		return
	}
	e.raiseWhere(in, ErrIntRange, overflows)
}

func (e *computing) modulo(in *kernel.Compute) {
	switch e.typeOf(in) {
	case kernel.Num:
		e.numDivide("mod", in)
		return
	case kernel.I128:
		e.each(in, "remainder_of(%s)", e.argsAt(in))
	default:
		e.each(in, "remainder_of(%s, %s)", e.At(in.Args[0]), e.divisor(in))
	}
	e.raiseByZero(in)
}

// divisor is what a row is divided by: a constant of the launch is made ready for it before the rows.
func (e *computing) divisor(in *kernel.Compute) string {
	if id := in.Args[1]; e.divisors[id] {
		return divisorOf(e.name(id))
	}
	return e.At(in.Args[1])
}

// raiseByZero raises an error in rows that are divided by zero.
func (e *computing) raiseByZero(in *kernel.Compute) {
	zero := e.At(in.Args[1]) + " == 0"
	if e.isParam(in.Args[1]) {
		e.raise(e.without("everywhere("+zero+") & active", in.Args), ErrDivisionByZero, in)
		return
	}
	e.raiseWhere(in, ErrDivisionByZero, zero)
}

// dividing are the constants of the launch, of 32 and 64 bits, by which rows are divided.
func (r *renderer) dividing() map[kernel.ValueID]bool {
	divisors := make(map[kernel.ValueID]bool)
	for _, in := range r.f.Instructions() {
		c, ok := in.(*kernel.Compute)
		if !ok || c.Op != kernel.OpDiv && c.Op != kernel.OpMod || !r.isParam(c.Args[1]) {
			continue
		}
		if t := r.f.Values[c.Args[1]].Type; t == kernel.I32 || t == kernel.I64 {
			divisors[c.Args[1]] = true
		}
	}
	return divisors
}
