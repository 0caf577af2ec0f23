package eval

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// fieldType is the name by which package value knows the type of a date,
// timestamp or interval.
func fieldType(t algebra.Type) string {
	if t.Kind == algebra.Timestamp {
		return "timestamp without time zone"
	}
	return t.String()
}

func extract(_ *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	typ := e.Args[1].Type()
	f, err := value.ParseExtractField(args[0].S, fieldType(typ))
	if err != nil {
		return value.Value{}, err
	}
	if !isFinite(args[1], typ) {
		return value.Value{}, value.CheckExtracted(f)
	}
	switch typ.Kind {
	case algebra.Date:
		return number(value.NumOf(value.ExtractDate(f, int32(args[1].I)))), nil
	case algebra.Timestamp:
		return number(value.ExtractTimestampNum(f, args[1].I)), nil
	}
	return number(value.ExtractInterval(f, args[1].Interval)), nil
}

// isFinite reports whether a value is no infinite date or timestamp.
func isFinite(v value.Value, typ algebra.Type) bool {
	least, greatest := algebra.FiniteBounds(typ)
	return !algebra.CanBeInfinite(typ) || v.I >= least && v.I <= greatest
}

func dateTrunc(_ *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	typ := e.Args[1].Type()
	f, err := value.ParseTruncField(args[0].S, fieldType(typ))
	if err != nil {
		return value.Value{}, err
	}
	if typ.Kind == algebra.Interval {
		return spans(value.TruncInterval(f, args[1].Interval)), nil
	}
	micros, err := value.TruncTimestamp(f, args[1].I)
	return integer(micros), err
}

func addDays(_ *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	days, err := value.AddDays(int32(args[0].I), args[1].I)
	return integer(int64(days)), err
}

func subDates(_ *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	days, err := value.SubDates(int32(args[0].I), int32(args[1].I))
	if err != nil {
		return value.Value{}, err
	}
	return checkedInt(days, e.Typ)
}

// addInterval computes AddInterval and SubInterval.
func addInterval(_ *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	add := e.Func == algebra.AddInterval
	if args[0].Kind == value.Intervals {
		f := value.Interval.Sub
		if add {
			f = value.Interval.Add
		}
		sum, err := f(args[0].Interval, args[1].Interval)
		return spans(sum), err
	}
	f := value.SubInterval
	if add {
		f = value.AddInterval
	}
	micros, err := f(args[0].I, args[1].Interval)
	return integer(micros), err
}

func subTimes(_ *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	diff, err := value.SubTimes(args[0].I, args[1].I)
	return spans(diff), err
}

// scaleInterval computes MulInterval and DivInterval.
func scaleInterval(_ *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	f := value.Interval.Mul
	if e.Func == algebra.DivInterval {
		f = value.Interval.Div
	}
	i, err := f(args[0].Interval, args[1].F)
	return spans(i), err
}

func toChar(m *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	if !isFinite(args[0], e.Args[0].Type()) {
		return value.Value{}, nil
	}
	s, err := value.ToChar(m, args[0].I, args[1].S)
	return textual(s), err
}

func toDate(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	days, err := value.ToDate(m, args[0].S, args[1].S)
	return integer(int64(days)), err
}

func age(_ *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	iv, err := value.Age(args[0].I, args[1].I)
	return spans(iv), err
}
