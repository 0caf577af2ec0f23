package value

import (
	"strconv"
	"strings"
	"time"
)

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
				Code: codeDatetimePattern, Message: "hour \"" + strconv.FormatInt(c.hour, 10) + "\" is invalid for the 12-hour clock",
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
		r.err = Errorf(codeDatetimePattern, "invalid value \"%s\" for \"%s\"", r.text[:byteOffset(r.text, int64(len(field)))], field)
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

// localMoment is to_timestamp(text, pattern) in the session's zone.
func localMoment(m *Meter, a []Value, loc *time.Location) (Value, error) {
	if strings.TrimSpace(a[1].S) == "" {
		return Value{}, nil
	}
	local, err := ToTimestamp(m, a[0].S, a[1].S)
	if err != nil {
		return Value{}, err
	}
	return micros(MomentOf(local, loc))
}
