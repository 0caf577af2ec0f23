package value

import (
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
		meter.Must(fieldWork)
		var p patternPart
		p, rest = nextPart(rest)
		text := p.text
		if p.field != nil {
			if m.interval && p.field.calendar {
				return "", &Error{
					Code: CodeDatetimeFormat, Message: "invalid format specification for an interval value",
					Hint: "Intervals are not tied to specific calendar dates.", Pos: NoPos,
				}
			}
			text = p.field.write(m, p.fill || p.translated && !p.field.word, p.as)
			if p.ordinal != "" && p.field.numeric && text != "" {
				text += ordinalSuffix(text, p.ordinal == "TH")
			}
		}
		out.write(text)
	}
	return out.String(), nil
}

// patternPart is a part of a pattern: a field, as it is written, or text that stands for
// itself.
type patternPart struct {
	field *charField
	as    string
	fill  bool // no FM stands before it
	// translated says that TM does, which drops the blanks behind words.
	translated bool
	ordinal    string // TH or th where one stands behind it
	text       string
}

// nextPart cuts the first part from a pattern that is not empty.
func nextPart(s string) (p patternPart, rest string) {
	p.fill = true
	for _, prefix := range []string{"FM", "fm", "TM", "tm"} {
		if after, ok := strings.CutPrefix(s, prefix); ok {
			p.fill, s = false, after
			p.translated = strings.EqualFold(prefix, "TM")
			break
		}
	}
	field, after := findField(s)
	switch {
	case s == "":
		return p, ""
	case field == nil:
		p.text, rest = literalText(s)
		return p, rest
	}
	p.field, p.as = field, s[:len(s)-len(after)]
	for _, suffix := range []string{"TH", "th", "SP"} {
		if cut, ok := strings.CutPrefix(after, suffix); ok {
			if suffix != "SP" {
				p.ordinal = suffix
			}
			after = cut
			break
		}
	}
	return p, after
}

// literalText cuts what stands for itself: a text in double quotes, in which a
// backslash takes the next character as it is, a quote behind a backslash, or one byte.
func literalText(s string) (text, rest string) {
	if strings.HasPrefix(s, `\"`) {
		return `"`, s[2:]
	}
	if s[0] != '"' {
		return s[:1], s[1:]
	}
	var out strings.Builder
	i := 1
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String(), s[min(i+1, len(s)):]
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

// ToCharInterval writes an interval by a pattern of PostgreSQL's to_char. Hours are
// not carried over into days.
func ToCharInterval(meter *Meter, iv Interval, pattern string) (string, error) {
	m := &clockTime{year: int64(iv.Months) / 12, month: int(iv.Months % 12), day: int(iv.Days), interval: true}
	m.yearDay = int(iv.Months)*30 + int(iv.Days)
	seconds := iv.Micros / microsPerSecond
	m.usec = iv.Micros % microsPerSecond
	m.hour, m.minute, m.sec = seconds/3600, seconds/60%60, seconds%60
	return m.format(meter, pattern)
}

func intervalToChar(m *Meter, a []Value) (Value, error) {
	if a[1].S == "" {
		return Value{}, nil
	}
	s, err := ToCharInterval(m, a[0].Interval, a[1].S)
	return textValue(s), err
}
