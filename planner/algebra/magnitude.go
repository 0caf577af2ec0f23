package algebra

import (
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Magnitude bounds finite numbers: zero aside, they lie between 2^Lo and 2^Hi, whatever
// their sign. Exact ones have at most Scale digits behind the point.
type Magnitude struct{ Lo, Hi, Scale int }

// Magnitudes hold proven magnitudes of columns of double precision and of numeric: every
// value that is not NULL is finite and lies in its column's. A column that is absent may
// hold anything.
type Magnitudes map[ColumnID]Magnitude

// MagnitudeSource is a TableRef.Handle that knows the magnitude of its columns; ok is false
// where one holds what is not finite.
type MagnitudeSource interface {
	Magnitude(ordinal int) (m Magnitude, ok bool)
}

// lastBits bounds a sum from below: its terms are multiples of the last bit of the least
// one.
const lastBits = 53

// Bits of digits, times a thousand: those of one, rounded up, and those of all that a
// numeric has, rounded down.
const (
	digitMilliBits  = 3322
	digitsMilliBits = 126_230
)

// HasMagnitude reports whether it is magnitudes, and not ranges, that bound numbers of a
// type.
func HasMagnitude(t Type) bool { return t.IsFloat() || t.Kind == Numeric }

// Fits reports whether all numbers of the magnitude are values of double precision or
// numeric: none is infinite, or zero by being too small, where it has been rounded; or
// has more digits than a numeric.
func (m Magnitude) Fits(t Type) bool {
	if t.Kind == Numeric {
		return 1000*m.Hi+digitMilliBits*m.Scale <= digitsMilliBits && m.Scale <= math.MaxUint8
	}
	return m.Lo > -1070 && m.Hi < 1020
}

func (m Magnitude) hull(o Magnitude) Magnitude {
	return Magnitude{min(m.Lo, o.Lo), max(m.Hi, o.Hi), max(m.Scale, o.Scale)}
}

// summed is the magnitude of sums of at most so many rows.
func (m Magnitude) summed(rows int64, bounded bool) Magnitude {
	if !bounded {
		rows = math.MaxInt64
	}
	return Magnitude{m.Lo - lastBits, m.Hi + bits.Len64(uint64(rows)), m.Scale}
}

// NumMagnitude is the magnitude of an exact number.
func NumMagnitude(n value.Num) Magnitude {
	size, ok := n.Coef.Abs()
	hi := bits.Len64(uint64(size.Hi)) + 64
	if size.Hi == 0 {
		hi = bits.Len64(size.Lo)
	}
	if !ok {
		hi = 128
	}
	scale := int(n.Scale)
	return Magnitude{Lo: -4 * scale, Hi: hi - scale*(digitMilliBits-1)/1000, Scale: scale} // a digit takes less than four bits
}

// ColumnMagnitudes are the magnitudes of the columns of a node. Tables are asked for those
// of their columns of double precision and numeric, which may have to read them.
func ColumnMagnitudes(n Node) Magnitudes {
	out := make(Magnitudes)
	switch n := n.(type) {
	case *Scan:
		out.scan(n)
		return out
	case *Project:
		out.items(n.Items, ColumnMagnitudes(n.Input), nil)
		return out
	case *Aggregate:
		in, ranges := ColumnMagnitudes(n.Input), ColumnRanges(n.Input)
		out.items(n.Keys, in, ranges)
		rows, bounded := MaxRows(n.Input)
		for i := range n.Aggs {
			a := &n.Aggs[i]
			of, ok := in.aggregate(a, ranges)
			if ok && a.Func == Sum {
				of = of.summed(rows, bounded)
			}
			if ok {
				out[a.Column.ID] = of
			}
		}
		return out
	case *SetOp:
		return out
	}
	for _, in := range Inputs(n) {
		for id, m := range ColumnMagnitudes(in) {
			out[id] = m
		}
	}
	return out
}

func (m Magnitudes) scan(n *Scan) {
	source, ok := n.Table.Handle.(MagnitudeSource)
	if !ok || !n.Table.Exact {
		return
	}
	for i, c := range n.Cols {
		if !HasMagnitude(c.Type) {
			continue
		}
		if of, ok := source.Magnitude(n.Ordinals[i]); ok {
			m[c.ID] = of
		}
	}
}

func (m Magnitudes) items(items []Item, in Magnitudes, ranges Ranges) {
	for _, item := range items {
		if of, ok := in.Of(item.Expr, ranges); ok {
			m[item.Column.ID] = of
		}
	}
}

// aggregate is the magnitude of an extreme, and of what a sum adds up.
func (m Magnitudes) aggregate(a *Agg, ranges Ranges) (of Magnitude, ok bool) {
	if a.Arg == nil || !HasMagnitude(a.Column.Type) || a.Func != Sum && a.Func != Min && a.Func != Max {
		return of, false
	}
	return m.Of(a.Arg, ranges)
}

// Of is the magnitude of the values of an expression that is a number, if there is a
// proof of one: ranges are those of its columns of other types.
func (m Magnitudes) Of(e Expr, ranges Ranges) (of Magnitude, ok bool) {
	if !HasMagnitude(e.Type()) {
		return exactMagnitude(e, ranges)
	}
	switch e := e.(type) {
	case *Const:
		return constMagnitude(e)
	case *ColumnRef:
		of, ok = m[e.Column.ID]
		return of, ok
	case *Case:
		return m.caseMagnitude(e, ranges)
	case *Call:
		return m.call(e, ranges)
	}
	return Magnitude{}, false
}

func (m Magnitudes) call(e *Call, ranges Ranges) (of Magnitude, ok bool) {
	if len(e.Args) == 0 {
		return Magnitude{}, false
	}
	if of, ok = m.Of(e.Args[0], ranges); !ok {
		return Magnitude{}, false
	}
	switch e.Func {
	case Neg, Abs:
		return of, true
	case Cast:
		return of, e.Typ.Kind == Float64 || e.Typ.Kind == Numeric && !e.Args[0].Type().IsFloat()
	case Mul:
		by, ok := m.Of(e.Args[1], ranges)
		return Magnitude{of.Lo + by.Lo - 1, of.Hi + by.Hi, of.Scale + by.Scale}, ok
	case Add, Sub:
		by, ok := m.Of(e.Args[1], ranges)
		sum := of.hull(by)
		return Magnitude{sum.Lo - lastBits, sum.Hi + 1, sum.Scale}, ok
	}
	return Magnitude{}, false
}

// caseMagnitude is the magnitude of all branches; those of NULL have none.
func (m Magnitudes) caseMagnitude(e *Case, ranges Ranges) (out Magnitude, ok bool) {
	branches := []Expr{e.Else}
	for _, when := range e.Whens {
		branches = append(branches, when.Then)
	}
	for _, branch := range branches {
		if c, constant := branch.(*Const); branch == nil || constant && c.Val.Kind == value.Null {
			continue
		}
		of, found := m.Of(branch, ranges)
		if !found {
			return Magnitude{}, false
		}
		if ok {
			of = out.hull(of)
		}
		out, ok = of, true
	}
	return out, ok
}

func constMagnitude(c *Const) (Magnitude, bool) {
	f := c.Val.F
	switch {
	case c.Val.Kind == value.Decimal:
		return NumMagnitude(c.Val.Num), true
	case c.Val.Kind == value.Int:
		return NumMagnitude(value.NumOf(c.Val.I)), true
	case c.Val.Kind != value.Float || math.IsInf(f, 0) || math.IsNaN(f):
		return Magnitude{}, false
	}
	_, exponent := math.Frexp(f)
	return Magnitude{Lo: exponent - 1, Hi: exponent}, true
}

// exactMagnitude is that of an exact number whose range is known.
func exactMagnitude(e Expr, ranges Ranges) (Magnitude, bool) {
	rng, ok := ranges.Of(e)
	if !ok || !e.Type().IsExact() {
		return Magnitude{}, false
	}
	scale := e.Type().Scale
	return NumMagnitude(value.Num{Coef: rng.Lo, Scale: scale}).hull(NumMagnitude(value.Num{Coef: rng.Hi, Scale: scale})), true
}

// MayRaise reports whether evaluating e can raise an error, as MayRaise does, with what is
// known of magnitudes.
func (m Magnitudes) MayRaise(e Expr, ranges Ranges) bool {
	switch e := e.(type) {
	case *Case:
		for _, when := range e.Whens {
			if m.MayRaise(when.Cond, ranges) || m.MayRaise(when.Then, ranges) {
				return true
			}
		}
		return e.Else != nil && m.MayRaise(e.Else, ranges)
	case *Call:
		for _, arg := range e.Args {
			if m.MayRaise(arg, ranges) {
				return true
			}
		}
		if t := e.Type(); t.Kind == Float64 || t.Kind == Numeric {
			switch e.Func {
			case Add, Sub, Mul, Neg, Abs, Cast:
				of, ok := m.Of(e, ranges)
				return !ok || !of.Fits(t)
			}
		}
		return callMayRaise(e, ranges)
	}
	return MayRaise(e, ranges)
}
