package algebra

import (
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Magnitude bounds finite numbers of double precision: zero aside, they lie between
// 2^Lo and 2^Hi, whatever their sign.
type Magnitude struct{ Lo, Hi int }

// Magnitudes hold proven magnitudes of columns: every value that is not NULL is finite and
// lies in its column's. A column that is absent may hold anything.
type Magnitudes map[ColumnID]Magnitude

// MagnitudeSource is a TableRef.Handle that knows the magnitude of its columns; ok is false
// where one holds what is not finite.
type MagnitudeSource interface {
	Magnitude(ordinal int) (m Magnitude, ok bool)
}

// The bounds of a sum: it has at most 2^62 rows, and its terms are multiples of the last
// bit of the least one.
const (
	sumBits  = 62
	lastBits = 53
)

// Fits reports whether no number of the magnitude is infinite, or zero by being too small,
// where it has been rounded.
func (m Magnitude) Fits() bool { return m.Lo > -1070 && m.Hi < 1020 }

func (m Magnitude) hull(o Magnitude) Magnitude { return Magnitude{min(m.Lo, o.Lo), max(m.Hi, o.Hi)} }

// summed is the magnitude of sums.
func (m Magnitude) summed() Magnitude { return Magnitude{m.Lo - lastBits, m.Hi + sumBits} }

// ColumnMagnitudes are the magnitudes of the columns of a node. Tables are asked for those
// of their columns of double precision, which may have to read them.
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
		for i := range n.Aggs {
			out.aggregate(&n.Aggs[i], in, ranges)
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
		if !c.Type.IsFloat() {
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

func (m Magnitudes) aggregate(a *Agg, in Magnitudes, ranges Ranges) {
	if a.Arg == nil || !a.Column.Type.IsFloat() {
		return
	}
	of, ok := in.Of(a.Arg, ranges)
	switch {
	case !ok:
	case a.Func == Sum:
		m[a.Column.ID] = of.summed()
	case a.Func == Min || a.Func == Max:
		m[a.Column.ID] = of
	}
}

// Of is the magnitude of the values of an expression of a floating type, if there is a
// proof of one: ranges are those of its columns of other types.
func (m Magnitudes) Of(e Expr, ranges Ranges) (of Magnitude, ok bool) {
	if !e.Type().IsFloat() {
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
		return of, e.Typ.Kind == Float64
	case Mul:
		by, ok := m.Of(e.Args[1], ranges)
		return Magnitude{of.Lo + by.Lo - 1, of.Hi + by.Hi}, ok
	case Add, Sub:
		by, ok := m.Of(e.Args[1], ranges)
		sum := of.hull(by)
		return Magnitude{sum.Lo - lastBits, sum.Hi + 1}, ok
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
	if c.Val.Kind != value.Float || math.IsInf(f, 0) || math.IsNaN(f) {
		return Magnitude{}, false
	}
	_, exponent := math.Frexp(f)
	return Magnitude{exponent - 1, exponent}, true
}

// exactMagnitude is that of an exact number before it becomes one of double precision.
func exactMagnitude(e Expr, ranges Ranges) (Magnitude, bool) {
	rng, ok := ranges.Of(e)
	if !ok {
		return Magnitude{}, false
	}
	lo, okLo := rng.Lo.Abs()
	hi, okHi := rng.Hi.Abs()
	if !okLo || !okHi {
		return Magnitude{}, false
	}
	most := maxInt128(lo, hi)
	// A digit behind the point takes less than four bits.
	return Magnitude{-4 * int(e.Type().Scale), 65 + bits.Len64(uint64(most.Hi))}, true
}

// MayRaise reports whether evaluating e can raise an error, as MayRaise does, with what is
// known of numbers of double precision.
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
		if e.Type().Kind == Float64 {
			switch e.Func {
			case Add, Sub, Mul, Neg, Abs, Cast:
				of, ok := m.Of(e, ranges)
				return !ok || !of.Fits()
			}
		}
		return callMayRaise(e, ranges)
	}
	return MayRaise(e, ranges)
}
