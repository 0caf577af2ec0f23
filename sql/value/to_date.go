package value

import (
	"strconv"
	"time"
)

// ToDate reads a date by a pattern of PostgreSQL's to_date: YYYY, YYY, YY, Y, CC, BC, AD, MM,
// MON, MONTH, DD, DDD, WW, W and J, or by weeks: IYYY, IYY, IY, I, IW, ID and IDDD. DAY, DY, D,
// Q and what ToTimestamp reads may stand beside them.
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

// ToTimestamp reads a moment by a pattern of PostgreSQL's to_timestamp: those that ToDate reads, and
// HH24, HH12, HH, MI, SS, SSSS, MS, US, FF1 to FF6, AM, PM, TZH and TZM. Without TZH and TZM it is in a zone.
func ToTimestamp(m *Meter, text, pattern string, loc *time.Location) (int64, error) {
	r, err := readDate(m, text, pattern)
	if err != nil {
		return 0, err
	}
	days, err := r.date()
	if err != nil {
		return 0, err
	}
	micros, ok := joinTimestamp(days, r.clock())
	if !ok {
		return 0, errTimestampRange()
	}
	if r.places > 0 {
		micros = RoundToDigits(micros, r.places)
	}
	return r.moment(micros, loc)
}

// readDate reads what a text has of a pattern, which can have more.
func readDate(m *Meter, text, pattern string) (*dateReader, error) {
	r := &dateReader{meter: m, source: text, text: text}
	return r, r.readPattern(pattern)
}

// readPattern reads what the text has of a pattern.
func (r *dateReader) readPattern(pattern string) error {
	for first := true; pattern != "" && r.text != ""; first = false {
		r.meter.Must(fieldWork)
		if first {
			r.skipBlanks()
		}
		quoted := pattern[0] == '"'
		var p patternPart
		if p, pattern = nextPart(pattern); p.field == nil {
			if err := r.literal(p.text, quoted); err != nil {
				return err
			}
			continue
		}
		if p.field.pattern == "FX" {
			r.fixed = true
			continue
		}
		r.skipBlanks()
		if err := r.read(p, endsNumber(p, pattern)); err != nil {
			return err
		}
		r.skipped = 0
		r.skipBlanks()
	}
	if r.strict {
		if err := r.checkEnd(pattern); err != nil {
			return err
		}
	}
	return r.checkClock()
}

// isSeparator reports whether a character of a text or pattern separates fields.
func isSeparator(c byte) bool {
	return c > ' ' && c < 0x7f && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
}

// skipBlanks passes over blanks, which stand anywhere unless the pattern is fixed.
func (r *dateReader) skipBlanks() {
	for !r.fixed && r.text != "" && isBlank(r.text[0]) {
		r.text = r.text[1:]
		r.skipped++
	}
}

// literal passes over what stands where the pattern has no field: a separator for each
// separator, if there is one, and any character for each other, and for all of a fixed pattern.
func (r *dateReader) literal(text string, quoted bool) error {
	if r.strict {
		return r.exactly(text, quoted)
	}
	for i := 0; i < len(text) && r.text != ""; i++ {
		switch c := text[i]; {
		case r.fixed && c&0xc0 != 0x80:
			r.text = r.text[byteOffset(r.text, 1):]
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
	return nil
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
	field := p.field.pattern
	if !r.follow(field) {
		return &Error{
			Code: CodeDatetimeFormat, Message: "invalid combination of date conventions",
			Hint: "Do not mix Gregorian and ISO week date conventions in a formatting template.", Pos: NoPos,
		}
	}
	switch field {
	case "YYYY", "YYY", "YY", "Y", "IYYY", "IYY", "IY", "I":
		var length int
		r.yearDigits = len(field)
		if length, err = number(&r.year, r.yearDigits); length < 4 && r.yearDigits < 4 {
			r.year = nearYear(r.year)
		}
	case "Y,YYY":
		err = r.yearOfThousands(p.as)
	case "MM":
		_, err = number(&r.month, 2)
	case "DD":
		_, err = number(&r.day, 2)
	case "DDD", "IDDD":
		_, err = number(&r.yearDay, 3)
	case "MON", "MONTH":
		err = r.word(&r.month, p.as, names(field, 12, func(i int) string { return time.Month(i + 1).String() }))
	case "DAY", "DY":
		err = r.word(&r.weekday, p.as, names(field, 7, func(i int) string { return time.Weekday(i).String() }))
	case "J", "CC", "WW", "IW", "W", "D", "ID", "Q", "BC", "AD", "B.C.", "A.D.":
		err = r.readRare(field, p.as, number)
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
	case "SSSS", "SSSSS":
		_, err = number(&r.ofDay, len(field))
	case "MS", "US", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6":
		err = r.fraction(field, number)
	case "AM", "PM", "A.M.", "P.M.":
		var half int64
		err = r.word(&half, as, []string{"A" + field[1:], "P" + field[1:]})
		r.twelve, r.afternoon = true, half == 2
	case "TZH", "TZM":
		err = r.zone(field, number)
	default:
		err = Errorf(CodeFeatureNotSupported, "formatting field \"%s\" is only supported in to_char", as)
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
		r.places = int64(width)
	}
	length, err := number(to, width)
	for range places - length {
		*to *= 10
	}
	return err
}

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

// checkClock brings the hour to the clock of 24 hours.
func (r *dateReader) checkClock() error {
	for _, unit := range []struct {
		to      *int64
		seconds int64
	}{{&r.hour, 3600}, {&r.minute, 60}, {&r.sec, 1}} {
		if *unit.to == 0 {
			*unit.to = r.ofDay / unit.seconds
		}
		r.ofDay %= unit.seconds
	}
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
