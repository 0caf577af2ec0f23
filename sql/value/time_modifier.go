package value

// The routines of the modifiers of types: an interval down to a field, as in INTERVAL
// DAY TO MINUTE, with so many digits of a second, and a timestamp or a time with so many.
const (
	IntervalTo = "interval to field"
	RoundTime  = "round time"
)

// maxTimePrecision is how many digits of a second there are.
const maxTimePrecision = 6

var modifierRoutines = map[string][]Routine{
	IntervalTo: {{Params: "isw", Result: 'i', Call: func(a []Value) (Value, error) {
		return intervalValue(a[0].Interval.DownTo(a[1].S, a[2].I)), nil
	}}},
	RoundTime: {{Params: "tw", Result: 't', Call: roundTime}, {Params: "zw", Result: 'z', Call: roundTime},
		{Params: "kw", Result: 'k', Call: func(a []Value) (Value, error) { return intValue(RoundToDigits(a[0].I, a[1].I)), nil }}},
}

// DownTo drops what is below a field, which is "" for none, and rounds to digits of a
// second.
func (iv Interval) DownTo(field string, precision int64) Interval {
	switch field {
	case "year":
		return Interval{Months: iv.Months / 12 * 12}
	case "month":
		return Interval{Months: iv.Months}
	case "day":
		iv.Micros = 0
	case "hour":
		iv.Micros -= iv.Micros % (3600 * microsPerSecond)
	case "minute":
		iv.Micros -= iv.Micros % (60 * microsPerSecond)
	}
	iv.Micros = RoundToDigits(iv.Micros, precision)
	return iv
}

// RoundToDigits rounds to digits of a second, halves away from zero.
func RoundToDigits(micros, precision int64) int64 {
	if precision >= maxTimePrecision {
		return micros
	}
	unit := Pow10Int64(int(maxTimePrecision - precision))
	if micros < 0 {
		return -((-micros + unit/2) / unit * unit)
	}
	return (micros + unit/2) / unit * unit
}

// RoundMicros rounds a timestamp to digits of a second. What away from zero is counts from
// 2000 on, as in PostgreSQL.
func RoundMicros(micros, digits int64) int64 {
	if !IsFiniteTimestamp(micros) {
		return micros
	}
	const epoch = 946_684_800 * microsPerSecond
	return RoundToDigits(micros-epoch, digits) + epoch
}

func roundTime(a []Value) (Value, error) { return intValue(RoundMicros(a[0].I, a[1].I)), nil }
