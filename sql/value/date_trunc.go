package value

import "strings"

// ParseTruncField finds the field that date_trunc names, for a timestamp or an
// interval.
func ParseTruncField(name, typ string) (Field, error) {
	f, known := fieldNamed(strings.ToLower(name))
	switch {
	case f >= Zone:
		return 0, errUnsupportedField(name, typ)
	case !known, f > Millennium:
		return 0, errUnknownField(name, typ)
	case f == Week && typ == IntervalType:
		err := Errorf(CodeFeatureNotSupported, "unit \"%s\" not supported for type %s", strings.ToLower(name), typ)
		err.Detail = "Months usually have fractional weeks."
		return 0, err
	}
	return f, nil
}

// TruncTimestamp sets what is finer than the field to its start. Infinity stays.
func TruncTimestamp(f Field, micros int64) (int64, error) {
	if !IsFiniteTimestamp(micros) {
		return micros, nil
	}
	days, ofDay := splitTimestamp(micros)
	switch f {
	case Microseconds:
		return micros, nil
	case Milliseconds:
		return micros - ofDay%1000, nil
	case Second:
		return micros - ofDay%microsPerSecond, nil
	case Minute:
		return micros - ofDay%microsPerMinute, nil
	case Hour:
		return micros - ofDay%microsPerHour, nil
	}
	start, ok := joinTimestamp(truncDay(f, days), 0)
	if !ok {
		return 0, errTimestampRange()
	}
	return start, nil
}

// truncDay is the first day of the field that the day is in.
func truncDay(f Field, days int64) int64 {
	switch f {
	case Day:
		return days
	case Week:
		return days - (weekday(days)+6)%7
	}
	year, month, _ := civil(days)
	switch f {
	case Month:
		return daysOf(year, month, 1)
	case Quarter:
		return daysOf(year, (month-1)/3*3+1, 1)
	case Year:
		return daysOf(year, 1, 1)
	case Decade:
		return daysOf(floorDiv(year, 10)*10, 1, 1)
	case Century:
		return daysOf(floorDiv(year-1, 100)*100+1, 1, 1)
	}
	return daysOf(floorDiv(year-1, 1000)*1000+1, 1, 1)
}

// TruncInterval cuts what is finer than the field toward zero.
func TruncInterval(f Field, iv Interval) Interval {
	switch f {
	case Microseconds:
		return iv
	case Milliseconds:
		return Interval{iv.Months, iv.Days, iv.Micros / 1000 * 1000}
	case Second:
		return Interval{iv.Months, iv.Days, iv.Micros / microsPerSecond * microsPerSecond}
	case Minute:
		return Interval{iv.Months, iv.Days, iv.Micros / microsPerMinute * microsPerMinute}
	case Hour:
		return Interval{iv.Months, iv.Days, iv.Micros / microsPerHour * microsPerHour}
	case Day:
		return Interval{iv.Months, iv.Days, 0}
	}
	return Interval{Months: iv.Months / monthsOf(f) * monthsOf(f)}
}

// monthsOf is the length of a field of months or more.
func monthsOf(f Field) int32 {
	switch f {
	case Month:
		return 1
	case Quarter:
		return 3
	case Year:
		return monthsPerYear
	case Decade:
		return 10 * monthsPerYear
	case Century:
		return 100 * monthsPerYear
	}
	return 1000 * monthsPerYear
}
