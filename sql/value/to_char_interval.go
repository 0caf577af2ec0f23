package value

// codeDatetimePattern is the SQLSTATE of a pattern that the value has no part for.
const codeDatetimePattern = "22007"

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
