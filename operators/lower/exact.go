package lower

import (
	"math/big"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// maxScale is the most digits after the point that are kept in an integer.
const maxScale = 37

// integer emits an operation on integers whose result lies in r, and checks it
// for overflow where r does not lie in type t.
func (b *operations) integer(c kernel.Compute, t kernel.Type, scale int, r bounds) kernel.ValueID {
	c.Checked = !r.in(t)
	if c.Checked {
		r = bounds{}
	}
	return b.compute(c, kernel.Value{Type: t}, fact{scale: scale, bounds: r})
}

// smallest is the smaller of I64 and I128 that holds r.
func smallest(r bounds) kernel.Type {
	if r.in(kernel.I64) {
		return kernel.I64
	}
	return kernel.I128
}

// toInt returns an integer in another integer type, with the same scale.
func (b *operations) toInt(v kernel.ValueID, t kernel.Type, pos int) kernel.ValueID {
	if b.typ(v) == t {
		return v
	}
	f := b.facts[v]
	if f.param != nil {
		if p, ok := b.intParam(f.param, b.typ(v), t, f.scale); ok {
			return p
		}
	}
	r := b.boundsOf(v)
	checked := !r.in(t)
	out := fact{scale: f.scale, bounds: r, widened: t > b.typ(v), narrow: v}
	if f.widened && b.typ(f.narrow) == t {
		return f.narrow
	}
	if checked {
		out.bounds = bounds{}
	}
	return b.compute(kernel.Compute{
		Op: kernel.OpConvert, Args: []kernel.ValueID{v}, Checked: checked, Pos: pos,
	}, kernel.Value{Type: t}, out)
}

// intParam returns an integer constant in another type, if it fits.
func (b *operations) intParam(val *value.Value, from, to kernel.Type, scale int) (kernel.ValueID, bool) {
	if val.Kind == value.Null {
		return b.null(to, scale), true
	}
	coef := intCoef(val, from)
	if x := coef.Big(); !(bounds{x, x}).in(to) {
		return kernel.NoValue, false
	}
	return b.coefParam(coef, to, scale), true
}

func intCoef(val *value.Value, t kernel.Type) value.Int128 {
	if t == kernel.I128 {
		return val.Num.Coef
	}
	return value.Int128Of(val.I)
}

// coefParam is the parameter for an integer that fits type t.
func (b *operations) coefParam(coef value.Int128, t kernel.Type, scale int) kernel.ValueID {
	if t == kernel.I128 {
		return b.Param(t, scale, value.Value{Kind: value.Decimal, Num: value.Num{Coef: coef}})
	}
	i, _ := coef.Int64()
	return b.Param(t, scale, value.Value{Kind: value.Int, I: i})
}

// rescaled returns an exact number held as an integer at another scale,
// rounding half away from zero where digits are lost.
func (b *operations) rescaled(v kernel.ValueID, scale, pos int) kernel.ValueID {
	n := scale - b.facts[v].scale
	if n == 0 {
		return v
	}
	if p := b.facts[v].param; p != nil {
		if r, ok := b.rescaledParam(p, b.typ(v), n, scale); ok {
			return r
		}
	}
	r := b.boundsOf(v).rescale(n)
	t := smallest(r)
	if n < 0 {
		t = max(b.typ(v), kernel.I64)
	}
	v = b.toInt(v, t, pos)
	v = b.integer(kernel.Compute{
		Op: kernel.OpRescale, Args: []kernel.ValueID{v}, Aux: kernel.Aux{Scale: n}, Pos: pos,
	}, t, scale, r)
	return b.shrunk(v, pos)
}

// shrunk returns a decimal in 64 bits if its bounds fit them.
func (b *operations) shrunk(v kernel.ValueID, pos int) kernel.ValueID {
	if b.typ(v) == kernel.I128 && b.boundsOf(v).in(kernel.I64) {
		return b.toInt(v, kernel.I64, pos)
	}
	return v
}

// rescaledParam rescales a constant where that loses nothing.
func (b *operations) rescaledParam(val *value.Value, t kernel.Type, n, scale int) (kernel.ValueID, bool) {
	if val.Kind == value.Null {
		return b.null(max(t, kernel.I64), scale), true
	}
	x := intCoef(val, t).Big()
	if n > 0 {
		x.Mul(x, pow10(n))
	} else {
		rest := new(big.Int)
		x.QuoRem(x, pow10(-n), rest)
		if rest.Sign() != 0 {
			return kernel.NoValue, false
		}
	}
	if !(bounds{x, x}).in(kernel.I128) {
		return kernel.NoValue, false
	}
	lo := new(big.Int).And(x, new(big.Int).SetUint64(1<<64-1))
	hi := new(big.Int).Rsh(x, 64)
	return b.exactParam(value.Int128{Lo: lo.Uint64(), Hi: hi.Int64()}, scale), true
}

// toNum returns an exact number with a scale per value.
func (b *operations) toNum(v kernel.ValueID, pos int) kernel.ValueID {
	t := b.typ(v)
	if t == kernel.Num {
		return v
	}
	f := b.facts[v]
	if f.param != nil && t.IsInteger() {
		if f.param.Kind == value.Null {
			return b.null(kernel.Num, 0)
		}
		num := value.Num{Coef: intCoef(f.param, t), Scale: uint8(f.scale)}
		return b.Param(kernel.Num, 0, value.Value{Kind: value.Decimal, Num: num})
	}
	return b.compute(kernel.Compute{
		Op: kernel.OpConvert, Args: []kernel.ValueID{v}, Aux: kernel.Aux{Scale: f.scale}, Pos: pos,
	}, kernel.Value{Type: kernel.Num}, fact{})
}

// fromInexact returns a Num or F64 as an integer of a scale, rounding.
func (b *operations) fromInexact(v kernel.ValueID, t kernel.Type, scale, pos int) kernel.ValueID {
	return b.compute(kernel.Compute{
		Op: kernel.OpConvert, Args: []kernel.ValueID{v}, Aux: kernel.Aux{Scale: scale}, Checked: true, Pos: pos,
	}, kernel.Value{Type: t}, fact{scale: scale})
}

// toFloat returns a number as F64.
func (b *operations) toFloat(v kernel.ValueID, pos int) kernel.ValueID {
	if b.typ(v) == kernel.F64 {
		return v
	}
	return b.compute(kernel.Compute{
		Op: kernel.OpConvert, Args: []kernel.ValueID{v}, Aux: kernel.Aux{Scale: b.facts[v].scale}, Pos: pos,
	}, kernel.Value{Type: kernel.F64}, fact{})
}

// typed returns an exact number at the scale that an SQL type asks for; numeric
// without one takes any.
func (b *operations) typed(v kernel.ValueID, t algebra.Type, pos int) kernel.ValueID {
	if t.Kind != algebra.Decimal {
		return v
	}
	if b.typ(v) == kernel.Num {
		return b.fromInexact(v, PhysicalType(t), int(t.Scale), pos)
	}
	return b.rescaled(v, int(t.Scale), pos)
}

// exactParam is the parameter for coef·10^-scale, in 64 bits where it fits.
func (b *operations) exactParam(coef value.Int128, scale int) kernel.ValueID {
	if i, ok := coef.Int64(); ok {
		return b.Param(kernel.I64, scale, value.Value{Kind: value.Int, I: i})
	}
	return b.Param(kernel.I128, scale, value.Value{Kind: value.Decimal, Num: value.Num{Coef: coef}})
}
