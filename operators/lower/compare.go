package lower

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Compare emits a comparison of two values of comparable SQL types.
func (b *operations) Compare(op kernel.Op, x, y kernel.ValueID) kernel.ValueID {
	x, y = b.comparable(op, x, y)
	return b.op(op, kernel.Bool, value.NoPos, x, y)
}

// comparable returns x and y in one type: codes as they are where the question
// is whether they are equal, as ranks within one dictionary otherwise, and as
// text where the dictionaries differ.
func (b *operations) comparable(op kernel.Op, x, y kernel.ValueID) (kernel.ValueID, kernel.ValueID) {
	vx, vy := b.Func.Values[x], b.Func.Values[y]
	switch {
	case vx.Type == kernel.Code && vy.Type == kernel.Code && vx.Dict == vy.Dict:
		if op == kernel.OpEq || op == kernel.OpNe || op == kernel.OpDistinct {
			return x, y
		}
		return b.Rank(x), b.Rank(y)
	case vx.Type == kernel.Code || vy.Type == kernel.Code:
		return b.Text(x), b.Text(y)
	case !vx.Type.IsNumber() || vx.Type == kernel.F64:
		return x, y
	}
	return b.comparableNumbers(x, y)
}

func (b *operations) comparableNumbers(x, y kernel.ValueID) (kernel.ValueID, kernel.ValueID) {
	if b.typ(x) == kernel.Num || b.typ(y) == kernel.Num {
		return b.toNum(x, value.NoPos), b.toNum(y, value.NoPos)
	}
	x, y = b.trimmed(x, b.facts[y].scale), b.trimmed(y, b.facts[x].scale)
	scale := max(b.facts[x].scale, b.facts[y].scale)
	x, y = b.rescaled(x, scale, value.NoPos), b.rescaled(y, scale, value.NoPos)
	if t, ok := b.narrowedType(x, y); ok {
		return b.toInt(x, t, value.NoPos), b.toInt(y, t, value.NoPos)
	}
	if t, ok := b.narrowedType(y, x); ok {
		return b.toInt(x, t, value.NoPos), b.toInt(y, t, value.NoPos)
	}
	t := max(b.typ(x), b.typ(y))
	return b.toInt(x, t, value.NoPos), b.toInt(y, t, value.NoPos)
}

// trimmed returns a constant without the digits beyond scale, if they are zeros.
func (b *operations) trimmed(v kernel.ValueID, scale int) kernel.ValueID {
	f := b.facts[v]
	if f.param == nil || f.scale <= scale {
		return v
	}
	if r, ok := b.rescaledParam(f.param, b.typ(v), scale-f.scale, scale); ok {
		return r
	}
	return v
}

// narrowedType is the narrow type that x had before it was widened, or has,
// if the constant y fits it: then a column need not be widened for it.
func (b *operations) narrowedType(x, y kernel.ValueID) (kernel.Type, bool) {
	p := b.facts[y].param
	if p == nil || p.Kind == value.Null {
		return kernel.Invalid, false
	}
	t := b.typ(x)
	if f := b.facts[x]; f.widened {
		t = b.typ(f.narrow)
	}
	c := intCoef(p, b.typ(y)).Big()
	return t, bounds{c, c}.in(t)
}

// membership emits an IN list, the operand and all constants in one type.
func (b *operations) membership(vals []kernel.ValueID) kernel.ValueID {
	switch t := b.typ(vals[0]); {
	case t.IsNumber() && t != kernel.F64:
		b.alignNumbers(vals)
	case t == kernel.Code:
		vals[0] = b.Text(vals[0])
	}
	for i, v := range vals {
		if b.isNull(v) {
			vals[i] = b.null(b.typ(vals[0]), b.facts[vals[0]].scale)
		}
	}
	return b.op(kernel.OpIn, kernel.Bool, value.NoPos, vals...)
}

// alignNumbers converts all values to one type, in place: the first is an operand,
// the others are constants.
func (b *operations) alignNumbers(vals []kernel.ValueID) {
	if b.anyNum(vals) {
		for i, v := range vals {
			vals[i] = b.toNum(v, value.NoPos)
		}
		return
	}
	scale := b.facts[vals[0]].scale
	for i, v := range vals[1:] {
		vals[i+1] = b.trimmed(v, b.facts[vals[0]].scale)
		if !b.isNull(v) {
			scale = max(scale, b.facts[vals[i+1]].scale)
		}
	}
	vals[0] = b.rescaled(vals[0], scale, value.NoPos)
	narrow, widest, fits := kernel.Invalid, b.typ(vals[0]), true
	for i, v := range vals[1:] {
		if b.isNull(v) {
			continue
		}
		vals[i+1] = b.rescaled(v, scale, value.NoPos)
		t, ok := b.narrowedType(vals[0], vals[i+1])
		narrow, fits = t, fits && ok
		widest = max(widest, b.typ(vals[i+1]))
	}
	if fits && narrow != kernel.Invalid {
		widest = narrow
	}
	for i, v := range vals {
		if !b.isNull(v) {
			vals[i] = b.toInt(v, widest, value.NoPos)
		}
	}
}

func (b *operations) anyNum(vals []kernel.ValueID) bool {
	return slices.ContainsFunc(vals, func(v kernel.ValueID) bool { return b.typ(v) == kernel.Num && !b.isNull(v) })
}
