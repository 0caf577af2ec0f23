package value

import "math"

// Dates are days since 1970-01-01 and timestamps microseconds since its
// midnight, in the proleptic Gregorian calendar with a year 0 (1 BC).

const (
	microsPerSecond = 1_000_000
	microsPerMinute = 60 * microsPerSecond
	microsPerHour   = 60 * microsPerMinute
	microsPerDay    = 24 * microsPerHour
	secondsPerDay   = 86400
	daysPerMonth    = 30 // PostgreSQL's estimate, for comparing intervals
	monthsPerYear   = 12

	// julianEpoch is the Julian day number of 1970-01-01.
	julianEpoch = 2440588
)

// The range of dates is PostgreSQL's: 4714-11-24 BC to 5874897-12-31. That of
// timestamps starts on the same day; it ends on 294247-01-10, the last day
// whose microseconds since 1970 fit in 64 bits, 30 years before PostgreSQL's,
// which counts from 2000. The infinities lie outside of both.
const (
	MinDate      = -julianEpoch
	MaxDate      = 2147483493 - julianEpoch
	MinTimestamp = MinDate * microsPerDay
	MaxTimestamp = math.MaxInt64 - 1
)

func errDateRange() error { return Errorf(CodeDatetimeOverflow, "date out of range") }

func errTimestampRange() error { return Errorf(CodeDatetimeOverflow, "timestamp out of range") }

// daysOf returns the day number of a date in the calendar; month and day may be
// out of their ranges as long as month is in 1..12.
func daysOf(year int64, month, day int) int64 {
	// Count from March, so that the leap day ends a year.
	if month <= 2 {
		year--
		month += 12
	}
	era := floorDiv(year, 400)
	ofEra := year - era*400
	ofYear := int64(153*(month-3)+2)/5 + int64(day) - 1
	const marchEpoch = 719468 // days from 0000-03-01 to 1970-01-01
	return era*146097 + ofEra*365 + ofEra/4 - ofEra/100 + ofYear - marchEpoch
}

// civil is the inverse of daysOf.
func civil(days int64) (year int64, month, day int) {
	days += 719468
	era := floorDiv(days, 146097)
	ofEra := uint32(days - era*146097)
	yearOfEra := (ofEra - ofEra/1460 + ofEra/36524 - ofEra/146096) / 365
	ofYear := ofEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	shifted := (5*ofYear + 2) / 153
	day = int(ofYear-(153*shifted+2)/5) + 1
	year = int64(yearOfEra) + era*400
	if shifted >= 10 {
		return year + 1, int(shifted) - 9, day
	}
	return year, int(shifted) + 3, day
}

// floorDiv is a/b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func isLeap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// daysInMonth is the length of a month in 1..12.
func daysInMonth(year int64, month int) int {
	switch month {
	case 2:
		if isLeap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// splitTimestamp returns the day of a timestamp and the microseconds of that day.
func splitTimestamp(micros int64) (days, ofDay int64) {
	days = floorDiv(micros, microsPerDay)
	return days, micros - days*microsPerDay
}

// joinTimestamp is the inverse of splitTimestamp; ofDay may be any number of
// microseconds. ok is false out of range.
func joinTimestamp(days, ofDay int64) (micros int64, ok bool) {
	if days < MinDate || days > MaxTimestamp/microsPerDay+1 {
		return 0, false
	}
	return timestampOf(Mul64(days, microsPerDay).AddWrap(Int128Of(ofDay)))
}

// timestampOf is a number of microseconds as a finite timestamp; ok is false out of range.
func timestampOf(micros Int128) (timestamp int64, ok bool) {
	timestamp, ok = micros.Int64()
	return timestamp, ok && timestamp >= MinTimestamp && timestamp <= MaxTimestamp
}

// DateToTimestamp is midnight of the day. Infinity stays.
func DateToTimestamp(days int32) (int64, error) {
	if !IsFiniteDate(days) {
		return infiniteAs(days > 0), nil
	}
	micros, ok := joinTimestamp(int64(days), 0)
	if !ok {
		return 0, Errorf(CodeDatetimeOverflow, "date out of range for timestamp")
	}
	return micros, nil
}

// TimestampToDate is the day of a timestamp. Infinity stays.
func TimestampToDate(micros int64) int32 {
	switch micros {
	case Infinity:
		return InfinityDate
	case MinusInfinity:
		return MinusInfinityDate
	}
	return int32(floorDiv(micros, microsPerDay))
}

// AddDays is date + integer. Infinity stays.
func AddDays(days int32, n int64) (int32, error) {
	if !IsFiniteDate(days) {
		return days, nil
	}
	sum, ok := Int128Of(int64(days)).AddWrap(Int128Of(n)).Int64()
	if !ok {
		return 0, errDateRange()
	}
	return DateOf(sum)
}

// DateOf is the date of a number of days since 1970, an error out of range.
func DateOf(days int64) (int32, error) {
	if days < MinDate || days > MaxDate {
		return 0, errDateRange()
	}
	return int32(days), nil
}

// AddMonths moves a day by months, to the end of the month when that has no
// such day. It is the calendar part of adding an interval.
func addMonths(days int64, months int32) int64 {
	year, month, day := civil(days)
	total := year*monthsPerYear + int64(month-1) + int64(months)
	year = floorDiv(total, monthsPerYear)
	month = int(total-year*monthsPerYear) + 1
	return daysOf(year, month, min(day, daysInMonth(year, month)))
}
