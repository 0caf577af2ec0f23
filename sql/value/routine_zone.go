package value

import (
	"math"
	"strings"
	"time"
)

// The routines that have names of their own since the session's time zone is
// their last argument, but for TZTruncIn, where it is any.
const (
	ToLocal   = "to local time"     // of a moment
	FromLocal = "from local time"   // a moment
	TZText    = "text of a moment"  // with its offset
	TZParse   = "moment of a text"  // local where it names no zone
	TZAdd     = "moment + interval" // days and months in local time
	TZSub     = "moment - interval"
	TZTrunc   = "trunc of a moment" // to a field
	TZTruncIn = "trunc of a moment in a zone"
	TZExtract = "field of a moment"
	TZToChar  = "to_char of a moment"
	TZOfParts = "moment of its parts"
	TZOfText  = "moment of a text by a pattern"
)

// zoneRoutines are the routines that depend on a time zone.
var zoneRoutines = map[string][]Routine{
	"timezone": {
		{Params: "st", Result: 'z', Call: atZone(zoneOfLocal, MomentOf)}, {Params: "sz", Result: 't', Call: atZone(zoneOfMoment, LocalTime)},
		{Params: "it", Result: 'z', Call: atZone(zoneOfShift, MomentOf)}, {Params: "iz", Result: 't', Call: atZone(zoneOfShift, LocalTime)},
	},
	"to_timestamp":     {{Params: "f", Result: 'z', Call: momentOfSeconds}},
	"make_timestamptz": {{Params: "wwwwwfs", Result: 'z', Call: momentOfNamedParts}},
	ToLocal:            {{Params: "zs", Result: 't', Call: inZone(func(a []Value, loc *time.Location) (Value, error) { return micros(LocalTime(a[0].I, loc)) })}},
	FromLocal:          {{Params: "ts", Result: 'z', Call: inZone(func(a []Value, loc *time.Location) (Value, error) { return micros(MomentOf(a[0].I, loc)) })}},
	TZText:             {{Params: "zs", Result: 's', Call: inZone(textOfMoment)}},
	TZParse:            {{Params: "ss", Result: 'z', Call: inZone(func(a []Value, loc *time.Location) (Value, error) { return micros(ParseTimestampTZ(a[0].S, loc)) })}},
	TZAdd: {{Params: "zis", Result: 'z', Call: inZone(func(a []Value, loc *time.Location) (Value, error) {
		return micros(AddIntervalTZ(a[0].I, a[1].Interval, loc))
	})}},
	TZSub:     {{Params: "zis", Result: 'z', Call: inZone(takeFromMoment)}},
	TZTrunc:   {{Params: "szs", Result: 'z', Call: inZone(truncMoment)}},
	TZTruncIn: {{Params: "szs", Result: 'z', Call: truncNamed}},
	TZExtract: {{Params: "szs", Result: 'n', Call: inZone(fieldOfMoment), Nullable: true}},
	TZToChar:  {{Params: "zss", Result: 's', Metered: inZoneMetered(charsOfMoment), Nullable: true}},
	TZOfText:  {{Params: "sss", Result: 'z', Metered: inZoneMetered(localMoment), Nullable: true}},
	TZOfParts: {{Params: "wwwwwfs", Result: 'z', Call: inZone(momentOfParts)}},
}

// inZone is a routine whose last argument is the session's time zone.
func inZone(f func(a []Value, loc *time.Location) (Value, error)) func([]Value) (Value, error) {
	return func(a []Value) (Value, error) {
		name := a[len(a)-1].S
		loc, ok := FindZone(name)
		if !ok {
			return Value{}, errZone(name)
		}
		return f(a, loc)
	}
}

// inZoneMetered is inZone for a routine whose cost grows with its arguments.
func inZoneMetered(f func(m *Meter, a []Value, loc *time.Location) (Value, error)) func(*Meter, []Value) (Value, error) {
	return func(m *Meter, a []Value) (Value, error) {
		return inZone(func(a []Value, loc *time.Location) (Value, error) { return f(m, a, loc) })(a)
	}
}

// micros is a timestamp or a moment as a value.
func micros(n int64, err error) (Value, error) { return intValue(n), err }

func textOfMoment(a []Value, loc *time.Location) (Value, error) {
	return textValue(string(AppendTimestampTZ(nil, a[0].I, loc))), nil
}

func charsOfMoment(m *Meter, a []Value, loc *time.Location) (Value, error) {
	if !IsFiniteTimestamp(a[0].I) {
		return Value{}, nil
	}
	s, err := ToCharTZ(m, a[0].I, a[1].S, loc)
	return textValue(s), err
}

func takeFromMoment(a []Value, loc *time.Location) (Value, error) {
	back, err := a[1].Interval.Neg()
	if err != nil {
		return Value{}, err
	}
	return micros(AddIntervalTZ(a[0].I, back, loc))
}

func truncMoment(a []Value, loc *time.Location) (Value, error) {
	f, err := ParseTruncField(a[0].S, TimestampTZType)
	if err != nil {
		return Value{}, err
	}
	return micros(TruncTimestampTZ(f, a[1].I, loc))
}

// truncNamed is date_trunc(field, moment, zone).
func truncNamed(a []Value) (Value, error) {
	if !IsFiniteTimestamp(a[1].I) {
		return a[1], nil
	}
	loc, err := zoneAtMoment(a[2].S, a[1].I)
	if err != nil {
		return Value{}, err
	}
	return truncMoment(a, loc)
}

func fieldOfMoment(a []Value, loc *time.Location) (Value, error) {
	f, err := ParseExtractField(a[0].S, TimestampTZType)
	if err != nil {
		return Value{}, err
	}
	if !IsFiniteTimestamp(a[1].I) {
		return Value{}, CheckExtracted(f)
	}
	n, err := ExtractTimestampTZ(f, a[1].I, loc)
	return numValue(n), err
}

// atZone is AT TIME ZONE: a zone that find finds, and a time that convert takes to
// it or from it.
func atZone(find func([]Value) (*time.Location, error), convert func(int64, *time.Location) (int64, error)) func([]Value) (Value, error) {
	return func(a []Value) (Value, error) {
		if !IsFiniteTimestamp(a[1].I) {
			return a[1], nil
		}
		loc, err := find(a)
		if err != nil {
			return Value{}, err
		}
		return micros(convert(a[1].I, loc))
	}
}

func zoneOfLocal(a []Value) (*time.Location, error)  { return zoneAtLocal(a[0].S, a[1].I) }
func zoneOfMoment(a []Value) (*time.Location, error) { return zoneAtMoment(a[0].S, a[1].I) }
func zoneOfShift(a []Value) (*time.Location, error)  { return intervalZone(a[0].Interval) }

func momentOfParts(a []Value, loc *time.Location) (Value, error) {
	local, err := makeTimestamp(a)
	if err != nil {
		return Value{}, err
	}
	return micros(MomentOf(local.I, loc))
}

// momentOfNamedParts is make_timestamptz with a zone: a name, or an offset, which is
// east of Greenwich where it is positive.
func momentOfNamedParts(a []Value) (Value, error) {
	local, err := makeTimestamp(a)
	if err != nil {
		return Value{}, err
	}
	name := a[6].S
	switch {
	case name != "" && isDigit(name[0]):
		return Value{}, &Error{
			Code: CodeInvalidParameter, Message: "invalid input syntax for type numeric time zone: \"" + name + "\"",
			Hint: "Numeric time zones must have \"-\" or \"+\" as first character.", Pos: NoPos,
		}
	case strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-"):
		seconds, status := parseZone(name)
		if status != decoded {
			return Value{}, errZone(name)
		}
		return micros(MomentOf(local.I, OffsetZone(int(seconds))))
	}
	loc, err := zoneAtLocal(name, local.I)
	if err != nil {
		return Value{}, err
	}
	return micros(MomentOf(local.I, loc))
}

// momentOfSeconds is to_timestamp(seconds since 1970).
func momentOfSeconds(a []Value) (Value, error) {
	seconds := a[0].F
	switch {
	case math.IsNaN(seconds):
		return Value{}, Errorf(CodeDatetimeOverflow, "timestamp cannot be NaN")
	case math.IsInf(seconds, 0):
		return intValue(infiniteAs(seconds > 0)), nil
	case seconds < MinTimestamp/microsPerSecond, seconds > MaxTimestamp/microsPerSecond:
		return Value{}, Errorf(CodeDatetimeOverflow, "timestamp out of range: \"%g\"", seconds)
	}
	// Rounded as PostgreSQL does, which counts from 2000.
	const epoch = 946_684_800
	return intValue(int64(math.RoundToEven((seconds-epoch)*microsPerSecond)) + epoch*microsPerSecond), nil
}

// localMoment is to_timestamp(text, pattern) in the session's zone.
func localMoment(m *Meter, a []Value, loc *time.Location) (Value, error) {
	if strings.TrimSpace(a[1].S) == "" {
		return Value{}, nil
	}
	return micros(ToTimestamp(m, a[0].S, a[1].S, loc))
}
