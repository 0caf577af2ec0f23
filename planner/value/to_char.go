package value

import (
	"strconv"
	"strings"
	"time"
)

// ToChar writes a timestamp by a pattern of PostgreSQL's to_char. Text in double
// quotes, and what is no pattern, stands for itself.
func ToChar(m *Meter, micros int64, pattern string) (string, error) {
	return newClockTime(micros).format(m, pattern)
}

// ToCharTZ writes a moment in local time.
func ToCharTZ(meter *Meter, micros int64, pattern string, loc *time.Location) (string, error) {
	local, err := LocalTime(micros, loc)
	if err != nil {
		return "", err
	}
	m := newClockTime(local)
	m.offset = int(offsetAt(micros, loc) / microsPerSecond)
	m.zone = zoneAbbreviation(micros, loc)
	return m.format(meter, pattern)
}

// zoneAbbreviation is what a zone is called at a moment, like CEST.
func zoneAbbreviation(micros int64, loc *time.Location) string {
	name, _ := time.Unix(floorDiv(micros, microsPerSecond), 0).In(loc).Zone()
	if strings.HasPrefix(name, "<") {
		name, _, _ = strings.Cut(name[1:], ">")
		return name
	}
	if end := skip(name, 0, isLetter); end > 0 {
		return name[:end]
	}
	return name
}

// format writes the parts by a pattern.
func (m *clockTime) format(meter *Meter, pattern string) (string, error) {
	out := maker{m: meter}
	for rest := pattern; rest != ""; {
		if err := meter.Check(fieldWork); err != nil {
			return "", err
		}
		if rest[0] == '"' {
			text, after, _ := strings.Cut(rest[1:], `"`)
			if err := out.write(text); err != nil {
				return "", err
			}
			rest = after
			continue
		}
		fill := true
		body := rest
		if after, ok := cutPattern(body, "FM"); ok {
			fill, body = false, after
		}
		field, after := findField(body)
		if field == nil {
			if err := out.writeByte(rest[0]); err != nil {
				return "", err
			}
			rest = rest[1:]
			continue
		}
		text := field.write(m, fill, body[:len(body)-len(after)])
		if n := len(after); n >= 2 && field.numeric && strings.EqualFold(after[:2], "th") {
			text += ordinalSuffix(text, after[0] == 'T')
			after = after[2:]
		}
		if err := out.write(text); err != nil {
			return "", err
		}
		rest = after
	}
	return out.String(), nil
}

// fieldWork is what finding a field of a pattern costs, in bytes looked at.
const fieldWork = 256

// cutPattern cuts a pattern from the beginning of s, whatever its case.
func cutPattern(s, pattern string) (rest string, ok bool) {
	if len(s) < len(pattern) || !strings.EqualFold(s[:len(pattern)], pattern) {
		return s, false
	}
	return s[len(pattern):], true
}

// ordinalSuffix is the English ending of a number.
func ordinalSuffix(number string, upper bool) string {
	suffix := "th"
	n := len(number)
	if n < 2 || number[n-2] != '1' {
		switch number[n-1] {
		case '1':
			suffix = "st"
		case '2':
			suffix = "nd"
		case '3':
			suffix = "rd"
		}
	}
	if upper {
		return strings.ToUpper(suffix)
	}
	return suffix
}

// clockTime is a timestamp in its parts.
type clockTime struct {
	year, isoYear, isoWeek  int64
	month, day              int
	yearDay, weekday        int // from 1; from 0 for Sunday
	hour, minute, sec, usec int64
	julian                  int64
	zone                    string // its abbreviation; "" for none
	offset                  int    // seconds east of Greenwich
	interval                bool   // the parts are those of an interval
}

func newClockTime(micros int64) *clockTime {
	days, ofDay := splitTimestamp(micros)
	m := &clockTime{}
	m.year, m.month, m.day = civil(days)
	m.yearDay = int(days-daysOf(m.year, 1, 1)) + 1
	m.weekday = int(((days+4)%7 + 7) % 7)
	const julianEpoch = 2440588
	m.julian = days + julianEpoch
	m.isoYear = ExtractTimestamp(mustField("isoyear"), micros)
	m.isoWeek = ExtractTimestamp(mustField("week"), micros)
	m.usec = ofDay % 1_000_000
	seconds := ofDay / 1_000_000
	m.hour, m.minute, m.sec = seconds/3600, seconds/60%60, seconds%60
	return m
}

// mustField is a field that every timestamp has.
func mustField(name string) Field {
	f, _ := ParseExtractField(name, "timestamp without time zone")
	return f
}

// charField is a pattern of to_char.
type charField struct {
	pattern string
	numeric bool
	write   func(m *clockTime, fill bool, as string) string
}

// digits is a field of a number, which is filled with zeros.
func digits(pattern string, width int, get func(m *clockTime) int64) charField {
	return charField{pattern: pattern, numeric: true, write: func(m *clockTime, fill bool, _ string) string {
		n := get(m)
		text := strconv.FormatInt(max(n, -n), 10)
		if fill && len(text) < width {
			text = strings.Repeat("0", width-len(text)) + text
		}
		if n < 0 {
			return "-" + text
		}
		return text
	}}
}

// name is a field of a word in the case of its pattern, filled with blanks to a
// width.
func name(pattern string, width int, get func(m *clockTime) string) charField {
	return charField{pattern: pattern, write: func(m *clockTime, fill bool, as string) string {
		text := inCaseOf(get(m), as)
		if fill && len(text) < width {
			text += strings.Repeat(" ", width-len(text))
		}
		return text
	}}
}

// text is a field that is written the same in any case.
func text(pattern string, get func(m *clockTime) string) charField {
	return charField{pattern: pattern, write: func(m *clockTime, _ bool, _ string) string { return get(m) }}
}

// inCaseOf gives a word the case of a pattern: MONTH, Month or month.
func inCaseOf(word, as string) string {
	switch {
	case as[0] >= 'a':
		return strings.ToLower(word)
	case len(as) > 1 && as[1] < 'a':
		return strings.ToUpper(word)
	}
	return word
}

const longestName = len("September") // and Wednesday

// charFields are the patterns, longer ones before those that they begin with.
var charFields = []charField{
	digits("YYYY", 4, func(m *clockTime) int64 { return m.year }),
	digits("YYY", 3, func(m *clockTime) int64 { return m.year % 1000 }),
	digits("YY", 2, func(m *clockTime) int64 { return m.year % 100 }),
	digits("Y", 1, func(m *clockTime) int64 { return m.year % 10 }),
	digits("IYYY", 4, func(m *clockTime) int64 { return m.isoYear }),
	digits("IY", 2, func(m *clockTime) int64 { return m.isoYear % 100 }),
	digits("IW", 2, func(m *clockTime) int64 { return m.isoWeek }),
	digits("ID", 1, func(m *clockTime) int64 { return int64((m.weekday+6)%7 + 1) }),
	name("MONTH", longestName, func(m *clockTime) string { return time.Month(m.month).String() }),
	name("MON", 0, func(m *clockTime) string { return time.Month(m.month).String()[:3] }),
	digits("MM", 2, func(m *clockTime) int64 { return int64(m.month) }),
	digits("MI", 2, func(m *clockTime) int64 { return m.minute }),
	digits("MS", 3, func(m *clockTime) int64 { return m.usec / 1000 }),
	digits("US", 6, func(m *clockTime) int64 { return m.usec }),
	name("DAY", longestName, func(m *clockTime) string { return time.Weekday(m.weekday).String() }),
	name("DY", 0, func(m *clockTime) string { return time.Weekday(m.weekday).String()[:3] }),
	digits("DDD", 3, func(m *clockTime) int64 { return int64(m.yearDay) }),
	digits("DD", 2, func(m *clockTime) int64 { return int64(m.day) }),
	digits("D", 1, func(m *clockTime) int64 { return int64(m.weekday) + 1 }),
	digits("HH24", 2, func(m *clockTime) int64 { return m.hour }),
	digits("HH12", 2, ofTwelve),
	digits("HH", 2, ofTwelve),
	digits("SSSS", 0, func(m *clockTime) int64 { return m.hour*3600 + m.minute*60 + m.sec }),
	digits("SS", 2, func(m *clockTime) int64 { return m.sec }),
	digits("WW", 2, func(m *clockTime) int64 { return int64(m.yearDay-1)/7 + 1 }),
	digits("W", 1, func(m *clockTime) int64 { return int64(m.day-1)/7 + 1 }),
	digits("CC", 2, (*clockTime).century),
	digits("Q", 1, func(m *clockTime) int64 { return int64(m.month-1)/3 + 1 }),
	digits("J", 0, func(m *clockTime) int64 { return m.julian }),
	text("TZH", func(m *clockTime) string { return string(appendOffset(nil, m.offset/3600*3600)) }),
	text("TZM", func(m *clockTime) string { return string(appendTwo(nil, uint64(max(m.offset, -m.offset)/60%60))) }),
	text("OF", func(m *clockTime) string { return string(appendOffset(nil, m.offset/60*60)) }),
	{pattern: "TZ", write: func(m *clockTime, _ bool, as string) string {
		if as[0] >= 'a' {
			return strings.ToLower(m.zone)
		}
		return strings.ToUpper(m.zone)
	}},
	halfDay("AM"), halfDay("PM"), halfDay("A.M."), halfDay("P.M."),
}

// ofTwelve is the hour on a clock's face.
func ofTwelve(m *clockTime) int64 {
	if m.hour%12 == 0 {
		return 12
	}
	return m.hour % 12
}

func (m *clockTime) century() int64 {
	if m.interval {
		return m.year / 100
	}
	return (m.year + 99) / 100
}

// halfDay is a field that tells the half of the day, in the form of its pattern.
func halfDay(pattern string) charField {
	return charField{pattern: pattern, write: func(m *clockTime, _ bool, as string) string {
		half := "A" + pattern[1:]
		if m.hour%24 >= 12 {
			half = "P" + pattern[1:]
		}
		if as[0] >= 'a' {
			return strings.ToLower(half)
		}
		return half
	}}
}

// findField finds the pattern that s begins with, nil for none.
func findField(s string) (*charField, string) {
	for i := range charFields {
		if rest, ok := cutPattern(s, charFields[i].pattern); ok {
			return &charFields[i], rest
		}
	}
	return nil, s
}
