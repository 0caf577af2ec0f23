package value

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// ToDate reads a date by a pattern of PostgreSQL's to_date: YYYY, YYY, YY, Y, MM, MON,
// MONTH, DD and DDD. DAY, DY and what ToTimestamp reads may stand beside them.
func ToDate(m *Meter, text, pattern string) (int32, error) {
	r, err := readDate(m, text, pattern)
	if err != nil {
		return 0, err
	}
	days, err := r.date()
	if err == nil && (days < MinDate || days > MaxDate) {
		err = Errorf(CodeDatetimeOverflow, "date out of range: \"%s\"", text)
	}
	return int32(days), err
}

// ToTimestamp reads a timestamp by a pattern of PostgreSQL's to_timestamp: those
// that ToDate reads, and HH24, HH12, HH, MI, SS, MS, US, FF1 to FF6, AM and PM.
func ToTimestamp(m *Meter, text, pattern string) (int64, error) {
	r, err := readDate(m, text, pattern)
	if err != nil {
		return 0, err
	}
	days, err := r.date()
	if err != nil {
		return 0, err
	}
	micros, ok := joinTimestamp(days, ((r.hour*60+r.minute)*60+r.sec)*microsPerSecond+r.usec())
	if !ok {
		return 0, errTimestampRange()
	}
	return micros, nil
}

// dateReader is what has been read of a date; a number of 0 has not.
type dateReader struct {
	meter                     *Meter
	source                    string
	text                      string // what is left
	skipped                   int    // blanks of the text for which the pattern had nothing
	year, month, day, yearDay int64
	weekday                   int64
	hour, minute, sec, ms, us int64
	twelve                    bool // the hour is one of twelve
	afternoon                 bool
}

// readDate reads what a text has of a pattern, which can have more.
func readDate(m *Meter, text, pattern string) (*dateReader, error) {
	r := &dateReader{meter: m, source: text, text: text}
	for first := true; pattern != "" && r.text != ""; first = false {
		m.Must(fieldWork)
		if first {
			r.skipBlanks()
		}
		quoted := pattern[0] == '"'
		var p patternPart
		if p, pattern = nextPart(pattern); p.field == nil {
			r.literal(p.text, quoted)
			continue
		}
		r.skipBlanks()
		if err := r.read(p, endsNumber(p, pattern)); err != nil {
			return nil, err
		}
		r.skipped = 0
		r.skipBlanks()
	}
	return r, r.checkClock()
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// isSeparator reports whether a character of a text or pattern separates fields.
func isSeparator(c byte) bool {
	return c > ' ' && c < 0x7f && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
}

func (r *dateReader) skipBlanks() {
	for r.text != "" && isBlank(r.text[0]) {
		r.text = r.text[1:]
		r.skipped++
	}
}

// literal passes over what stands where the pattern has no field: a separator for each
// separator, if there is one, and any character for each other.
func (r *dateReader) literal(text string, quoted bool) {
	for i := 0; i < len(text) && r.text != ""; i++ {
		switch c := text[i]; {
		case !quoted && (isBlank(c) || isSeparator(c)):
			r.skipped--
			if isBlank(r.text[0]) || isSeparator(r.text[0]) {
				r.text = r.text[1:]
				r.skipped++
			}
		case c&0xc0 == 0x80: // the rest of a character
		case r.skipped > 0:
			r.skipped--
		default:
			r.text = r.text[byteOffset(r.text, 1):]
		}
	}
}

// endsNumber reports whether no digit can follow a field, so that a number is read as
// far as it goes.
func endsNumber(p patternPart, rest string) bool {
	if !p.fill || p.ordinal != "" || rest == "" {
		return true
	}
	next, _ := nextPart(rest)
	if next.field != nil {
		return !next.field.numeric
	}
	return next.text == "" || next.text[0] < '0' || next.text[0] > '9'
}

// read reads a field.
func (r *dateReader) read(p patternPart, open bool) error {
	number := func(to *int64, width int) (int, error) { return r.number(to, width, p.as, open) }
	var err error
	switch field := p.field.pattern; field {
	case "YYYY":
		_, err = number(&r.year, 4)
	case "YYY", "YY", "Y":
		var length int
		if length, err = number(&r.year, len(field)); length < 4 {
			r.year = nearYear(r.year)
		}
	case "MM":
		_, err = number(&r.month, 2)
	case "DD":
		_, err = number(&r.day, 2)
	case "DDD":
		_, err = number(&r.yearDay, 3)
	case "MON", "MONTH":
		err = r.word(&r.month, p.as, names(field, 12, func(i int) string { return time.Month(i + 1).String() }))
	case "DAY", "DY":
		err = r.word(&r.weekday, p.as, names(field, 7, func(i int) string { return time.Weekday(i).String() }))
	default:
		err = r.readClock(field, p.as, number)
	}
	if p.ordinal != "" && p.field.numeric {
		r.text = r.text[byteOffset(r.text, 2):]
	}
	return err
}

// readClock reads a field of the time of day.
func (r *dateReader) readClock(field, as string, number func(to *int64, width int) (int, error)) (err error) {
	switch field {
	case "HH24":
		_, err = number(&r.hour, 2)
	case "HH12", "HH":
		r.twelve = true
		_, err = number(&r.hour, 2)
	case "MI":
		_, err = number(&r.minute, 2)
	case "SS":
		_, err = number(&r.sec, 2)
	case "MS", "US", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6":
		err = r.fraction(field, number)
	case "AM", "PM", "A.M.", "P.M.":
		var half int64
		err = r.word(&half, as, []string{"A" + field[1:], "P" + field[1:]})
		r.twelve, r.afternoon = true, half == 2
	default:
		err = Errorf(CodeFeatureNotSupported, "the pattern %s of to_date and to_timestamp is not supported", field)
	}
	return err
}

// fraction reads digits behind the point of the seconds.
func (r *dateReader) fraction(field string, number func(to *int64, width int) (int, error)) error {
	to, width, places := &r.us, 6, 6
	switch {
	case field == "MS":
		to, width, places = &r.ms, 3, 3
	case field[0] == 'F':
		width = int(field[2] - '0')
	}
	length, err := number(to, width)
	for range places - length {
		*to *= 10
	}
	return err
}

func (r *dateReader) usec() int64 { return r.ms*1000 + r.us }

// nearYear is the year that a number of less than four digits means: that of them which
// is nearest to 2020.
func nearYear(n int64) int64 {
	switch {
	case n < 70:
		return n + 2000
	case n < 100:
		return n + 1900
	case n < 520:
		return n + 2000
	case n < 1000:
		return n + 1000
	}
	return n
}

// names are the names of months or days, or the first three letters of each.
func names(field string, n int, name func(i int) string) []string {
	all := make([]string, n)
	for i := range all {
		if all[i] = name(i); len(field) <= 3 && field != "DAY" {
			all[i] = all[i][:3]
		}
	}
	return all
}

// word reads one of several words, whatever its case, and sets the number of it.
func (r *dateReader) word(to *int64, field string, words []string) error {
	for i, word := range words {
		if rest, ok := cutPattern(r.text, word); ok {
			r.text = rest
			return setField(to, int64(i+1), field)
		}
	}
	first := r.text
	if i := strings.IndexFunc(first, func(c rune) bool { return c < 0x80 && isBlank(byte(c)) }); i >= 0 {
		first = first[:i]
	}
	return invalidField(first, field, "The given value did not match any of the allowed values for this field.")
}

// number reads a whole number: as far as it goes where the field is open, else of so many
// characters. It returns the number of those that were read.
func (r *dateReader) number(to *int64, width int, field string, open bool) (length int, err error) {
	before := len(r.text)
	shown := r.text[:byteOffset(r.text, int64(width))]
	fail := func(detail string) *Error {
		e := invalidField(shown, field, detail)
		e.Hint = "If your source string is not fixed-width, try using the \"FM\" modifier."
		return e
	}
	if !open && before < width {
		e := fail("Field requires " + strconv.Itoa(width) + " characters, but only " + strconv.Itoa(before) + " remain.")
		e.Message = "source string too short for \"" + field + "\" formatting field"
		return 0, e
	}
	most := before
	if !open {
		most = width
	}
	n, used := wholePrefix(r.text[:most])
	switch {
	case used == 0:
		return 0, invalidField(shown, field, "Value must be an integer.")
	case !open && used < width:
		return 0, fail("Field requires " + strconv.Itoa(width) + " characters, but only " + strconv.Itoa(used) + " could be parsed.")
	case n < math.MinInt32 || n > math.MaxInt32:
		return 0, &Error{
			Code: CodeDatetimeOverflow, Message: "value for \"" + field + "\" in source string is out of range",
			Detail: "Value must be in the range -2147483648 to 2147483647.", Pos: NoPos,
		}
	}
	r.text = r.text[used:]
	return used, setField(to, n, field)
}

// wholePrefix is the whole number that a text begins with, and its length; a number that
// is too large is as large as can be.
func wholePrefix(s string) (n int64, length int) {
	end := 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		end = 1
	}
	digits := end
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if end == digits {
		return 0, 0
	}
	n, _ = strconv.ParseInt(s[:end], 10, 64)
	return n, end
}

// setField sets what a field gives, unless another one has given something else.
func setField(to *int64, n int64, field string) error {
	if *to != 0 && *to != n {
		return &Error{
			Code: CodeDatetimeFormat, Message: "conflicting values for \"" + field + "\" field in formatting string",
			Detail: "This value contradicts a previous setting for the same field type.", Pos: NoPos,
		}
	}
	*to = n
	return nil
}

func invalidField(text, field, detail string) *Error {
	return &Error{Code: CodeDatetimeFormat, Message: "invalid value \"" + text + "\" for \"" + field + "\"", Detail: detail, Pos: NoPos}
}

// checkClock brings the hour to the clock of 24 hours.
func (r *dateReader) checkClock() error {
	if !r.twelve {
		return nil
	}
	if r.hour < 1 || r.hour > 12 {
		return &Error{
			Code: CodeDatetimeFormat, Message: "hour \"" + strconv.FormatInt(r.hour, 10) + "\" is invalid for the 12-hour clock",
			Hint: "Use the 24-hour clock, or give an hour between 1 and 12.", Pos: NoPos,
		}
	}
	r.hour %= 12
	if r.afternoon {
		r.hour += 12
	}
	return nil
}

// date is the day that has been read, in the year 1 BC, January and on the first where the
// text says no other.
func (r *dateReader) date() (days int64, err error) {
	year, month, day := r.year, r.month, r.day
	if year < 0 {
		year++
	}
	if r.yearDay != 0 && (month <= 1 || day <= 1) {
		if year == 0 {
			return 0, Errorf(CodeDatetimeFormat, "cannot calculate day of year without year information")
		}
		if ofMonth := r.dayOfYear(year, &month); day <= 1 {
			day = ofMonth
		}
	}
	whole := r.year != 0 && month != 0 && day != 0
	if month == 0 {
		month = 1
	}
	if day == 0 {
		day = 1
	}
	if month < 1 || month > 12 || day < 1 || day > 31 || whole && day > int64(daysInMonth(year, int(month))) ||
		r.hour < 0 || r.hour > 23 || r.minute < 0 || r.minute > 59 || r.sec < 0 || r.sec > 59 || r.usec() < 0 || r.usec() >= microsPerSecond {
		return 0, Errorf(CodeDatetimeOverflow, "date/time field value out of range: \"%s\"", r.source)
	}
	return daysOf(year, int(month), int(day)), nil
}

// dayOfYear sets the month that the day of the year lies in, unless a later one is known,
// and returns its day of that month.
func (r *dateReader) dayOfYear(year int64, month *int64) (day int64) {
	of := 1
	for day = r.yearDay; of <= 12 && day > int64(daysInMonth(year, of)); of++ {
		day -= int64(daysInMonth(year, of))
	}
	if *month <= 1 {
		*month = int64(of)
	}
	return day
}
