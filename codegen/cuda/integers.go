package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// arithmetic writes an operation that has an unchecked and a checked form.
func (e *computing) arithmetic(in *kernel.Compute) {
	op := in.Op.Operation().CUDA
	t := e.typeOf(in)
	switch {
	case t == kernel.F64:
		e.floatArithmetic(op, in)
	case t == kernel.Num:
		e.numArithmetic(op, in)
	case t == kernel.Interval:
		e.intervalArithmetic(op, in)
	case in.Checked || len(in.Args) == 1 && !e.cannotBeMin(in.Args[0]):
		e.check(in, overflow(t), fmt.Sprintf("%s_overflows(%s, %s[r])", op, e.typedArgs(in), e.name(in.Dst)))
	default:
		e.each(in, "%s(%s)", calls[op], e.typedArgs(in))
	}
}

// typedArgs is argsAt; parameters have the arguments' type already.
func (e *computing) typedArgs(in *kernel.Compute) string { return e.argsAt(in) }

// cannotBeMin reports whether an integer is known not to be the minimum of its
// type, which has no negative.
func (e *computing) cannotBeMin(id kernel.ValueID) bool {
	v := &e.f.Values[id]
	switch v.Type {
	case kernel.I32:
		return v.Range.Known && v.Range.Lo > -1<<31
	case kernel.I64:
		return v.Range.Known && v.Range.Lo > -1<<63
	}
	return v.Range.Known
}

func (e *computing) multiply(in *kernel.Compute) {
	if e.typeOf(in) == kernel.I64 && e.f.Values[in.Dst].Type == kernel.I128 {
		e.each(in, "mul_wide(%s)", e.argsAt(in))
		return
	}
	e.arithmetic(in)
}

func (e *computing) sign(in *kernel.Compute) {
	if e.typeOf(in) == kernel.F64 {
		e.each(in, "sign_f64(%s)", e.argsAt(in))
		return
	}
	e.each(in, "sign_of(%s)", e.argsAt(in))
}

// maxDigits are the digits that a decimal has at most, by type.
var maxDigits = map[kernel.Type]int{kernel.I64: 18, kernel.I128: 38}

func (e *computing) rescale(in *kernel.Compute) {
	t, k := e.typeOf(in), in.Aux.Scale
	c := e.ctype(t)
	a := e.At(in.Args[0])
	switch {
	case max(k, -k) > maxDigits[t]:
		e.refuse("there is no device code for rescaling by %d digits", k)
	case k < 0:
		e.each(in, "divide_round(%s, pow10<%s>(%d))", a, c, -k)
	case t == kernel.I64 && !in.Checked:
		e.each(in, "mul(%s, pow10<i64>(%d))", a, k)
	default:
		e.check(in, ErrNumericRange, fmt.Sprintf("mul_overflows(%s, pow10<%s>(%d), %s[r])", a, c, k, e.name(in.Dst)))
	}
}

func (e *computing) narrow(in *kernel.Compute) {
	a := e.At(in.Args[0])
	e.each(in, "%s", a)
	switch {
	case in.Aux.Digits == 0:
		e.raiseWhere(in, ErrIntRange, fmt.Sprintf("%s < -%dll - 1 || %s > %dll", a, int64(1)<<(in.Aux.Bits-1)-1, a, int64(1)<<(in.Aux.Bits-1)-1))
	case e.fitsDigits(in):
	default:
		e.raiseWhere(in, ErrPrecision, fmt.Sprintf("magnitude(%s) >= (u128)pow10<i128>(%d)", a, in.Aux.Digits))
	}
}

// fitsDigits reports whether every value of the type fits in numeric(p,s).
func (e *computing) fitsDigits(in *kernel.Compute) bool {
	return e.typeOf(in) == kernel.I32 && in.Aux.Digits >= 10 || e.typeOf(in) == kernel.I64 && in.Aux.Digits >= 19
}

func (e *computing) convert(in *kernel.Compute) {
	from, to := e.typeOf(in), e.f.Values[in.Dst].Type
	a, c := e.At(in.Args[0]), e.ctype(to)
	switch {
	case from == kernel.Bool && to == kernel.I32, from.IsInteger() && to.IsInteger() && words(from) <= words(to):
		e.each(in, "(%s)%s", c, a)
	case from.IsInteger() && to.IsInteger():
		e.each(in, "(%s)%s", c, a)
		e.raiseWhere(in, ErrIntRange, fmt.Sprintf("(%s)%s != %s", c, a, a))
	case from == kernel.I32 && to == kernel.Bool:
		e.each(in, "%s != 0", a)
	case from == kernel.Num || to == kernel.Num:
		e.convertNum(in)
	default:
		e.convertFloat(in)
	}
}

func (e *computing) rank(in *kernel.Compute) {
	dict := e.f.Values[in.Args[0]].Dict
	ranks := e.Arg(Arg{Kind: ArgRank, Index: int(dict)}, "const i32* __restrict__", "ranks of the codes of "+e.name(in.Args[0]))
	e.lookUp(in, ranks)
}

func (e *computing) unrank(in *kernel.Compute) {
	e.lookUp(in, e.codesByRank(in.Dst))
}

// codesByRank are the codes of a value's dictionary in the order of their texts.
func (e *arguments) codesByRank(id kernel.ValueID) string {
	return e.Arg(Arg{Kind: ArgUnrank, Index: int(e.f.Values[id].Dict)}, "const u32* __restrict__", "codes by rank of "+e.name(id))
}

// lookUp defines Dst by a table that the argument of active rows indexes.
func (e *computing) lookUp(in *kernel.Compute, table string) {
	live := e.Temp("live")
	e.Line("const u32 %s = %s;", live, e.without("active", in.Args))
	e.each(in, "bit(%s, r) ? %s[%s] : 0", live, table, e.At(in.Args[0]))
}
