package value

import (
	"strings"
	"time"
)

// zone reads TZH, whose sign may have been taken for a separator before it, or TZM.
func (r *dateReader) zone(field string, number func(to *int64, width int) (int, error)) (err error) {
	if field == "TZM" {
		if r.zoneSign == 0 {
			r.zoneSign = 1
		}
		_, err = number(&r.zoneMinute, 2)
		return err
	}
	sign := r.text[0]
	switch at := len(r.source) - len(r.text); {
	case sign == '+' || sign == '-' || sign == ' ':
		r.text = r.text[1:]
	case r.skipped > 0:
		sign = r.source[at-1]
	}
	if r.zoneSign = 1; sign == '-' {
		r.zoneSign = -1
	}
	_, err = number(&r.zoneHour, 2)
	return err
}

// moment is the moment of a local time, by the offset that was read or else in a zone.
func (r *dateReader) moment(local int64, loc *time.Location) (int64, error) {
	if r.zoneSign == 0 {
		return MomentOf(local, loc)
	}
	offset, err := r.offset()
	if err != nil {
		return 0, err
	}
	micros, ok := timestampOf(Int128Of(local).SubWrap(Int128Of(offset * microsPerSecond)))
	if !ok {
		return 0, errTimestampRange()
	}
	return micros, nil
}

// offset is how many seconds the zone that was read is ahead of UTC.
func (r *dateReader) offset() (int64, error) {
	if r.zoneHour < 0 || r.zoneHour > maxZoneHour || r.zoneMinute < 0 || r.zoneMinute > 59 {
		return 0, decodeError(zoneOverflow, TimestampTZType, r.source)
	}
	return r.zoneSign * (r.zoneHour*60 + r.zoneMinute) * 60, nil
}

// maxZoneHour is the most hours that a zone is away from UTC.
const maxZoneHour = 15

// yearOfThousands reads Y,YYY: thousands, a comma, and up to three digits.
func (r *dateReader) yearOfThousands(as string) error {
	thousands, length := wholePrefix(r.text)
	rest, comma := strings.CutPrefix(r.text[length:], ",")
	years, more := wholePrefix(rest[:min(len(rest), 3)])
	if length == 0 || !comma || more == 0 {
		return Errorf(CodeDatetimeFormat, "invalid input string for \"%s\"", "Y,YYY")
	}
	r.text, r.yearDigits = rest[more:], 4
	return setField(&r.year, thousands*1000+years, as)
}
