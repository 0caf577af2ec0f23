package value

import (
	"strings"
	"time"
)

// Field is a field of a date, timestamp or interval that extract gives or
// date_trunc keeps.
type Field uint8

// The fields: of those that date_trunc takes, the finer before the coarser.
const (
	Microseconds Field = iota + 1
	Milliseconds
	Second
	Minute
	Hour
	Day
	Week
	Month
	Quarter
	Year
	Decade
	Century
	Millennium
	Dow
	Isodow
	Doy
	Isoyear
	Julian
	Epoch
	Zone // these of a timestamp with time zone only
	ZoneHour
	ZoneMinute
)

var fieldNames = map[string]Field{
	"microsecon": Microseconds,
	"us":         Microseconds, "usec": Microseconds, "usecs": Microseconds, "useconds": Microseconds, "usecond": Microseconds,
	"millisecon": Milliseconds,
	"ms":         Milliseconds, "msec": Milliseconds, "msecs": Milliseconds, "mseconds": Milliseconds, "msecond": Milliseconds,
	"s": Second, "sec": Second, "secs": Second, "second": Second, "seconds": Second,
	"m": Minute, "min": Minute, "mins": Minute, "minute": Minute, "minutes": Minute,
	"h": Hour, "hour": Hour, "hours": Hour, "hr": Hour, "hrs": Hour,
	"d": Day, "day": Day, "days": Day, "w": Week, "week": Week, "weeks": Week,
	"mon": Month, "mons": Month, "month": Month, "months": Month,
	"qtr": Quarter, "quarter": Quarter,
	"y": Year, "yr": Year, "yrs": Year, "year": Year, "years": Year,
	"dec": Decade, "decs": Decade, "decade": Decade, "decades": Decade,
	"c": Century, "cent": Century, "century": Century, "centuries": Century,
	"mil": Millennium, "mils": Millennium, "millennium": Millennium, "millennia": Millennium,
	"dow": Dow, "isodow": Isodow, "doy": Doy, "isoyear": Isoyear,
	"j": Julian, "jd": Julian, "julian": Julian, "epoch": Epoch,
	"timezone": Zone, "timezone_h": ZoneHour, "timezone_m": ZoneMinute,
}

// fieldNamed finds the field of a name in lower case, of which PostgreSQL looks at ten letters.
func fieldNamed(name string) (f Field, known bool) {
	f, known = fieldNames[name[:min(len(name), 10)]]
	return f, known
}

// The types that extract and date_trunc take, as PostgreSQL names them.
const (
	DateType        = "date"
	TimestampType   = "timestamp without time zone"
	TimestampTZType = "timestamp with time zone"
	IntervalType    = "interval"
	TimeType        = "time without time zone"
)

// ParseExtractField finds the field that extract names, for one of these
// types; SQLSTATE 22023 when there is no such field and 0A000 when the type
// does not have it.
func ParseExtractField(name, typ string) (Field, error) {
	f, known := fieldNamed(strings.ToLower(name))
	if !known {
		return 0, errUnknownField(name, typ)
	}
	if !f.extractsFrom(typ) {
		return 0, errUnsupportedField(name, typ)
	}
	return f, nil
}

func errUnknownField(name, typ string) error {
	return Errorf(CodeInvalidParameter, "unit \"%s\" not recognized for type %s", strings.ToLower(name), typ)
}

func errUnsupportedField(name, typ string) error {
	return Errorf(CodeFeatureNotSupported, "unit \"%s\" not supported for type %s", strings.ToLower(name), typ)
}

func (f Field) extractsFrom(typ string) bool {
	switch typ {
	case TimestampTZType:
		return true
	case DateType:
		return f >= Day && f < Zone
	case TimeType:
		return f <= Hour || f == Epoch
	case IntervalType:
		return f <= Millennium && f != Week || f == Epoch
	}
	return f < Zone
}

// ExtractDate is a whole field of a date.
func ExtractDate(f Field, days int32) int64 {
	d := int64(days)
	switch f {
	case Epoch:
		return d * secondsPerDay
	case Julian:
		return d + julianEpoch
	case Dow:
		return weekday(d)
	case Isodow:
		return (weekday(d)+6)%7 + 1
	case Week, Isoyear:
		year, week := isoWeek(d)
		if f == Week {
			return week
		}
		return noYearZero(year)
	}
	year, month, day := civil(d)
	switch f {
	case Day:
		return int64(day)
	case Month:
		return int64(month)
	case Quarter:
		return int64(month-1)/3 + 1
	case Doy:
		return d - daysOf(year, 1, 1) + 1
	}
	return yearPart(f, year)
}

// yearPart is a field that is a function of the year.
func yearPart(f Field, year int64) int64 {
	switch f {
	case Decade:
		return floorDiv(year, 10)
	case Century:
		return countFromOne(year, 100)
	case Millennium:
		return countFromOne(year, 1000)
	}
	return noYearZero(year)
}

// noYearZero turns 0 for 1 BC into -1, and so on.
func noYearZero(year int64) int64 {
	if year <= 0 {
		return year - 1
	}
	return year
}

// countFromOne numbers the spans of so many years such that year 1 begins the
// span 1 and 1 BC ends the span -1.
func countFromOne(year, span int64) int64 {
	if year > 0 {
		return (year + span - 1) / span
	}
	return -((span - year) / span)
}

// weekday is 0 for a Sunday.
func weekday(days int64) int64 { return days + 4 - 7*floorDiv(days+4, 7) }

// isoWeek is the year and the week of ISO 8601: weeks start on Monday, and
// week 1 is that of January 4.
func isoWeek(days int64) (year, week int64) {
	thursday := days - (weekday(days)+6)%7 + 3
	year, _, _ = civil(thursday)
	return year, (thursday-daysOf(year, 1, 1))/7 + 1
}

// ExtractTimestamp is a whole field of a timestamp.
func ExtractTimestamp(f Field, micros int64) int64 {
	days, ofDay := splitTimestamp(micros)
	switch f {
	case Microseconds:
		return ofDay % microsPerMinute
	case Minute:
		return ofDay / microsPerMinute % 60
	case Hour:
		return ofDay / microsPerHour
	}
	return ExtractDate(f, int32(days))
}

// ExtractTimestampNum is any field of a timestamp.
func ExtractTimestampNum(f Field, micros int64) Num {
	days, ofDay := splitTimestamp(micros)
	switch f {
	case Milliseconds:
		return Num{Coef: Int128Of(ofDay % microsPerMinute), Scale: 3}
	case Second:
		return Num{Coef: Int128Of(ofDay % microsPerMinute), Scale: 6}
	case Epoch:
		return Num{Coef: Int128Of(micros), Scale: 6}
	case Julian:
		// The fraction has at most 20 digits: neither step can fail.
		fraction, _ := NumOf(ofDay).Div(NumOf(microsPerDay))
		sum, _ := NumOf(days + julianEpoch).Add(fraction)
		return sum
	}
	return NumOf(ExtractTimestamp(f, micros))
}

// ExtractTimestampTZ is a field of a moment: of its local time but for the epoch.
func ExtractTimestampTZ(f Field, micros int64, loc *time.Location) (Num, error) {
	offset := offsetAt(micros, loc) / microsPerSecond
	switch f {
	case Epoch:
		return ExtractTimestampNum(f, micros), nil
	case Zone:
		return NumOf(offset), nil
	case ZoneHour:
		return NumOf(offset / 3600), nil
	case ZoneMinute:
		return NumOf(offset / 60 % 60), nil
	}
	local, err := LocalTime(micros, loc)
	return ExtractTimestampNum(f, local), err
}

// ExtractInterval is a field of an interval.
func ExtractInterval(f Field, iv Interval) Num {
	years, months := int64(iv.Months/monthsPerYear), int64(iv.Months%monthsPerYear)
	ofMinute := iv.Micros % microsPerMinute
	switch f {
	case Microseconds:
		return NumOf(ofMinute)
	case Milliseconds:
		return Num{Coef: Int128Of(ofMinute), Scale: 3}
	case Second:
		return Num{Coef: Int128Of(ofMinute), Scale: 6}
	case Minute:
		return NumOf(iv.Micros / microsPerMinute % 60)
	case Hour:
		return NumOf(iv.Micros / microsPerHour)
	case Day:
		return NumOf(int64(iv.Days))
	case Month:
		return NumOf(months)
	case Quarter:
		return NumOf(months/3 + 1)
	case Decade:
		return NumOf(years / 10)
	case Century:
		return NumOf(years / 100)
	case Millennium:
		return NumOf(years / 1000)
	case Epoch:
		// A year has 365.25 days here, hence the quarters of days.
		quarterDays := 1461*years + 4*daysPerMonth*months + 4*int64(iv.Days)
		return Num{Coef: Mul64(quarterDays, microsPerDay/4).AddWrap(Int128Of(iv.Micros)), Scale: 6}
	}
	return NumOf(years)
}
