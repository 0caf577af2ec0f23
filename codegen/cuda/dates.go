package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// dateFields are the device functions that give fields of a day.
var dateFields = map[value.Field]string{
	value.Year: "year_of", value.Quarter: "quarter_of", value.Month: "month_of", value.Day: "day_of",
	value.Dow: "dow_of", value.Isodow: "isodow_of", value.Doy: "doy_of",
}

// timeFields are expressions of the microseconds of a day.
var timeFields = map[value.Field]string{
	value.Microseconds: "%s %% 60000000", value.Minute: "%s / 60000000 %% 60", value.Hour: "%s / 3600000000",
}

// dateUnits are the device functions that give the first day of a unit of time.
var dateUnits = map[value.Field]string{
	value.Year: "year_begin", value.Quarter: "quarter_begin", value.Month: "month_begin", value.Week: "week_begin", value.Day: "day_begin",
}

// timeUnits are the microseconds of units of time.
var timeUnits = map[value.Field]int64{
	value.Milliseconds: 1000, value.Second: 1_000_000, value.Minute: 60_000_000, value.Hour: 3_600_000_000,
}

func (e *computing) extractDate(in *kernel.Compute) {
	e.include("dates.cuh")
	field, err := value.ParseExtractField(in.Aux.Field, value.DateType)
	f, ok := dateFields[field]
	if err != nil || !ok {
		e.refuse("there is no device code for extract(%s) from dates", in.Aux.Field)
		return
	}
	e.each(in, "%s(%s)", f, e.At(in.Args[0]))
}

func (e *computing) extractTimestamp(in *kernel.Compute) {
	e.include("dates.cuh")
	a := e.At(in.Args[0])
	field, err := value.ParseExtractField(in.Aux.Field, value.TimestampType)
	if e.f.Values[in.Dst].Type == kernel.Num {
		e.extractNum(in, field, err)
		return
	}
	if f, ok := dateFields[field]; ok && err == nil {
		e.each(in, "%s(day_of_micros(%s))", f, a)
		return
	}
	if format, ok := timeFields[field]; ok && err == nil {
		e.each(in, "%s", fmt.Sprintf(format, "micros_of_day("+a+")"))
		return
	}
	e.refuse("there is no device code for extract(%s) from timestamps", in.Aux.Field)
}

func (e *computing) truncTimestamp(in *kernel.Compute) {
	e.include("dates.cuh")
	a := e.At(in.Args[0])
	field, err := value.ParseTruncField(in.Aux.Field, value.TimestampType)
	if unit, ok := timeUnits[field]; ok && err == nil {
		e.each(in, "sub(%s, micros_of_day(%s) %% %d)", a, a, unit)
		return
	}
	f, ok := dateUnits[field]
	if err != nil || !ok {
		e.refuse("there is no device code for date_trunc by %s", in.Aux.Field)
		return
	}
	day := fmt.Sprintf("%s(day_of_micros(%s))", f, a)
	e.each(in, "midnight(%s)", day)
	e.raiseWhere(in, ErrTimestampRange, fmt.Sprintf("!has_midnight(%s)", day))
}

func (e *computing) notInfinite(in *kernel.Compute) {
	x, greatest := e.At(in.Args[0]), "2147483647"
	if e.f.Values[in.Dst].Type == kernel.I64 {
		greatest = "9223372036854775807ll"
	}
	infinite := fmt.Sprintf("%s == %s || %[1]s == -%[2]s - 1", x, greatest)
	e.each(in, "(%s ? 0 : %s)", infinite, x) // what is computed of a row that raises an error stays in range
	e.raiseWhere(in, ErrInfinite, infinite)
}

func (e *computing) dateOf(in *kernel.Compute) {
	days := e.At(in.Args[0])
	e.each(in, "(i32)%s", days)
	e.raiseWhere(in, ErrDateRange, fmt.Sprintf("%s < %d || %s > %d", days, value.MinDate, days, value.MaxDate))
}

func (e *computing) dateToTimestamp(in *kernel.Compute) {
	e.include("dates.cuh")
	e.each(in, "midnight(%s)", e.At(in.Args[0]))
	e.raiseWhere(in, ErrDateRange, fmt.Sprintf("!has_midnight(%s)", e.At(in.Args[0])))
}

func (e *computing) timestampToDate(in *kernel.Compute) {
	e.include("dates.cuh")
	e.each(in, "(i32)day_of_micros(%s)", e.At(in.Args[0]))
}

// numFields are expressions of the microseconds of a timestamp and of its day, with
// the scale that they have.
var numFields = map[value.Field]string{
	value.Milliseconds: "Num{micros_of_day(%s) %% 60000000, 3}", value.Second: "Num{micros_of_day(%s) %% 60000000, 6}", value.Epoch: "Num{%s, 6}",
}

// extractNum extracts fields that have a fraction.
func (e *computing) extractNum(in *kernel.Compute, field value.Field, err error) {
	format, ok := numFields[field]
	if err != nil || !ok {
		e.refuse("there is no device code for extract(%s) from timestamps", in.Aux.Field)
		return
	}
	e.each(in, "%s", fmt.Sprintf(format, e.At(in.Args[0])))
}

// intervalArithmetic writes add … abs on intervals.
func (e *computing) intervalArithmetic(op string, in *kernel.Compute) {
	args := e.argsAt(in)
	switch op {
	case "add", "sub":
	case "neg":
		op, args = "sub", "Interval{}, "+args
	default:
		e.refuse("there is no device code for %s of type %s", op, kernel.Interval)
		return
	}
	e.check(in, ErrIntervalRange, fmt.Sprintf("%s_overflows(%s, %s[r])", op, args, e.name(in.Dst)))
}

func (e *computing) addInterval(in *kernel.Compute) {
	e.check(in, ErrTimestampRange, fmt.Sprintf("moved_overflows(%s, %s[r])", e.argsAt(in), e.name(in.Dst)))
}

// subInterval adds the negative, which must exist.
func (e *computing) subInterval(in *kernel.Compute) {
	back, bad := e.Temp("back"), e.Temp("bad")
	e.Line("Interval %s[R];", back)
	e.Line("u32 %s = 0;", bad)
	e.Line("ROWS set(%s, r, sub_overflows(Interval{}, %s, %s[r]));", bad, e.At(in.Args[1]), back)
	e.raise(e.without(bad+" & active", in.Args), ErrIntervalRange, in)
	e.check(in, ErrTimestampRange, fmt.Sprintf("moved_overflows(%s, %s[r], %s[r])", e.At(in.Args[0]), back, e.name(in.Dst)))
}

func (e *computing) subTimes(in *kernel.Compute) {
	e.check(in, ErrIntervalRange, fmt.Sprintf("between_overflows(%s, %s[r])", e.argsAt(in), e.name(in.Dst)))
}

// scaleInterval multiplies an interval by double precision, or divides it.
func (e *computing) scaleInterval(in *kernel.Compute) {
	by, divides := e.At(in.Args[1]), in.Op == kernel.OpDivInterval
	if divides {
		e.raiseWhere(in, ErrDivisionByZero, by+" == 0")
		by = fmt.Sprintf("(%s == 0 ? 1 : %[1]s)", by)
	}
	e.check(in, ErrIntervalRange, fmt.Sprintf("scale_overflows(%s, %s, %t, %s[r])", e.At(in.Args[0]), by, divides, e.name(in.Dst)))
}
