package value

import "time"

// The routines that depend on a style of dates, intervals or floats, which is their last
// argument, but for those of moments, which have the zone behind it.
const (
	StyledDate          = "date of a text in a style"
	StyledTimestamp     = "timestamp of a text in a style"
	StyledMoment        = "moment of a text in a style"
	StyledInterval      = "interval of a text in a style"
	StyledDateText      = "text of a date in a style"
	StyledTimestampText = "text of a timestamp in a style"
	StyledMomentText    = "text of a moment in a style"
	StyledIntervalText  = "text of an interval in a style"
	StyledFloatText     = "text of double precision in a style"
	StyledRealText      = "text of a real in a style"
)

// styleRoutines are these routines.
var styleRoutines = map[string][]Routine{
	StyledDate: {{Params: "ss", Result: 'd', Call: func(a []Value) (Value, error) {
		days, err := ParseStyle(a[1].S).ParseDate(a[0].S)
		return intValue(int64(days)), err
	}}},
	StyledTimestamp: {{Params: "ss", Result: 't', Call: func(a []Value) (Value, error) { return micros(ParseStyle(a[1].S).ParseTimestamp(a[0].S)) }}},
	StyledInterval: {{Params: "ss", Result: 'i', Call: func(a []Value) (Value, error) {
		iv, err := ParseStyle(a[1].S).ParseInterval(a[0].S, "")
		return Value{Kind: Intervals, Interval: iv}, err
	}}},
	StyledMoment: {{Params: "sss", Result: 'z', Call: inZone(func(a []Value, loc *time.Location) (Value, error) {
		return micros(ParseStyle(a[1].S).ParseTimestampTZ(a[0].S, loc))
	})}},
	StyledDateText: {{Params: "ds", Result: 's', Call: func(a []Value) (Value, error) {
		return textValue(string(ParseStyle(a[1].S).AppendDate(nil, int32(a[0].I)))), nil
	}}},
	StyledTimestampText: {{Params: "ts", Result: 's', Call: func(a []Value) (Value, error) {
		return textValue(string(ParseStyle(a[1].S).AppendTimestamp(nil, a[0].I))), nil
	}}},
	StyledIntervalText: {{Params: "is", Result: 's', Call: func(a []Value) (Value, error) {
		return textValue(string(ParseStyle(a[1].S).AppendInterval(nil, a[0].Interval))), nil
	}}},
	StyledFloatText: {{Params: "fs", Result: 's', Call: func(a []Value) (Value, error) {
		return textValue(string(ParseStyle(a[1].S).AppendFloat64(nil, a[0].F))), nil
	}}},
	StyledRealText: {{Params: "rs", Result: 's', Call: func(a []Value) (Value, error) {
		return textValue(string(ParseStyle(a[1].S).AppendFloat32(nil, a[0].F))), nil
	}}},
	StyledMomentText: {{Params: "zss", Result: 's', Call: inZone(func(a []Value, loc *time.Location) (Value, error) {
		return textValue(string(ParseStyle(a[1].S).AppendTimestampTZ(nil, a[0].I, loc))), nil
	})}},
}
