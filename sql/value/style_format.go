package value

import (
	"time"
)

// monthAbbreviations and weekdayAbbreviations are the names in PostgreSQL's own format
// of timestamps.
const (
	monthAbbreviations   = "JanFebMarAprMayJunJulAugSepOctNovDec"
	weekdayAbbreviations = "SunMonTueWedThuFriSat"
)

// AppendDate appends a date in a style.
func (st Style) AppendDate(dst []byte, days int32) []byte {
	if st.Format == ISODates || !IsFiniteDate(days) {
		return AppendDate(dst, days)
	}
	year, month, day := civil(int64(days))
	return appendEra(st.appendCivil(dst, year, month, day), year)
}

// appendCivil appends the fields of a date as numbers.
func (st Style) appendCivil(dst []byte, year int64, month, day int) []byte {
	separator, first, second := byte('/'), month, day
	switch st.Format {
	case GermanDates:
		separator = '.'
	case PostgresDates:
		separator = '-'
	}
	if st.Format == GermanDates || st.Order == DMY {
		first, second = day, month
	}
	dst = append(appendTwo(dst, uint64(first)), separator)
	dst = append(appendTwo(dst, uint64(second)), separator)
	return appendYear(dst, year)
}

// appendYear appends a year without its era.
func appendYear(dst []byte, year int64) []byte {
	if year <= 0 {
		year = 1 - year
	}
	return appendPadded(dst, uint64(year), 4)
}

// AppendTimestamp appends a timestamp in a style.
func (st Style) AppendTimestamp(dst []byte, micros int64) []byte {
	if st.Format == ISODates || !IsFiniteTimestamp(micros) {
		return AppendTimestamp(dst, micros)
	}
	days, ofDay := splitTimestamp(micros)
	year, _, _ := civil(days)
	return appendEra(st.appendLocal(dst, days, ofDay), year)
}

// appendLocal appends a day and the microseconds of it.
func (st Style) appendLocal(dst []byte, days, ofDay int64) []byte {
	year, month, day := civil(days)
	if st.Format != PostgresDates {
		return appendClock(append(st.appendCivil(dst, year, month, day), ' '), uint64(ofDay))
	}
	weekday := 3 * ((days+4)%7 + 7) % 21 // 1970-01-01 was a Thursday
	dst = append(append(dst, weekdayAbbreviations[weekday:weekday+3]...), ' ')
	name := monthAbbreviations[3*month-3 : 3*month]
	if st.Order == DMY {
		dst = append(append(appendTwo(dst, uint64(day)), ' '), name...)
	} else {
		dst = appendTwo(append(append(dst, name...), ' '), uint64(day))
	}
	return appendYear(append(appendClock(append(dst, ' '), uint64(ofDay)), ' '), year)
}

// AppendTimestampTZ appends a moment in a style, in local time with the name of the
// zone.
func (st Style) AppendTimestampTZ(dst []byte, micros int64, loc *time.Location) []byte {
	if st.Format == ISODates || !IsFiniteTimestamp(micros) {
		return AppendTimestampTZ(dst, micros, loc)
	}
	days, ofDay := splitTimestamp(micros)
	ofDay += offsetAt(micros, loc)
	days, ofDay = days+floorDiv(ofDay, microsPerDay), ofDay-floorDiv(ofDay, microsPerDay)*microsPerDay
	year, _, _ := civil(days)
	dst = append(st.appendLocal(dst, days, ofDay), ' ')
	name := zoneAbbreviation(micros, loc)
	return appendEra(append(dst, name[:min(len(name), 10)]...), year)
}

// ParseDate reads a date in a style.
func (st Style) ParseDate(s string) (int32, error) { return parseDate(s, st.Order) }

// ParseTimestamp reads a timestamp in a style.
func (st Style) ParseTimestamp(s string) (int64, error) { return parseTimestamp(s, st.Order) }

// ParseTimestampTZ reads a moment in a style; text without a zone is local time of loc.
func (st Style) ParseTimestampTZ(s string, loc *time.Location) (int64, error) {
	return parseTimestampTZ(s, st.Order, loc)
}
