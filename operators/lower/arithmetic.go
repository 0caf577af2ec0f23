package lower

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// arithmetic emits Add, Sub, Mul, Div and Mod on numbers and intervals.
func (b *operations) arithmetic(e *algebra.Call, x, y kernel.ValueID) kernel.ValueID {
	op := kernel.Op(e.Func)
	switch e.Typ.Kind {
	case algebra.Float64:
		return b.op(op, kernel.F64, e.Pos, x, y)
	case algebra.Interval:
		return b.op(op, kernel.Interval, e.Pos, x, y)
	case algebra.Int16, algebra.Int32, algebra.Int64:
		return b.integers(op, e.Typ, x, y, e.Pos)
	case algebra.Decimal, algebra.Numeric:
		return b.typed(b.exact(op, x, y, e.Pos), e.Typ, e.Pos)
	}
	panic(unsupported(e.Pos, "%s of %s", e.Func, e.Typ))
}

// resultBounds are the bounds of an operation's result.
func resultBounds(op kernel.Op, x, y bounds) bounds {
	switch op {
	case kernel.OpAdd:
		return x.add(y)
	case kernel.OpSub:
		return x.add(y.neg())
	case kernel.OpMul:
		return x.mul(y)
	case kernel.OpDiv:
		return x.quo()
	}
	return x.mod(y)
}

// integers emits arithmetic of the integer types. The type of the result is
// that of the arguments, and what does not fit it is an error.
func (b *operations) integers(op kernel.Op, typ algebra.Type, x, y kernel.ValueID, pos int) kernel.ValueID {
	t := PhysicalType(typ)
	r := resultBounds(op, b.boundsOf(x), b.boundsOf(y))
	v := b.integer(kernel.Compute{
		Op: op, Args: []kernel.ValueID{b.toInt(x, t, pos), b.toInt(y, t, pos)}, Pos: pos,
	}, t, 0, r)
	return b.smallint(v, typ, pos)
}

// smallint checks a value of SQL type smallint, which is held as I32.
func (b *operations) smallint(v kernel.ValueID, typ algebra.Type, pos int) kernel.ValueID {
	limit := int64Bounds(-1<<15, 1<<15-1)
	r := b.boundsOf(v)
	if typ.Kind != algebra.Int16 || r.lo.Cmp(limit.lo) >= 0 && r.hi.Cmp(limit.hi) <= 0 {
		return v
	}
	return b.compute(kernel.Compute{
		Op: kernel.OpNarrow, Args: []kernel.ValueID{v}, Aux: kernel.Aux{Bits: 16}, Checked: true, Pos: pos,
	}, kernel.Value{Type: kernel.I32}, fact{bounds: limit})
}

// exact emits arithmetic of exact numerics: on integers where both have a
// fixed scale and the result keeps one, otherwise on Num.
func (b *operations) exact(op kernel.Op, x, y kernel.ValueID, pos int) kernel.ValueID {
	fixed := b.typ(x).IsInteger() && b.typ(y).IsInteger()
	sx, sy := b.facts[x].scale, b.facts[y].scale
	switch {
	case !fixed || op == kernel.OpDiv || op == kernel.OpMul && sx+sy > maxScale:
		return b.op(op, kernel.Num, pos, b.toNum(x, pos), b.toNum(y, pos))
	case op == kernel.OpMul:
		return b.product(x, y, sx+sy, pos)
	}
	scale := max(sx, sy)
	x, y = b.rescaled(x, scale, pos), b.rescaled(y, scale, pos)
	bx, by := b.boundsOf(x), b.boundsOf(y)
	r := resultBounds(op, bx, by)
	t := smallest(r.hull(bx).hull(by))
	return b.integer(kernel.Compute{
		Op: op, Args: []kernel.ValueID{b.toInt(x, t, pos), b.toInt(y, t, pos)}, Pos: pos,
	}, t, scale, r)
}

// product emits a multiplication; two 64-bit factors need not be widened for a
// 128-bit product.
func (b *operations) product(x, y kernel.ValueID, scale, pos int) kernel.ValueID {
	bx, by := b.boundsOf(x), b.boundsOf(y)
	r := bx.mul(by)
	t := smallest(r.hull(bx).hull(by))
	factor := t
	if bx.in(kernel.I64) && by.in(kernel.I64) {
		factor = kernel.I64
	}
	return b.integer(kernel.Compute{
		Op: kernel.OpMul, Args: []kernel.ValueID{b.toInt(x, factor, pos), b.toInt(y, factor, pos)}, Pos: pos,
	}, t, scale, r)
}

// unary emits Neg, Abs and Sign.
func (b *operations) unary(e *algebra.Call, x kernel.ValueID) kernel.ValueID {
	op, t := kernel.Op(e.Func), b.typ(x)
	if !t.IsInteger() {
		return b.op(op, t, e.Pos, x)
	}
	scale, r := b.facts[x].scale, b.boundsOf(x)
	switch e.Func {
	case algebra.Neg:
		r = r.neg()
	case algebra.Abs:
		r = r.abs()
	case algebra.Sign:
		r, scale = int64Bounds(-1, 1), 0
	}
	v := b.integer(kernel.Compute{Op: op, Args: []kernel.ValueID{x}, Pos: e.Pos}, t, scale, r)
	return b.typed(b.smallint(v, e.Typ, e.Pos), e.Typ, e.Pos)
}

// rounding emits Round, Trunc, Floor and Ceil, whose digits are a constant.
func (b *operations) rounding(e *algebra.Call, x kernel.ValueID) kernel.ValueID {
	digits := 0
	if len(e.Args) > 1 {
		c, ok := e.Args[1].(*algebra.Const)
		if !ok {
			panic(unsupported(e.Pos, "%s to a number of digits that is not a constant", e.Func))
		}
		if c.Val.Kind == value.Null {
			return b.null(b.typ(x), b.facts[x].scale)
		}
		digits = int(min(max(c.Val.I, -maxScale), maxScale))
	}
	switch {
	case b.typ(x) == kernel.F64:
		return b.op(kernel.Op(e.Func), kernel.F64, e.Pos, x)
	case e.Typ.IsInteger() && digits >= 0:
		return x
	case e.Func == algebra.Round && b.typ(x).IsInteger():
		v := b.rescaled(x, digits, e.Pos)
		if digits < 0 {
			v = b.rescaled(v, 0, e.Pos)
		}
		return b.typed(v, e.Typ, e.Pos)
	}
	v := b.compute(kernel.Compute{
		Op: kernel.Op(e.Func), Args: []kernel.ValueID{b.toNum(x, e.Pos)}, Aux: kernel.Aux{Scale: digits}, Pos: e.Pos,
	}, kernel.Value{Type: kernel.Num}, fact{})
	return b.typed(v, e.Typ, e.Pos)
}

// inexact emits functions of float64 or of numerics with a scale per value.
func (b *operations) inexact(e *algebra.Call, args []kernel.ValueID) kernel.ValueID {
	t := PhysicalType(e.Typ)
	for i := range args {
		if t == kernel.Num {
			args[i] = b.toNum(args[i], e.Pos)
		}
	}
	return b.op(kernel.Op(e.Func), t, e.Pos, args...)
}
