package lower

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Dates and timestamps are infinite where they are the extremes of their physical types.
// What that means is asked of rows only where bounds do not prove all values finite.

// The bounds of dates that are days and of timestamps that are moments.
var (
	dateBounds      = int64Bounds(value.MinDate, value.MaxDate)
	timestampBounds = int64Bounds(value.MinTimestamp, value.MaxTimestamp)
)

// finiteBounds are the bounds of the finite dates or timestamps that a type holds.
func finiteBounds(t kernel.Type) bounds {
	if t == kernel.I32 {
		return dateBounds
	}
	return timestampBounds
}

// finite reports whether a date or timestamp is proven to be finite or NULL.
func (b *operations) finite(x kernel.ValueID) bool {
	limit, r := finiteBounds(b.typ(x)), b.boundsOf(x)
	return b.isNull(x) || b.facts[x].finite || r.lo.Cmp(limit.lo) >= 0 && r.hi.Cmp(limit.hi) <= 0
}

// isFinite emits whether a date or timestamp is finite.
func (b *operations) isFinite(x kernel.ValueID) kernel.ValueID {
	t := b.typ(x)
	least, greatest := b.infinity(t, false), b.infinity(t, true)
	below := b.op(kernel.OpLt, kernel.Bool, value.NoPos, x, greatest)
	above := b.op(kernel.OpGt, kernel.Bool, value.NoPos, x, least)
	return b.op(kernel.OpAnd, kernel.Bool, value.NoPos, above, below)
}

// infinity is an infinite date, timestamp or number of double precision.
func (b *operations) infinity(t kernel.Type, positive bool) kernel.ValueID {
	x := value.Value{Kind: value.Int, I: value.MinusInfinity}
	switch {
	case t == kernel.F64 && positive:
		x = value.Value{Kind: value.Float, F: math.Inf(1)}
	case t == kernel.F64:
		x = value.Value{Kind: value.Float, F: math.Inf(-1)}
	case t == kernel.I32 && positive:
		x.I = value.InfinityDate
	case t == kernel.I32:
		x.I = value.MinusInfinityDate
	case positive:
		x.I = value.Infinity
	}
	return b.Param(t, 0, x)
}

// whereFinite emits what compute does of a finite date or timestamp x, and what infinite
// gives for others, as a value of SQL type typ.
func (b *operations) whereFinite(x kernel.ValueID, typ algebra.Type, compute, infinite func() kernel.ValueID) kernel.ValueID {
	if b.finite(x) {
		return compute()
	}
	return b.choose(b.isFinite(x), typ, compute, infinite)
}

// moved emits a date or timestamp that is computed of a finite one and other arguments, and
// the infinity of the same sign of others.
func (b *operations) moved(args []kernel.ValueID, typ algebra.Type, compute func() kernel.ValueID) kernel.ValueID {
	x := args[0]
	finite := func() kernel.ValueID {
		v := compute()
		b.facts[v].finite = true
		return v
	}
	return b.whereFinite(x, typ, finite, func() kernel.ValueID {
		if to := PhysicalType(typ); to != b.typ(x) {
			return b.infinityLike(x, to)
		}
		return b.whereGiven(args[1:], x)
	})
}

// whereGiven emits x, and NULL where one of other values is.
func (b *operations) whereGiven(others []kernel.ValueID, x kernel.ValueID) kernel.ValueID {
	for _, other := range others {
		if b.Func.Values[other].Nullable {
			missing := b.op(kernel.OpIsNull, kernel.Bool, value.NoPos, other)
			given := x
			x = b.choose(missing, algebra.TNumeric, func() kernel.ValueID { return b.null(b.typ(given), 0) }, func() kernel.ValueID { return given })
		}
	}
	return x
}

// infinityLike emits the infinity of a type that has the sign of x, which is infinite or
// NULL.
func (b *operations) infinityLike(x kernel.ValueID, t kernel.Type) kernel.ValueID {
	zero := b.Param(b.typ(x), 0, value.Value{Kind: value.Int})
	typ := algebra.TNumeric // which says nothing where an arm is not NULL
	negative := func() kernel.ValueID { return b.infinity(t, false) }
	return b.choose(b.op(kernel.OpGt, kernel.Bool, value.NoPos, x, zero), typ,
		func() kernel.ValueID { return b.infinity(t, true) },
		func() kernel.ValueID {
			if !b.Func.Values[x].Nullable {
				return negative()
			}
			below := b.op(kernel.OpLt, kernel.Bool, value.NoPos, x, zero)
			return b.choose(below, typ, negative, func() kernel.ValueID { return b.null(t, 0) })
		})
}

// checked emits a date or timestamp that raises an error where it is infinite, which is that
// of taking one away, or of a field of it. Where another argument is NULL it raises none.
func (b *operations) checked(x kernel.ValueID, others []kernel.ValueID, field string, pos int) kernel.ValueID {
	if b.finite(x) {
		return x
	}
	args := []kernel.ValueID{x}
	for _, other := range others {
		if b.Func.Values[other].Nullable {
			args = append(args, other)
		}
	}
	return b.compute(kernel.Compute{
		Op: kernel.OpFinite, Args: args, Aux: kernel.Aux{Field: field}, Pos: pos,
	}, kernel.Value{Type: b.typ(x)}, fact{bounds: finiteBounds(b.typ(x))})
}
