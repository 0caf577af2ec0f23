package value

import "strings"

// codeDatetimePattern is the SQLSTATE of a pattern that the value has no part for.
const codeDatetimePattern = "22007"

// calendarPatterns are the patterns of to_char that only dates have parts for;
// unknownPatterns those whose meaning for intervals is PostgreSQL's alone.
var (
	calendarPatterns = []string{"MONTH", "MON", "DAY", "DY", "D", "ID", "TZ", "TZH", "TZM", "OF"}
	unknownPatterns  = []string{"IYYY", "IY", "IW", "J", "Q"}
)

// ToCharInterval writes an interval by a pattern of PostgreSQL's to_char. Hours are
// not carried over into days.
func ToCharInterval(meter *Meter, iv Interval, pattern string) (string, error) {
	for rest := pattern; rest != ""; {
		if err := meter.Check(fieldWork); err != nil {
			return "", err
		}
		if rest[0] == '"' {
			_, rest, _ = strings.Cut(rest[1:], `"`)
			continue
		}
		if after, ok := cutPattern(rest, "FM"); ok {
			rest = after
		}
		field, after := findField(rest)
		if field == nil {
			rest = rest[min(1, len(rest)):]
			continue
		}
		rest = after
		for _, p := range calendarPatterns {
			if p == field.pattern {
				return "", &Error{
					Code: codeDatetimePattern, Message: "invalid format specification for an interval value",
					Hint: "Intervals are not tied to specific calendar dates.", Pos: NoPos,
				}
			}
		}
		for _, p := range unknownPatterns {
			if p == field.pattern {
				return "", Errorf(CodeFeatureNotSupported, "the pattern %s of to_char of an interval is not supported", p)
			}
		}
	}
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
