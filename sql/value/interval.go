package value

import (
	"math"
	"strconv"
	"strings"
)

func errIntervalRange() error { return Errorf(CodeDatetimeOverflow, "interval out of range") }

// Neg is -iv.
func (iv Interval) Neg() (Interval, error) { return Interval{}.Sub(iv) }

// Add adds field by field.
func (iv Interval) Add(other Interval) (Interval, error) {
	months := int64(iv.Months) + int64(other.Months)
	days := int64(iv.Days) + int64(other.Days)
	micros, ok := Int128Of(iv.Micros).AddWrap(Int128Of(other.Micros)).Int64()
	return makeInterval(months, days, micros, ok)
}

// Sub subtracts field by field.
func (iv Interval) Sub(other Interval) (Interval, error) {
	months := int64(iv.Months) - int64(other.Months)
	days := int64(iv.Days) - int64(other.Days)
	micros, ok := Int128Of(iv.Micros).SubWrap(Int128Of(other.Micros)).Int64()
	return makeInterval(months, days, micros, ok)
}

// makeInterval is the interval of fields that fit, if ok.
func makeInterval(months, days, micros int64, ok bool) (Interval, error) {
	if !ok || int64(int32(months)) != months || int64(int32(days)) != days {
		return Interval{}, errIntervalRange()
	}
	return Interval{Months: int32(months), Days: int32(days), Micros: micros}, nil
}

// Mul is iv times a factor; fractions of months become days, of 30 to the
// month, and fractions of days become time.
func (iv Interval) Mul(factor float64) (Interval, error) {
	return iv.scale(func(x float64) float64 { return x * factor })
}

// Div is iv over a divisor, with Mul's treatment of fractions.
func (iv Interval) Div(divisor float64) (Interval, error) {
	if divisor == 0 {
		return Interval{}, errDivisionByZero()
	}
	return iv.scale(func(x float64) float64 { return x / divisor })
}

// scale applies f, a multiplication, to every field, in PostgreSQL's order of
// floating-point steps.
func (iv Interval) scale(f func(float64) float64) (Interval, error) {
	months, days := f(float64(iv.Months)), f(float64(iv.Days))
	if !fitsInt32(months) || !fitsInt32(days) {
		return Interval{}, errIntervalRange()
	}
	wholeMonths, wholeDays := math.Trunc(months), math.Trunc(days)
	moreDays := roundMicros((months - wholeMonths) * daysPerMonth)
	seconds := roundMicros((days - wholeDays + moreDays - math.Trunc(moreDays)) * secondsPerDay)
	resultDays := int64(wholeDays)
	if math.Abs(seconds) >= secondsPerDay {
		over := math.Trunc(seconds / secondsPerDay)
		resultDays += int64(over)
		seconds -= over * secondsPerDay
	}
	resultDays += int64(moreDays)
	micros := math.RoundToEven(f(float64(iv.Micros)) + seconds*microsPerSecond)
	if !fitsInt64(micros) {
		return Interval{}, errIntervalRange()
	}
	return makeInterval(int64(wholeMonths), resultDays, int64(micros), true)
}

// roundMicros rounds seconds to microseconds.
func roundMicros(seconds float64) float64 {
	return math.RoundToEven(seconds*microsPerSecond) / microsPerSecond
}

// span is the length by which intervals compare: 30 days to the month and 24
// hours to the day, in microseconds.
func (iv Interval) span() Int128 {
	days := int64(iv.Months)*daysPerMonth + int64(iv.Days)
	return Mul64(days, microsPerDay).AddWrap(Int128Of(iv.Micros))
}

// Cmp is -1, 0 or 1; one month equals 30 days and one day 24 hours.
func (iv Interval) Cmp(other Interval) int { return iv.span().Cmp(other.span()) }

// Normalize makes equal intervals, in the sense of Cmp, equal structs, fit to
// be keys of a map.
func (iv Interval) Normalize() Interval {
	days := int64(iv.Months)*daysPerMonth + int64(iv.Days) + iv.Micros/microsPerDay
	micros := iv.Micros % microsPerDay
	switch {
	case days > 0 && micros < 0:
		days--
		micros += microsPerDay
	case days < 0 && micros > 0:
		days++
		micros -= microsPerDay
	}
	// What the coarser fields cannot hold stays in the finer ones.
	months := clampInt32(days / daysPerMonth)
	days -= months * daysPerMonth
	kept := clampInt32(days)
	return Interval{
		Months: int32(months),
		Days:   int32(kept),
		Micros: (days-kept)*microsPerDay + micros,
	}
}

func clampInt32(x int64) int64 { return min(max(x, math.MinInt32), math.MaxInt32) }

// AddInterval is timestamp + interval: first the months, to the end of the
// month where it has no such day, then the days, then the time. Infinity stays.
func AddInterval(micros int64, iv Interval) (int64, error) {
	if !IsFiniteTimestamp(micros) {
		return micros, nil
	}
	days, ofDay := splitTimestamp(micros)
	if iv.Months != 0 {
		days = addMonths(days, iv.Months)
		if _, ok := joinTimestamp(days, ofDay); !ok {
			return 0, errTimestampRange()
		}
	}
	days += int64(iv.Days)
	sum, ok := joinTimestamp(days, ofDay)
	if !ok {
		return 0, errTimestampRange()
	}
	sum, ok = timestampOf(Int128Of(sum).AddWrap(Int128Of(iv.Micros)))
	if !ok {
		return 0, errTimestampRange()
	}
	return sum, nil
}

// SubInterval is timestamp - interval. Infinity stays.
func SubInterval(micros int64, iv Interval) (int64, error) {
	if !IsFiniteTimestamp(micros) {
		return micros, nil
	}
	neg, err := iv.Neg()
	if err != nil {
		return 0, err
	}
	return AddInterval(micros, neg)
}

// SubTimes is timestamp - timestamp: days and the time left over, both of one
// sign. It fails with 22008 where one is infinite.
func SubTimes(a, b int64) (Interval, error) {
	for _, micros := range []int64{a, b} {
		if _, err := FiniteTimestamp(micros); err != nil {
			return Interval{}, err
		}
	}
	diff, ok := Int128Of(a).SubWrap(Int128Of(b)).Int64()
	if !ok {
		return Interval{}, errIntervalRange()
	}
	return Interval{Days: int32(diff / microsPerDay), Micros: diff % microsPerDay}, nil
}

// ParseInterval reads an interval in PostgreSQL's spellings and in those of ISO
// 8601. field is the qualifier of an interval literal, such as "day" or "year
// to month", or empty: it gives a bare number its unit and cuts what is finer.
func ParseInterval(s, field string) (Interval, error) {
	field = strings.ToLower(field)
	d := intervalDecoder{qualifier: field}
	status := badFormat
	if tokens, ok := lexDateTime(s); ok {
		status = d.decode(tokens)
	}
	if status == badFormat {
		d = intervalDecoder{qualifier: field}
		status = d.decodeISO(s)
	}
	switch status {
	case decoded:
	case fieldOverflow:
		return Interval{}, Errorf(CodeIntervalOverflow, "interval field value out of range: \"%s\"", s)
	default:
		return Interval{}, decodeError(status, "interval", s)
	}
	iv, err := makeInterval(d.years*monthsPerYear+d.months, d.days, d.micros, true)
	if err != nil {
		return Interval{}, err
	}
	return iv.cut(field)
}

// cut drops what is finer than the last field of a qualifier.
func (iv Interval) cut(qualifier string) (Interval, error) {
	last := qualifier
	if i := strings.LastIndex(qualifier, " to "); i >= 0 {
		last = qualifier[i+len(" to "):]
	}
	switch last {
	case "", "second":
		return iv, nil
	case "year", "month", "day", "hour", "minute":
		return TruncInterval(fieldNames[last], iv), nil
	}
	return Interval{}, Errorf(CodeSyntax, "interval qualifier \"%s\" is not valid", qualifier)
}

// Age is age(a, b): the difference of two timestamps in years, months, days and
// time. The days of a month that is not whole are those of the month that the
// earlier one is in. As in PostgreSQL infinity is as old as its number says, and -infinity is
// out of range.
func Age(a, b int64) (Interval, error) {
	if a < b {
		iv, err := Age(b, a)
		if err != nil {
			return Interval{}, err
		}
		return iv.Neg()
	}
	if b == MinusInfinity {
		return Interval{}, errTimestampRange()
	}
	daysA, timeA := splitAge(a)
	daysB, timeB := splitAge(b)
	yearA, monthA, dayA := civil(daysA)
	yearB, monthB, dayB := civil(daysB)
	months := (yearA-yearB)*12 + int64(monthA-monthB)
	days, micros := int64(dayA-dayB), timeA-timeB
	if micros < 0 {
		micros += microsPerDay
		days--
	}
	if days < 0 {
		days += int64(daysInMonth(yearB, monthB))
		months--
	}
	return makeInterval(months, days, micros, true)
}

// splitAge is splitTimestamp, and of infinity the last microsecond that 64 bits count from
// 2000 on.
func splitAge(micros int64) (days, ofDay int64) {
	const epoch = 10957 // 2000-01-01
	days, ofDay = splitTimestamp(micros)
	if micros == Infinity {
		days += epoch
	}
	return days, ofDay
}

// String is the interval as PostgreSQL writes it in its postgres style.
func (iv Interval) String() string { return string(iv.Append(nil)) }

// Append appends an interval, like 1 year 2 mons 3 days 04:05:06.789.
func (iv Interval) Append(dst []byte) []byte {
	start := len(dst)
	afterNegative := false
	for _, part := range [...]struct {
		n    int32
		unit string
	}{
		{iv.Months / monthsPerYear, "year"}, {iv.Months % monthsPerYear, "mon"}, {iv.Days, "day"},
	} {
		if part.n == 0 {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		if afterNegative && part.n > 0 {
			dst = append(dst, '+')
		}
		dst = strconv.AppendInt(dst, int64(part.n), 10)
		dst = append(append(dst, ' '), part.unit...)
		if part.n != 1 {
			dst = append(dst, 's')
		}
		afterNegative = part.n < 0
	}
	if iv.Micros == 0 && len(dst) > start {
		return dst
	}
	if len(dst) > start {
		dst = append(dst, ' ')
	}
	micros := uint64(iv.Micros)
	if iv.Micros < 0 {
		dst = append(dst, '-')
		micros = -micros
	} else if afterNegative {
		dst = append(dst, '+')
	}
	return appendClock(dst, micros)
}
