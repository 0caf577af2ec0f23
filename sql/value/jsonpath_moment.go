package value

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// pathMoment is a date or time that .datetime() reads.
type pathMoment struct {
	kind   pathMomentKind
	days   int64 // of what has a date, since 1970
	micros int64 // of the day
	offset int   // seconds east of UTC, of what has a time zone
}

type pathMomentKind uint8

const (
	pathDate pathMomentKind = iota
	pathTime
	pathTimeTZ
	pathTimestamp
	pathTimestampTZ
)

func (p *pathMoment) typeName() string {
	return [...]string{"date", "time without time zone", "time with time zone", "timestamp without time zone", "timestamp with time zone"}[p.kind]
}

// castName is what an error calls the type.
func (p *pathMoment) castName() string {
	return [...]string{"date", "time", "timetz", "timestamp", "timestamptz"}[p.kind]
}

// text is the moment in ISO 8601.
func (p *pathMoment) text() string {
	var text []byte
	switch p.kind {
	case pathDate:
		return FormatDate(int32(p.days))
	case pathTime, pathTimeTZ:
		text = appendClock(nil, uint64(p.micros))
	default:
		text = []byte(strings.Replace(FormatTimestamp(p.days*microsPerDay+p.micros), " ", "T", 1))
	}
	if p.kind == pathTimeTZ || p.kind == pathTimestampTZ {
		sign, offset := '+', p.offset
		if offset < 0 {
			sign, offset = '-', -offset
		}
		text = fmt.Appendf(text, "%c%02d:%02d", sign, offset/3600, offset/60%60)
	}
	return string(text)
}

// momentPattern is what .datetime() reads without a template.
var momentPattern = regexp.MustCompile(`^\s*(?:(\d{1,9})-(\d{1,2})-(\d{1,2}))?(T|\s+|$)?(?:(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,6}))?(?:\s*([+-])(\d{1,2})(?::(\d{1,2}))?)?)?\s*$`)

// readMoment reads a date or a time.
func readMoment(s string) (*pathMoment, bool) {
	f := momentPattern.FindStringSubmatch(s)
	if f == nil || f[1] == "" && (f[5] == "" || f[4] == "T") || f[1] != "" && f[5] != "" && f[4] == "" || f[5] == "" && f[4] == "T" {
		return nil, false
	}
	number := func(i int) int64 {
		n, _ := strconv.ParseInt(f[i], 10, 64) // digits, or nothing
		return n
	}
	p := &pathMoment{}
	if f[1] != "" {
		year, month, day := number(1), number(2), number(3)
		if month < 1 || month > 12 || day < 1 || day > int64(daysInMonth(year, int(month))) {
			return nil, false
		}
		p.days = daysOf(year, int(month), int(day))
		if p.days < MinDate || p.days > MaxDate {
			return nil, false
		}
	}
	if f[5] == "" {
		return p, true
	}
	if p.kind = pathTime; f[1] != "" {
		p.kind = pathTimestamp
	}
	if _, ok := joinTimestamp(p.days, 0); !ok {
		return nil, false
	}
	return p, p.readClock(f[8], f[9], number)
}

// readClock reads the time of day, and how far its zone is from UTC, of the parts of a pattern.
func (p *pathMoment) readClock(fraction, sign string, number func(i int) int64) bool {
	hour, minute, second := number(5), number(6), number(7)
	if hour > 23 || minute > 59 || second > 59 || number(10) > 15 || number(11) > 59 {
		return false
	}
	micros, _ := strconv.ParseInt((fraction + "000000")[:6], 10, 64) // digits
	p.micros = ((hour*60+minute)*60+second)*microsPerSecond + micros
	if sign != "" {
		p.kind++
		p.offset = int(number(10)*3600 + number(11)*60)
		if sign == "-" {
			p.offset = -p.offset
		}
	}
	return true
}
