package value

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// charField is a pattern of to_char. In a text it is written in capitals, in small
// letters or, where it is a word, with one capital.
type charField struct {
	pattern  string
	numeric  bool // an ordinal suffix may follow
	calendar bool // intervals have no such part
	word     bool // the name of a day or a month
	write    func(m *clockTime, fill bool, as string) string
}

// digits is a field of a number, which is filled with zeros, to one place more where
// it is negative.
func digits(pattern string, width int, get func(m *clockTime) int64) charField {
	return charField{pattern: pattern, numeric: true, write: func(m *clockTime, fill bool, _ string) string {
		return zeroPadded(get(m), width, fill)
	}}
}

// plain is digits whose width counts the sign.
func plain(pattern string, width int, get func(m *clockTime) int64) charField {
	return charField{pattern: pattern, numeric: true, write: func(m *clockTime, fill bool, _ string) string {
		if !fill {
			return strconv.FormatInt(get(m), 10)
		}
		return fmt.Sprintf("%0*d", width, get(m))
	}}
}

// years is digits of a year, or of an ISO year, with a place more where the year is
// negative.
func years(pattern string, width int, get func(m *clockTime) int64) charField {
	return charField{pattern: pattern, numeric: true, write: func(m *clockTime, fill bool, _ string) string {
		wide := width
		if m.shownYear(m.year) < 0 && width > 1 {
			wide++
		}
		if !fill {
			wide = 0
		}
		return fmt.Sprintf("%0*d", wide, get(m))
	}}
}

func zeroPadded(n int64, width int, fill bool) string {
	switch {
	case !fill || width == 0:
		return strconv.FormatInt(n, 10)
	case n < 0:
		return fmt.Sprintf("%0*d", width+1, n)
	}
	return fmt.Sprintf("%0*d", width, n)
}

// unshortened is a field of a number that FM does not shorten.
func unshortened(pattern string, width int, get func(m *clockTime) int64) charField {
	return charField{pattern: pattern, numeric: true, write: func(m *clockTime, _ bool, _ string) string {
		return fmt.Sprintf("%0*d", width, get(m))
	}}
}

// name is a field of a word in the case of its pattern, filled with blanks to a
// width.
func name(pattern string, width int, get func(m *clockTime) string) charField {
	return charField{pattern: pattern, calendar: true, word: true, write: func(m *clockTime, fill bool, as string) string {
		text := inCaseOf(get(m), as)
		if fill && len(text) < width {
			text += strings.Repeat(" ", width-len(text))
		}
		return text
	}}
}

// ofCalendar is a field that intervals do not have.
func ofCalendar(f charField) charField {
	f.calendar = true
	return f
}

// inCaseOf returns a word in the case of a pattern: MONTH, Month or month.
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
	{pattern: "Y,YYY", numeric: true, write: func(m *clockTime, _ bool, _ string) string {
		y := m.shownYear(m.year)
		return fmt.Sprintf("%d,%03d", y/1000, y%1000)
	}},
	years("YYYY", 4, func(m *clockTime) int64 { return m.shownYear(m.year) }),
	years("YYY", 3, func(m *clockTime) int64 { return m.shownYear(m.year) % 1000 }),
	years("YY", 2, func(m *clockTime) int64 { return m.shownYear(m.year) % 100 }),
	years("Y", 1, func(m *clockTime) int64 { return m.shownYear(m.year) % 10 }),
	years("IYYY", 4, func(m *clockTime) int64 { return m.shownYear(m.isoYear()) }),
	years("IYY", 3, func(m *clockTime) int64 { return m.shownYear(m.isoYear()) % 1000 }),
	years("IY", 2, func(m *clockTime) int64 { return m.shownYear(m.isoYear()) % 100 }),
	plain("IW", 2, func(m *clockTime) int64 { return m.isoDay()/7 + 1 }),
	plain("IDDD", 3, func(m *clockTime) int64 { return m.isoDay() + 1 }),
	ofCalendar(digits("ID", 1, func(m *clockTime) int64 { return int64((m.weekday+6)%7 + 1) })),
	years("I", 1, func(m *clockTime) int64 { return m.shownYear(m.isoYear()) % 10 }),
	name("MONTH", longestName, func(m *clockTime) string { return time.Month(m.month).String() }),
	name("MON", 0, func(m *clockTime) string { return time.Month(m.month).String()[:3] }),
	digits("MM", 2, func(m *clockTime) int64 { return int64(m.month) }),
	digits("MI", 2, func(m *clockTime) int64 { return m.minute }),
	unshortened("MS", 3, func(m *clockTime) int64 { return m.usec / 1000 }),
	unshortened("US", 6, func(m *clockTime) int64 { return m.usec }),
	unshortened("FF1", 1, func(m *clockTime) int64 { return m.usec / 100_000 }),
	unshortened("FF2", 2, func(m *clockTime) int64 { return m.usec / 10_000 }),
	unshortened("FF3", 3, func(m *clockTime) int64 { return m.usec / 1000 }),
	unshortened("FF4", 4, func(m *clockTime) int64 { return m.usec / 100 }),
	unshortened("FF5", 5, func(m *clockTime) int64 { return m.usec / 10 }),
	unshortened("FF6", 6, func(m *clockTime) int64 { return m.usec }),
	{pattern: "FX", write: func(*clockTime, bool, string) string { return "" }},
	name("DAY", longestName, func(m *clockTime) string { return time.Weekday(m.weekday).String() }),
	name("DY", 0, func(m *clockTime) string { return time.Weekday(m.weekday).String()[:3] }),
	plain("DDD", 3, func(m *clockTime) int64 { return int64(m.yearDay) }),
	plain("DD", 2, func(m *clockTime) int64 { return int64(m.day) }),
	ofCalendar(digits("D", 0, func(m *clockTime) int64 { return int64(m.weekday) + 1 })),
	digits("HH24", 2, func(m *clockTime) int64 { return m.hour }),
	twelveHours("HH12"), twelveHours("HH"),
	digits("SSSSS", 0, (*clockTime).secondsOfDay), digits("SSSS", 0, (*clockTime).secondsOfDay),
	digits("SS", 2, func(m *clockTime) int64 { return m.sec }),
	plain("WW", 2, func(m *clockTime) int64 { return int64(m.yearDay-1)/7 + 1 }),
	digits("W", 0, func(m *clockTime) int64 { return int64(m.day-1)/7 + 1 }),
	digits("CC", 2, (*clockTime).century),
	{pattern: "Q", numeric: true, write: func(m *clockTime, _ bool, _ string) string {
		if m.month == 0 {
			return ""
		}
		return strconv.Itoa((m.month-1)/3 + 1)
	}},
	{pattern: "RM", write: func(m *clockTime, fill bool, as string) string { return m.romanMonth(fill, as) }},
	digits("J", 0, func(m *clockTime) int64 { return julianDay(m.year, int64(m.month), int64(m.day)) }),
	ofCalendar(charField{pattern: "TZH", write: func(m *clockTime, _ bool, _ string) string {
		return string(appendOffset(nil, m.offset)[:len("-00")])
	}}),
	ofCalendar(charField{pattern: "TZM", write: func(m *clockTime, _ bool, _ string) string {
		return string(appendTwo(nil, uint64(max(m.offset, -m.offset)/60%60)))
	}}),
	ofCalendar(charField{pattern: "OF", write: func(m *clockTime, fill bool, _ string) string {
		text := string(appendOffset(nil, m.offset/60*60))
		if !fill && text[1] == '0' {
			text = text[:1] + text[2:]
		}
		return text
	}}),
	ofCalendar(charField{pattern: "TZ", write: func(m *clockTime, _ bool, as string) string { return inCaseOf(m.zone, as) }}),
	halfDay("AM"), halfDay("PM"), halfDay("A.M."), halfDay("P.M."),
	era("AD"), era("BC"), era("A.D."), era("B.C."),
}

// twelveHours is a field of the hour on a clock's face.
func twelveHours(pattern string) charField {
	return charField{pattern: pattern, numeric: true, write: func(m *clockTime, fill bool, _ string) string {
		width, hour := 2, m.hour%12
		if m.hour < 0 {
			width = 3
		}
		if hour == 0 {
			hour = 12
		}
		if !fill {
			width = 0
		}
		return fmt.Sprintf("%0*d", width, hour)
	}}
}

func (m *clockTime) secondsOfDay() int64 { return m.hour*3600 + m.minute*60 + m.sec }

func (m *clockTime) century() int64 {
	switch {
	case m.interval:
		return m.year / 100
	case m.year > 0:
		return (m.year-1)/100 + 1
	}
	return m.year/100 - 1
}

// shownYear is a year as it is written beside its era; years of intervals have none.
func (m *clockTime) shownYear(year int64) int64 {
	if !m.interval && year <= 0 {
		return 1 - year
	}
	return year
}

var romanMonths = [...]string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}

// romanMonth is the month in Roman numerals. Months before the start of an interval
// count from December, and whole years are that month, too.
func (m *clockTime) romanMonth(fill bool, as string) string {
	var text string
	switch {
	case m.month == 0 && m.year == 0:
		return ""
	case m.month == 0 && m.year < 0:
		text = romanMonths[0]
	case m.month == 0:
		text = romanMonths[11]
	case m.month < 0:
		text = romanMonths[12+m.month]
	default:
		text = romanMonths[m.month-1]
	}
	if fill {
		text = fmt.Sprintf("%-4s", text)
	}
	return inCaseOf(text, as)
}

// halfDay is a field that says the half of the day, in the form of its pattern.
func halfDay(pattern string) charField {
	return charField{pattern: pattern, write: func(m *clockTime, _ bool, as string) string {
		half := "A" + pattern[1:]
		if m.hour%24 >= 12 {
			half = "P" + pattern[1:]
		}
		return inCaseOf(half, as)
	}}
}

// era is a field that says the era, in the form of its pattern.
func era(pattern string) charField {
	names := [2]string{"AD", "BC"}
	if strings.Contains(pattern, ".") {
		names = [2]string{"A.D.", "B.C."}
	}
	return charField{pattern: pattern, calendar: true, write: func(m *clockTime, _ bool, as string) string {
		if m.year <= 0 {
			return inCaseOf(names[1], as)
		}
		return inCaseOf(names[0], as)
	}}
}

// findField finds the pattern that s begins with, nil for none.
func findField(s string) (*charField, string) {
	for i := range charFields {
		f := &charFields[i]
		n := len(f.pattern)
		if len(s) < n || !strings.EqualFold(s[:n], f.pattern) {
			continue
		}
		oneCapital := f.pattern[:1] + strings.ToLower(f.pattern[1:])
		if as := s[:n]; as == f.pattern || as == strings.ToLower(f.pattern) || f.word && as == oneCapital {
			return f, s[n:]
		}
	}
	return nil, s
}

// clockTime is a timestamp in its parts, or an interval.
type clockTime struct {
	year                    int64
	month, day              int
	yearDay, weekday        int // from 1; from 0 for Sunday
	hour, minute, sec, usec int64
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
	m.usec = ofDay % 1_000_000
	seconds := ofDay / 1_000_000
	m.hour, m.minute, m.sec = seconds/3600, seconds/60%60, seconds%60
	return m
}

// The parts of ISO weeks are computed of year, month and day, which for an interval
// are no date.

// julianDay is the number of a day of the Julian period in the Gregorian calendar; the
// day may lie outside the month.
func julianDay(year, month, day int64) int64 {
	const julianEpoch = 2440588
	// March is the first month, so that a leap day is the last of its year.
	fromMarch := month - 3
	if month < 3 {
		year, fromMarch = year-1, month+9
	}
	// 7834/256 days are a month's on the average, from month 4 on counted in full.
	inYear := 7834*(fromMarch+4)/256 - 7834*4/256
	return julianEpoch + daysOf(year, 3, 1) + inYear + day - 1
}

// isoStart is the Monday of the first ISO week of a year: that of January 4th.
func isoStart(year int64) int64 {
	fourth := julianDay(year, 1, 4)
	return fourth - (fourth%7+7)%7
}

// isoYear is the year that the ISO week belongs to.
func (m *clockTime) isoYear() int64 {
	day := julianDay(m.year, int64(m.month), int64(m.day))
	switch {
	case day < isoStart(m.year):
		return m.year - 1
	case day >= isoStart(m.year+1):
		return m.year + 1
	}
	return m.year
}

// isoDay is the day of the ISO year, from 0 on.
func (m *clockTime) isoDay() int64 {
	return julianDay(m.year, int64(m.month), int64(m.day)) - isoStart(m.isoYear())
}
