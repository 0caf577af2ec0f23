package lower

import (
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// subDates emits the difference of two dates in days.
func (b *operations) subDates(args []kernel.ValueID, pos int) kernel.ValueID {
	args = b.bothFinite(args, pos)
	r := resultBounds(kernel.OpSub, b.boundsOf(args[0]), b.boundsOf(args[1]))
	return b.integer(kernel.Compute{Op: kernel.OpSub, Args: args, Pos: pos}, kernel.I32, 0, r)
}

// bothFinite are dates or timestamps of which one is taken away from the other.
func (b *operations) bothFinite(args []kernel.ValueID, pos int) []kernel.ValueID {
	x, y := args[0], args[1]
	return []kernel.ValueID{b.checked(x, []kernel.ValueID{y}, "", pos), b.checked(y, []kernel.ValueID{x}, "", pos)}
}

// addDays emits a date that is so many days later; infinity stays.
func (b *operations) addDays(args []kernel.ValueID, pos int) kernel.ValueID {
	return b.moved(args, algebra.TDate, func() kernel.ValueID { return b.addToDay(args, pos) })
}

func (b *operations) addToDay(args []kernel.ValueID, pos int) kernel.ValueID {
	r := resultBounds(kernel.OpAdd, b.boundsOf(args[0]), b.boundsOf(args[1]))
	in := kernel.Compute{Op: kernel.OpAdd, Args: args, Pos: pos}
	if r.lo.Cmp(dateBounds.lo) >= 0 && r.hi.Cmp(dateBounds.hi) <= 0 {
		return b.integer(in, kernel.I32, 0, r)
	}
	in.Args = []kernel.ValueID{b.toInt(args[0], kernel.I64, pos), b.toInt(args[1], kernel.I64, pos)}
	sum := b.integer(in, kernel.I64, 0, r)
	return b.compute(kernel.Compute{Op: kernel.OpDateOf, Args: []kernel.ValueID{sum}, Pos: pos}, kernel.Value{Type: kernel.I32}, fact{bounds: dateBounds})
}

// wholeFields are the fields of dates and times that are integers, with their
// bounds; the zero bounds are unknown.
var wholeFields = map[string]bounds{
	"year": {}, "isoyear": {}, "decade": {}, "century": {}, "millennium": {}, "microseconds": {},
	"quarter": int64Bounds(1, 4), "month": int64Bounds(1, 12), "week": int64Bounds(1, 53),
	"day": int64Bounds(1, 31), "doy": int64Bounds(1, 366),
	"dow": int64Bounds(0, 6), "isodow": int64Bounds(1, 7),
	"hour": int64Bounds(0, 23), "minute": int64Bounds(0, 59),
}

// field emits EXTRACT and date_trunc of x, where the first argument of e names a
// field.
func (b *operations) field(e *algebra.Call, x kernel.ValueID) kernel.ValueID {
	c, ok := e.Args[0].(*algebra.Const)
	if !ok {
		panic(unsupported(e.Pos, "%s of a field that is not a constant", e.Func))
	}
	in := kernel.Compute{Args: []kernel.ValueID{x}, Aux: kernel.Aux{Field: c.Val.S}, Pos: e.Pos}
	trunc := func() kernel.ValueID { return b.compute(in, kernel.Value{Type: PhysicalType(e.Typ)}, fact{}) }
	switch {
	case e.Func == algebra.Extract:
		return b.extract(in, x, e.Args[1].Type())
	case e.Typ.Kind == algebra.Interval:
		in.Op = kernel.OpTruncInterval
		return trunc()
	}
	in.Op = kernel.OpTruncTimestamp
	return b.moved(in.Args, e.Typ, trunc)
}

// extract emits a field. That of an infinite date or timestamp is NULL, or an error where it
// were infinite.
func (b *operations) extract(in kernel.Compute, x kernel.ValueID, from algebra.Type) kernel.ValueID {
	if !algebra.CanBeInfinite(from) {
		return b.extractFinite(in, x, from)
	}
	if f, err := value.ParseExtractField(in.Aux.Field, value.TimestampType); err == nil && f.Grows() {
		x = b.checked(x, nil, in.Aux.Field, in.Pos)
		in.Args = []kernel.ValueID{x}
	}
	return b.whereFinite(x, algebra.TNumeric,
		func() kernel.ValueID { return b.extractFinite(in, x, from) },
		func() kernel.ValueID { return b.null(kernel.Num, 0) })
}

// extractFloat emits a field as double precision, in which that of an infinite date or
// timestamp has a place.
func (b *operations) extractFloat(in kernel.Compute, x kernel.ValueID, from algebra.Type) kernel.ValueID {
	return b.whereFinite(x, algebra.TFloat64,
		func() kernel.ValueID { return b.toFloat(b.extractFinite(in, x, from), in.Pos) },
		func() kernel.ValueID { return b.infinityLike(x, kernel.F64) })
}

func (b *operations) extractFinite(in kernel.Compute, x kernel.ValueID, from algebra.Type) kernel.ValueID {
	r, whole := wholeFields[in.Aux.Field]
	t := kernel.I64
	switch from.Kind {
	case algebra.Date:
		in.Op, t = kernel.OpExtractDate, kernel.I32
		if in.Aux.Field == "year" {
			r = b.yearBounds(x)
		}
	case algebra.Timestamp:
		in.Op = kernel.OpExtractTimestamp
	default:
		// The fields of an interval have no bounds but those of its parts.
		in.Op, r = kernel.OpExtractInterval, bounds{}
	}
	if !whole {
		return b.compute(in, kernel.Value{Type: kernel.Num}, fact{})
	}
	return b.compute(in, kernel.Value{Type: t}, fact{bounds: r})
}

// yearBounds are the years of the dates that x can hold.
func (b *operations) yearBounds(x kernel.ValueID) bounds {
	r := b.Func.Values[x].Range
	if !r.Known {
		return bounds{}
	}
	year := func(day int64) int64 {
		y := time.Unix(day*86400, 0).UTC().Year()
		if y <= 0 { // there is no year 0: 1 BC is -1
			y--
		}
		return int64(y)
	}
	return int64Bounds(year(r.Lo), year(r.Hi))
}
