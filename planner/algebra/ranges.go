package algebra

import (
	"math"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Range is a closed interval of integers. For a decimal the integers are
// unscaled values of its type, for a date days, for a timestamp microseconds.
type Range struct {
	Lo, Hi value.Int128
}

// Ranges holds proven ranges of columns: every value that is not NULL lies in
// its column's range. A column that is absent may hold whatever its type can.
type Ranges map[ColumnID]Range

// Of returns the proven range of the values of e that are not NULL; ok is false
// for types that are not integers of some scale.
func (r Ranges) Of(e Expr) (rng Range, ok bool) {
	limit, ok := TypeRange(e.Type())
	if !ok {
		return Range{}, false
	}
	rng, ok = r.raw(e)
	if !ok {
		return limit, true
	}
	// What lies outside the type is an error and not a value.
	return rng.intersect(limit), true
}

// CanOverflow reports whether computing the call's result from its arguments can
// give an integer that its type cannot hold. It is false where the ranges
// prove that it cannot.
func (r Ranges) CanOverflow(e *Call) bool {
	limit, ok := TypeRange(e.Typ)
	if !ok {
		return true
	}
	rng, ok := r.raw(e)
	return !ok || !limit.Contains(rng)
}

// Contains reports whether s lies in r.
func (r Range) Contains(s Range) bool {
	return r.Lo.Cmp(s.Lo) <= 0 && s.Hi.Cmp(r.Hi) <= 0
}

// intersect is what r and s have in common, or r where that is nothing: no
// value is then possible, and any range is right.
func (r Range) intersect(s Range) Range {
	out := Range{Lo: maxInt128(r.Lo, s.Lo), Hi: minInt128(r.Hi, s.Hi)}
	if out.Hi.Less(out.Lo) {
		return r
	}
	return out
}

// hull is the smallest range that holds r and s.
func (r Range) hull(s Range) Range {
	return Range{Lo: minInt128(r.Lo, s.Lo), Hi: maxInt128(r.Hi, s.Hi)}
}

func maxInt128(a, b value.Int128) value.Int128 {
	if a.Less(b) {
		return b
	}
	return a
}

func minInt128(a, b value.Int128) value.Int128 {
	if b.Less(a) {
		return b
	}
	return a
}

// RangeOf64 is the range between two 64-bit integers.
func RangeOf64(lo, hi int64) Range { return Range{value.Int128Of(lo), value.Int128Of(hi)} }

// TypeRange is the range of all values of a type.
func TypeRange(t Type) (Range, bool) {
	switch t.Kind {
	case Int16:
		return RangeOf64(math.MinInt16, math.MaxInt16), true
	case Int32:
		return RangeOf64(math.MinInt32, math.MaxInt32), true
	case Int64, Timestamp, TimestampTZ:
		return RangeOf64(math.MinInt64, math.MaxInt64), true
	case Date:
		return RangeOf64(value.MinusInfinityDate, value.InfinityDate), true
	case Time:
		return RangeOf64(0, value.MaxTime), true
	case Enum:
		return RangeOf64(0, int64(len(t.Enum.Labels))-1), true
	case Decimal:
		hi := value.Pow10(int(t.Precision)).SubWrap(value.Int128Of(1))
		lo, _ := hi.Neg()
		return Range{lo, hi}, true
	}
	return Range{}, false
}

// Finite reports whether a date or timestamp is proven to be a day or a moment.
func (r Ranges) Finite(e Expr) bool {
	if c, ok := e.(*Const); ok && c.Val.Kind == value.Null {
		return true
	}
	rng, ok := r.raw(e)
	return ok && RangeOf64(FiniteBounds(e.Type())).Contains(rng)
}

// raw computes a range without regard to the limits of the type itself.
func (r Ranges) raw(e Expr) (Range, bool) {
	switch e := e.(type) {
	case *Const:
		return constRange(e)
	case *ColumnRef:
		rng, ok := r[e.Column.ID]
		return rng, ok
	case *Call:
		return r.call(e)
	case *Case:
		return r.caseRange(e)
	}
	return Range{}, false
}

func constRange(c *Const) (Range, bool) {
	switch c.Val.Kind {
	case value.Int:
		return RangeOf64(c.Val.I, c.Val.I), true
	case value.Decimal:
		return Range{c.Val.Num.Coef, c.Val.Num.Coef}, true
	}
	return Range{}, false
}

func (r Ranges) caseRange(e *Case) (Range, bool) {
	var out Range
	found := false
	add := func(branch Expr) bool {
		if c, ok := branch.(*Const); ok && c.Val.Kind == value.Null {
			return true
		}
		rng, ok := r.Of(branch)
		if !ok {
			return false
		}
		if found {
			rng = out.hull(rng)
		}
		out, found = rng, true
		return true
	}
	for _, when := range e.Whens {
		if !add(when.Then) {
			return Range{}, false
		}
	}
	if e.Else != nil && !add(e.Else) {
		return Range{}, false
	}
	return out, found
}

func (r Ranges) call(e *Call) (Range, bool) {
	switch e.Func {
	case Length, Position:
		return RangeOf64(0, math.MaxInt32), true
	case Sign:
		return RangeOf64(-1, 1), true
	case Add, Sub, Mul, Div, Mod, AddDays, SubDates:
		return r.binary(e)
	case Neg, Abs, Cast, Round, Trunc, Floor, Ceil:
		return r.unary(e)
	}
	return Range{}, false
}

func (r Ranges) binary(e *Call) (Range, bool) {
	a, okA := r.Of(e.Args[0])
	b, okB := r.Of(e.Args[1])
	if !okA || !okB {
		return Range{}, false
	}
	scaleA, scaleB := int(e.Args[0].Type().Scale), int(e.Args[1].Type().Scale)
	switch e.Func {
	case Mul:
		return a.corners(b, value.Int128.Mul)
	case Div:
		if !e.Typ.IsInteger() || b.Lo.Sign() <= 0 && b.Hi.Sign() >= 0 {
			return Range{}, false
		}
		return a.corners(b, func(x, y value.Int128) (value.Int128, bool) {
			q, _, ok := x.QuoRem(y)
			return q, ok
		})
	}
	scale := max(scaleA, scaleB)
	a, okA = a.rescale(scale - scaleA)
	b, okB = b.rescale(scale - scaleB)
	if !okA || !okB {
		return Range{}, false
	}
	switch e.Func {
	case Mod:
		return a.remainder(b)
	case Sub, SubDates:
		lo, okLo := a.Lo.Sub(b.Hi)
		hi, okHi := a.Hi.Sub(b.Lo)
		return Range{lo, hi}, okLo && okHi
	}
	lo, okLo := a.Lo.Add(b.Lo)
	hi, okHi := a.Hi.Add(b.Hi)
	sum := Range{lo, hi}
	if e.Func == AddDays && !RangeOf64(FiniteBounds(TDate)).Contains(a) {
		sum = sum.hull(a) // infinity stays
	}
	return sum, okLo && okHi
}

// corners is the range of a function that is monotonic in each argument: its
// extremes are at the corners.
func (r Range) corners(s Range, f func(x, y value.Int128) (value.Int128, bool)) (Range, bool) {
	var out Range
	for i, pair := range [][2]value.Int128{{r.Lo, s.Lo}, {r.Lo, s.Hi}, {r.Hi, s.Lo}, {r.Hi, s.Hi}} {
		v, ok := f(pair[0], pair[1])
		if !ok {
			return Range{}, false
		}
		if i == 0 {
			out = Range{v, v}
		}
		out = out.hull(Range{v, v})
	}
	return out, true
}

// rescale multiplies by 10^k, or divides, allowing for either rounding.
func (r Range) rescale(k int) (Range, bool) {
	if k == 0 {
		return r, true
	}
	lo, okLo := r.Lo.Rescale(k)
	hi, okHi := r.Hi.Rescale(k)
	if k < 0 && okLo && okHi {
		lo, okLo = lo.Sub(value.Int128Of(1))
		hi, okHi = hi.Add(value.Int128Of(1))
	}
	return Range{lo, hi}, okLo && okHi
}

// remainder is the range of x % y: smaller in size than y, no larger than x,
// and of x's sign.
func (r Range) remainder(s Range) (Range, bool) {
	lo, okLo := s.Lo.Abs()
	hi, okHi := s.Hi.Abs()
	if !okLo || !okHi {
		return Range{}, false
	}
	size := maxInt128(lo, hi).SubWrap(value.Int128Of(1))
	if size.Sign() < 0 {
		size = value.Int128{}
	}
	zero := value.Int128{}
	least, _ := size.Neg()
	return Range{Lo: maxInt128(least, minInt128(r.Lo, zero)), Hi: minInt128(size, maxInt128(r.Hi, zero))}, true
}

func (r Ranges) unary(e *Call) (Range, bool) {
	a, ok := r.Of(e.Args[0])
	if !ok {
		return Range{}, false
	}
	switch e.Func {
	case Neg:
		return a.negate()
	case Abs:
		return a.abs()
	case Cast:
		return castRange(a, e.Args[0].Type(), e.Typ)
	}
	return a.rescale(int(e.Typ.Scale) - int(e.Args[0].Type().Scale))
}

func (r Range) negate() (Range, bool) {
	lo, okLo := r.Hi.Neg()
	hi, okHi := r.Lo.Neg()
	return Range{lo, hi}, okLo && okHi
}

func (r Range) abs() (Range, bool) {
	neg, ok := r.negate()
	if !ok {
		return Range{}, false
	}
	switch {
	case r.Lo.Sign() >= 0:
		return r, true
	case r.Hi.Sign() <= 0:
		return neg, true
	}
	return Range{Hi: maxInt128(r.Hi, neg.Hi)}, true
}

// castRange is the range after a cast between integers, decimals and what is the same
// number.
func castRange(r Range, from, to Type) (Range, bool) {
	exact := func(t Type) bool { return t.IsInteger() || t.Kind == Decimal }
	if from.Kind == to.Kind && from.Kind != Decimal || SameNumber(from.Kind, to.Kind) {
		return r, true
	}
	if !exact(from) || !exact(to) {
		return Range{}, false
	}
	return r.rescale(int(to.Scale) - int(from.Scale))
}
