package value

// Age is age(a, b): the difference of two timestamps in years, months, days and
// time. The days of a month that is not whole are those of the month that the
// earlier one is in.
func Age(a, b int64) (Interval, error) {
	if a < b {
		iv, err := Age(b, a)
		if err != nil {
			return Interval{}, err
		}
		return iv.Neg()
	}
	daysA, timeA := splitTimestamp(a)
	daysB, timeB := splitTimestamp(b)
	yearA, monthA, dayA := civil(daysA)
	yearB, monthB, dayB := civil(daysB)
	months := (yearA-yearB)*12 + int64(monthA-monthB)
	days, micros := int64(dayA-dayB), timeA-timeB
	if micros < 0 {
		micros += microsPerDay
		days--
	}
	if days < 0 {
		days += int64(daysInMonth(yearB, monthB))
		months--
	}
	return makeInterval(months, days, micros, true)
}
