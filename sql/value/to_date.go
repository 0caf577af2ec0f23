package value

import (
	"strconv"
	"strings"
	"time"
)

// ToDate reads a date by a pattern of PostgreSQL's to_date: YYYY, YY, MM, MON,
// MONTH, DD and DDD. Separators of the pattern match any separators; what
// stands behind the pattern's end does not matter.
func ToDate(m *Meter, text, pattern string) (int32, error) {
	return newDateReader(m, text).run(text, pattern)
}

func newDateReader(m *Meter, text string) *dateReader {
	return &dateReader{meter: m, text: strings.TrimLeft(text, " "), year: 0, month: 1, day: 1}
}

// run reads a text by a pattern and returns its date.
func (r *dateReader) run(text, pattern string) (int32, error) {
	for rest := pattern; rest != "" && r.err == nil; {
		r.meter.Must(fieldWork)
		if after, ok := cutPattern(rest, "FM"); ok {
			rest = after
			continue
		}
		field, after := findField(rest)
		if field == nil {
			r.separator(rest[0])
			rest = rest[1:]
			continue
		}
		next, _ := findField(after)
		r.read(field.pattern, next != nil && next.numeric)
		rest = after
	}
	if r.err != nil {
		return 0, r.err
	}
	return r.date(text)
}

// dateReader is what has been read of a date.
type dateReader struct {
	meter      *Meter
	text       string // what is left
	year       int64
	month, day int
	yearDay    int    // 0 for none
	clock      *clock // nil: the text holds no time of day
	err        error
}

// separator passes over what stands where the pattern has a character that is
// no field.
func (r *dateReader) separator(c byte) {
	if r.text == "" {
		return
	}
	letter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	digit := r.text[0] >= '0' && r.text[0] <= '9'
	if !digit && (letter(c) || !letter(r.text[0])) {
		r.text = r.text[1:]
	}
}

// read reads a field; with fixed another number follows at once.
func (r *dateReader) read(field string, fixed bool) {
	r.text = strings.TrimLeft(r.text, " ")
	switch field {
	case "YYYY":
		r.year = r.number(field, 4, fixed, 9)
	case "YY":
		r.year = r.number(field, 2, fixed, 2)
		if r.year < 70 {
			r.year += 2000
		} else {
			r.year += 1900
		}
	case "MM":
		r.month = int(r.number(field, 2, true, 2))
	case "DD":
		r.day = int(r.number(field, 2, true, 2))
	case "DDD":
		r.yearDay = int(r.number(field, 3, true, 3))
	case "MON", "MONTH":
		r.name(field)
	default:
		if r.clock != nil && r.readClock(field) {
			return
		}
		r.err = Errorf(CodeFeatureNotSupported, "the pattern %s of to_date and to_timestamp is not supported", field)
	}
}

// number reads a number of at most width digits, or where nothing follows it,
// of most digits.
func (r *dateReader) number(field string, width int, fixed bool, most int) int64 {
	if !fixed {
		width = most
	}
	n := 0
	for n < len(r.text) && n < width && r.text[n] >= '0' && r.text[n] <= '9' {
		n++
	}
	if n == 0 {
		if r.text != "" {
			r.err = &Error{
				Code: CodeDatetimeFormat, Message: "invalid value \"" + r.text[:byteOffset(r.text, int64(width))] + "\" for \"" + field + "\"",
				Detail: "Value must be an integer.", Pos: NoPos,
			}
		}
		return 0
	}
	x, _ := strconv.ParseInt(r.text[:n], 10, 64)
	r.text = r.text[n:]
	return x
}

// name reads the name of a month, or its first three letters.
func (r *dateReader) name(field string) {
	for m := time.January; m <= time.December; m++ {
		word := m.String()
		if field == "MON" {
			word = word[:3]
		}
		if rest, ok := cutPattern(r.text, word); ok {
			r.month, r.text = int(m), rest
			return
		}
	}
	r.err = &Error{
		Code: CodeDatetimeFormat, Message: "invalid value \"" + r.text + "\" for \"" + field + "\"",
		Detail: "The given value did not match any of the allowed values for this field.", Pos: NoPos,
	}
}

// date is the date that has been read.
func (r *dateReader) date(text string) (int32, error) {
	outOfRange := Errorf(CodeDatetimeOverflow, "date/time field value out of range: \"%s\"", text)
	if r.yearDay > 0 {
		if r.yearDay > 366 || r.yearDay == 366 && !isLeap(r.year) {
			return 0, outOfRange
		}
		return AddDays(int32(daysOf(r.year, 1, 1)), int64(r.yearDay-1))
	}
	if r.month < 1 || r.month > 12 || r.day < 1 || r.day > daysInMonth(r.year, r.month) {
		return 0, outOfRange
	}
	days := daysOf(r.year, r.month, r.day)
	if days > MaxDate {
		return 0, errDateRange()
	}
	return int32(days), nil
}

// clock is the time of day that has been read beside a date.
type clock struct {
	hour, minute, sec, usec int64
	twelve                  bool // the hour is one of twelve
	afternoon               bool
}

// ToTimestamp reads a timestamp by a pattern of PostgreSQL's to_timestamp: those
// that ToDate reads, and HH24, HH12, HH, MI, SS, MS, US, AM and PM.
func ToTimestamp(m *Meter, text, pattern string) (int64, error) {
	r := newDateReader(m, text)
	r.clock = &clock{}
	days, err := r.run(text, pattern)
	if err != nil {
		return 0, err
	}
	c := r.clock
	if c.twelve {
		if c.hour < 1 || c.hour > 12 {
			return 0, &Error{
				Code: CodeDatetimeFormat, Message: "hour \"" + strconv.FormatInt(c.hour, 10) + "\" is invalid for the 12-hour clock",
				Hint: "Use the 24-hour clock, or give an hour between 1 and 12.", Pos: NoPos,
			}
		}
		c.hour %= 12
		if c.afternoon {
			c.hour += 12
		}
	}
	if c.hour > 23 || c.minute > 59 || c.sec > 59 {
		return 0, Errorf(CodeDatetimeOverflow, "date/time field value out of range: \"%s\"", text)
	}
	midnight, err := DateToTimestamp(days)
	return midnight + ((c.hour*60+c.minute)*60+c.sec)*microsPerSecond + c.usec, err
}

// readClock reads a field of the time of day; false where it is none.
func (r *dateReader) readClock(field string) bool {
	c := r.clock
	switch field {
	case "HH24":
		c.hour = r.number(field, 2, true, 2)
	case "HH12", "HH":
		c.hour, c.twelve = r.number(field, 2, true, 2), true
	case "MI":
		c.minute = r.number(field, 2, true, 2)
	case "SS":
		c.sec = r.number(field, 2, true, 2)
	case "MS":
		c.usec = r.fraction(field, 3) * 1000
	case "US":
		c.usec = r.fraction(field, 6)
	case "AM", "PM", "A.M.", "P.M.":
		for _, half := range []string{"A.M.", "P.M.", "AM", "PM"} {
			if rest, ok := cutPattern(r.text, half); ok {
				r.text, c.afternoon = rest, half[0] == 'P'
				return true
			}
		}
		r.err = Errorf(CodeDatetimeFormat, "invalid value \"%s\" for \"%s\"", r.text[:byteOffset(r.text, int64(len(field)))], field)
	default:
		return false
	}
	return true
}

// fraction reads digits behind the point, which width of them make whole.
func (r *dateReader) fraction(field string, width int) int64 {
	before := len(r.text)
	n := r.number(field, width, true, width)
	for range width - (before - len(r.text)) {
		n *= 10
	}
	return n
}
