package value

import (
	"strings"
	"time"
)

// A timestamp with time zone is a moment: microseconds since 1970-01-01 in UTC.
// A zone is needed to read it, to write it, and for what days and months are.

// ParseTimestampTZ reads a moment in PostgreSQL's spellings. Text without a zone
// is local time of loc.
func ParseTimestampTZ(s string, loc *time.Location) (int64, error) {
	return parseTimestampTZ(s, MDY, loc)
}

func parseTimestampTZ(s string, order DateOrder, loc *time.Location) (int64, error) {
	if micros, ok := isoTimestampTZ(s); ok {
		return micros, nil
	}
	d, err := parseDateTime(s, "timestamp with time zone", order)
	if err != nil || d.infinite != 0 {
		return d.infinite, err
	}
	micros, ok := joinTimestamp(d.day, d.ofDay)
	if ok && d.zone.given && d.zone.loc == nil {
		if d.zone.abbreviation.zone != "" {
			d.zone.offset = d.zone.abbreviation.atLocal(micros)
		}
		micros, ok = joinTimestamp(d.day, d.ofDay-d.zone.offset*microsPerSecond)
		if ok {
			return micros, nil
		}
	}
	if d.zone.loc != nil {
		loc = d.zone.loc
	}
	if ok {
		micros, err = MomentOf(micros, loc)
	}
	if !ok || err != nil {
		return 0, Errorf(CodeDatetimeOverflow, "timestamp out of range: \"%s\"", s)
	}
	return micros, nil
}

// IsMoment reports whether a text is a timestamp in ISO's form with its offset from
// UTC, which is the same moment in every zone.
func IsMoment(s string) bool {
	_, ok := isoTimestampTZ(s)
	return ok
}

// isoTimestampTZ reads yyyy-mm-dd hh:mm:ss with a fraction and Z, +hh or +hh:mm.
func isoTimestampTZ(s string) (micros int64, ok bool) {
	const whole = len("yyyy-mm-dd hh:mm:ss")
	if len(s) <= whole {
		return 0, false
	}
	at := strings.IndexAny(s[whole:], "+-Z")
	if at < 0 {
		return 0, false
	}
	micros, ok = isoTimestamp(s[:whole+at])
	offset := s[whole+at:]
	if !ok || offset == "Z" {
		return micros, ok
	}
	if len(offset) != 3 && (len(offset) != 6 || offset[3] != ':') {
		return 0, false
	}
	hours, ok1 := twoDigits(offset[1:])
	minutes, ok2 := 0, true
	if len(offset) == 6 {
		minutes, ok2 = twoDigits(offset[4:])
	}
	if !ok1 || !ok2 || hours > 15 || minutes > 59 {
		return 0, false
	}
	east := int64(hours*60+minutes) * microsPerMinute
	if offset[0] == '-' {
		east = -east
	}
	return timestampOf(Int128Of(micros).SubWrap(Int128Of(east)))
}

// AppendTimestampTZ appends a moment as PostgreSQL writes it in its ISO style,
// in local time with its offset from UTC, like 1999-01-08 04:05:06+01.
func AppendTimestampTZ(dst []byte, micros int64, loc *time.Location) []byte {
	if !IsFiniteTimestamp(micros) {
		return append(dst, infiniteText(micros > 0)...)
	}
	offset := offsetAt(micros, loc)
	days, ofDay := splitTimestamp(micros)
	ofDay += offset
	if ofDay < 0 || ofDay >= microsPerDay {
		days += floorDiv(ofDay, microsPerDay)
		ofDay -= floorDiv(ofDay, microsPerDay) * microsPerDay
	}
	year, month, day := civil(days)
	dst = append(appendCivil(dst, year, month, day), ' ')
	dst = appendClock(dst, uint64(ofDay))
	return appendEra(appendOffset(dst, int(offset/microsPerSecond)), year)
}

// AddIntervalTZ is a moment + interval: months and days in local time, the time
// in UTC.
func AddIntervalTZ(micros int64, iv Interval, loc *time.Location) (int64, error) {
	var err error
	for _, part := range []Interval{{Months: iv.Months}, {Days: iv.Days}} {
		if part == (Interval{}) {
			continue
		}
		if micros, err = LocalTime(micros, loc); err == nil {
			micros, err = AddInterval(micros, part)
		}
		if err == nil {
			micros, err = MomentOf(micros, loc)
		}
		if err != nil {
			return 0, err
		}
	}
	return AddInterval(micros, Interval{Micros: iv.Micros})
}

// TruncTimestampTZ is date_trunc of a moment in local time. Fields finer than a
// day keep the offset that the moment has. Infinity stays.
func TruncTimestampTZ(f Field, micros int64, loc *time.Location) (int64, error) {
	if !IsFiniteTimestamp(micros) {
		return micros, nil
	}
	local, err := LocalTime(micros, loc)
	if err != nil {
		return 0, err
	}
	start, err := TruncTimestamp(f, local)
	if err != nil {
		return 0, err
	}
	if f < Day {
		return micros - (local - start), nil
	}
	return MomentOf(start, loc)
}
