package value

import (
	"math"
	"strconv"
	"strings"
)

// calendarConvention is what the fields of a date count: the days of months and years, or of
// weeks that belong to one year whole, by ISO 8601.
type calendarConvention uint8

const (
	anyConvention calendarConvention = iota
	byMonths
	byWeeks
)

// dateReader is what has been read of a date; a number of 0 has not.
type dateReader struct {
	meter                     *Meter
	source                    string
	text                      string // what is left
	skipped                   int    // blanks of the text for which the pattern had nothing
	year, month, day, yearDay int64
	weekday                   int64 // Sunday is 1
	julian, century           int64
	week, monthWeek           int64
	yearDigits                int
	beforeChrist              bool
	convention                calendarConvention
	ofDay                     int64 // seconds
	hour, minute, sec, ms, us int64
	places                    int64 // that the fraction of the seconds is rounded to; 0: all
	zoneSign                  int64 // 0: no zone has been read
	zoneHour, zoneMinute      int64
	fixed                     bool // FX: blanks are read as any other character
	strict                    bool // all of the text is as the pattern says
	twelve                    bool // the hour is one of twelve
	afternoon                 bool
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func (r *dateReader) usec() int64 { return r.ms*1000 + r.us }

// clock is the time of day that has been read, in microseconds.
func (r *dateReader) clock() int64 {
	return ((r.hour*60+r.minute)*60+r.sec)*microsPerSecond + r.usec()
}

// exactly passes over what stands where a strict pattern has no field.
func (r *dateReader) exactly(text string, quoted bool) error {
	for _, c := range text {
		rest, found := strings.CutPrefix(r.text, string(c))
		switch {
		case found:
		case r.text == "":
			return errTooShort()
		case quoted:
			return Errorf(CodeDatetimeFormat, "unmatched format character \"%s\"", string(c))
		default:
			return Errorf(CodeDatetimeFormat, "unmatched format separator \"%s\"", string(c))
		}
		r.text = rest
	}
	return nil
}

// checkEnd fails where something is left of a strict pattern, or of its text.
func (r *dateReader) checkEnd(pattern string) error {
	switch {
	case pattern != "":
		return errTooShort()
	case strings.TrimLeft(r.text, cSpace) != "":
		return Errorf(CodeDatetimeFormat, "trailing characters remain in input string after datetime format")
	}
	return nil
}

func errTooShort() error {
	return Errorf(CodeDatetimeFormat, "input string is too short for datetime format")
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
	for r.text != "" && isBlank(r.text[0]) {
		r.text = r.text[1:]
	}
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
