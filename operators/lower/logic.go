package lower

import (
	"maps"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// logic emits the one-place operations of truth values.
func (b *Builder) logic(op kernel.Op, x kernel.ValueID) kernel.ValueID {
	if !b.Func.Values[x].Nullable {
		switch op {
		case kernel.OpIsNull:
			return b.boolean(false)
		case kernel.OpIsTrue:
			return x
		case kernel.OpIsFalse:
			op = kernel.OpNot
		}
	}
	return b.op(op, kernel.Bool, value.NoPos, x)
}

// connective emits AND and OR. An operand that can raise an error is evaluated
// only where those before it do not decide.
func (b *Builder) connective(e *algebra.Call) kernel.ValueID {
	acc := b.Expr(e.Args[0])
	for _, arg := range e.Args[1:] {
		acc = b.connect(kernel.Op(e.Func), acc, arg)
	}
	return acc
}

func (b *Builder) connect(op kernel.Op, acc kernel.ValueID, e algebra.Expr) kernel.ValueID {
	a := b.newArm()
	var v kernel.ValueID
	b.in(a, func() { v = b.Expr(e) })
	if !b.Func.BlockCanRaise(a.block) {
		b.splice(a)
		return b.op(op, kernel.Bool, value.NoPos, acc, v)
	}
	// Where acc alone decides: false for AND, true for OR.
	decides, decided := kernel.OpIsTrue, true
	if op == kernel.OpAnd {
		decides, decided = kernel.OpIsFalse, false
	}
	cond := b.logic(decides, acc)
	if b.Func.Values[acc].Nullable {
		b.in(a, func() { v = b.op(op, kernel.Bool, value.NoPos, acc, v) })
	}
	dst := b.define(kernel.Value{Type: kernel.Bool, Nullable: b.Func.Values[v].Nullable}, fact{})
	b.Emit(&kernel.If{Cond: cond, ThenVal: b.boolean(decided), Else: a.block, ElseVal: v, Dst: dst})
	return dst
}

// splice puts an arm's instructions here: what it defined is visible from now on.
func (b *Builder) splice(a *arm) {
	*b.block = append(*b.block, a.block...)
	maps.Copy(b.scope.computes, a.scope.computes)
	for h, known := range a.scope.exprs {
		b.scope.exprs[h] = append(b.scope.exprs[h], known...)
	}
}

// caseExpr emits the arms whens of a CASE and its ELSE, each evaluated only on
// the rows that reach it.
func (b *Builder) caseExpr(whens []algebra.When, e *algebra.Case) kernel.ValueID {
	if len(whens) == 0 {
		if e.Else == nil {
			return b.null(PhysicalType(e.Typ), scaleOf(e.Typ))
		}
		return b.Expr(e.Else)
	}
	return b.choose(b.Expr(whens[0].Cond), e.Typ,
		func() kernel.ValueID { return b.Expr(whens[0].Then) },
		func() kernel.ValueID { return b.caseExpr(whens[1:], e) })
}

// choose emits an If whose arms compute values of SQL type typ.
func (b *operations) choose(cond kernel.ValueID, typ algebra.Type, then, els func() kernel.ValueID) kernel.ValueID {
	arms := [2]*arm{b.newArm(), b.newArm()}
	var vals [2]kernel.ValueID
	for i, body := range []func() kernel.ValueID{then, els} {
		b.in(arms[i], func() { vals[i] = body() })
	}
	to := b.common(vals[0], vals[1], typ)
	for i := range vals {
		b.in(arms[i], func() { vals[i] = b.convert(vals[i], to) })
	}
	x, y := vals[0], vals[1]
	dst := kernel.Value{Type: to.typ, Dict: to.dict, Nullable: b.Func.Values[x].Nullable || b.Func.Values[y].Nullable}
	known := fact{scale: to.scale}
	switch {
	case to.typ.IsInteger():
		known.bounds = b.armBounds(x, y)
	case to.typ == kernel.Code:
		dst.Range, known.entries, known.origin = to.codes.Range, to.known.entries, to.known.origin
	}
	id := b.define(dst, known)
	b.Emit(&kernel.If{
		Cond: cond, Dst: id,
		Then: arms[0].block, ThenVal: x, Else: arms[1].block, ElseVal: y,
	})
	return id
}

// armBounds are the bounds of what is x or y; a NULL has none.
func (b *operations) armBounds(x, y kernel.ValueID) bounds {
	switch {
	case b.isNull(x):
		return b.boundsOf(y)
	case b.isNull(y):
		return b.boundsOf(x)
	}
	return b.boundsOf(x).hull(b.boundsOf(y))
}

// form is how a value is held.
type form struct {
	typ   kernel.Type
	scale int
	dict  kernel.DictID
	codes kernel.Value // of Code: a value with such codes
	known fact
}

func (b *operations) formOf(v kernel.ValueID) form {
	val := b.Func.Values[v]
	return form{typ: val.Type, scale: b.facts[v].scale, dict: val.Dict, codes: val, known: b.facts[v]}
}

// common is the form in which both x and y of SQL type typ can be held.
func (b *operations) common(x, y kernel.ValueID, typ algebra.Type) form {
	fx, fy := b.formOf(x), b.formOf(y)
	switch {
	case b.isNull(x) && b.isNull(y):
		return form{typ: PhysicalType(typ), scale: scaleOf(typ)}
	case b.isNull(x):
		return fy
	case b.isNull(y):
		return fx
	case fx.typ == kernel.Code || fy.typ == kernel.Code:
		if fx.typ == fy.typ && fx.dict == fy.dict {
			return fx
		}
		return form{typ: kernel.Str}
	case fx.typ.IsInteger() && fy.typ.IsInteger() && fx.scale == fy.scale:
		return form{typ: max(fx.typ, fy.typ), scale: fx.scale}
	case fx.typ != fy.typ || fx.scale != fy.scale:
		return form{typ: kernel.Num}
	}
	return fx
}

// convert returns v in a form that common chose.
func (b *operations) convert(v kernel.ValueID, to form) kernel.ValueID {
	switch {
	case b.isNull(v):
		if to.typ == kernel.Code {
			return b.nullCode(to.dict)
		}
		return b.null(to.typ, to.scale)
	case to.typ == kernel.Str:
		return b.Text(v)
	case to.typ == kernel.Num:
		return b.toNum(v, value.NoPos)
	case to.typ.IsInteger():
		return b.toInt(b.rescaled(v, to.scale, value.NoPos), to.typ, value.NoPos)
	}
	return v
}
