package lower

import (
	"math/big"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// dividedByConstant returns the quotient of exact numerics that Floor, Ceil or Trunc is of; ok is
// false where it is of anything else.
func dividedByConstant(e *algebra.Call) (div *algebra.Call, ok bool) {
	div, ok = e.Args[0].(*algebra.Call)
	if !ok || len(e.Args) > 1 || div.Func != algebra.Div || div.Typ.Kind != algebra.Numeric {
		return nil, false
	}
	_, ok = div.Args[1].(*algebra.Const)
	return div, ok
}

// wholeQuotient emits Floor, Ceil or Trunc of the quotient of x by a constant as a division of
// integers; ok is false where that may give something else. PostgreSQL rounds the quotient before,
// which changes nothing where bounds prove that no other integer is as near.
func (b *operations) wholeQuotient(f algebra.Func, x, y kernel.ValueID, pos int) (v kernel.ValueID, ok bool) {
	if !b.typ(x).IsInteger() || b.typ(y) != kernel.I64 || b.isNull(y) {
		return kernel.NoValue, false
	}
	scale := max(b.facts[x].scale, b.facts[y].scale)
	if !b.boundsOf(x).rescale(scale-b.facts[x].scale).in(kernel.I64) || !b.boundsOf(y).rescale(scale-b.facts[y].scale).in(kernel.I64) ||
		!b.roundsAlike(x, y) {
		return kernel.NoValue, false
	}
	x = b.toInt(b.rescaled(x, scale, pos), kernel.I64, pos)
	y = b.toInt(b.rescaled(y, scale, pos), kernel.I64, pos)
	r := b.boundsOf(x).quoBy(leastOfSize(b.facts[y].param.I))
	quo := b.integer(kernel.Compute{Op: kernel.OpDiv, Args: []kernel.ValueID{x, y}, Pos: pos}, kernel.I64, 0, r)
	return b.awayFromZero(f, quo, x, y, pos), true
}

// awayFromZero returns the quotient of x by y > 0, cut toward zero, as Floor or Ceil has it: one
// further where there is a remainder of the sign in question.
func (b *operations) awayFromZero(f algebra.Func, quo, x, y kernel.ValueID, pos int) kernel.ValueID {
	r := b.boundsOf(x)
	var op, beyond kernel.Op
	switch {
	case f == algebra.Floor && r.lo.Sign() < 0:
		op, beyond = kernel.OpSub, kernel.OpLt
	case f == algebra.Ceil && r.hi.Sign() > 0:
		op, beyond = kernel.OpAdd, kernel.OpGt
	default:
		return quo
	}
	rest := b.integer(kernel.Compute{Op: kernel.OpMod, Args: []kernel.ValueID{x, y}, Pos: pos}, kernel.I64, 0, r.mod(b.boundsOf(y)))
	one := b.compute(kernel.Compute{
		Op: kernel.OpConvert, Args: []kernel.ValueID{b.op(beyond, kernel.Bool, pos, rest, b.Integer(0))}, Pos: pos,
	}, kernel.Value{Type: kernel.I32}, fact{bounds: int64Bounds(0, 1)})
	return b.integer(kernel.Compute{
		Op: op, Args: []kernel.ValueID{quo, b.toInt(one, kernel.I64, pos)}, Pos: pos,
	}, kernel.I64, 0, resultBounds(op, b.boundsOf(quo), int64Bounds(0, 1)))
}

// roundsAlike reports whether y, a constant, is positive, and x/y rounded as PostgreSQL does lies
// between the same integers as x/y itself. With x/y = n/d for integers n and d, the distance from an
// integer, if any, is at least 1/d; rounding to s digits changes less where d < 2·10^s.
func (b *operations) roundsAlike(x, y kernel.ValueID) bool {
	divisor := b.facts[y].param.I
	coef, ok := value.Int128FromBig(b.boundsOf(x).abs().hi)
	if divisor <= 0 || !ok {
		return false
	}
	largest := value.Num{Coef: coef, Scale: uint8(b.facts[x].scale)}
	least := value.Num{Coef: value.Int128Of(leastOfSize(divisor)), Scale: uint8(b.facts[y].scale)}
	d := new(big.Int).Mul(b.boundsOf(y).hi, pow10(max(b.facts[x].scale-b.facts[y].scale, 0)))
	digits := value.QuotientScale(largest, least)
	return d.Cmp(new(big.Int).Mul(big.NewInt(2), pow10(digits))) < 0
}

// leastOfSize is the least constant that may take the place of x > 0: see paramBounds.
func leastOfSize(x int64) int64 { return 1 << (bits.Len64(uint64(x)) - 1) }
