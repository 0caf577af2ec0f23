package value

import "math"

// makeDate is the date of a year, month and day; negative years are before Christ.
func makeDate(a []Value) (Value, error) {
	days, err := dayOf(a[0].I, a[1].I, a[2].I)
	return intValue(days), err
}

func dayOf(year, month, day int64) (int64, error) {
	of := func() error {
		return Errorf(CodeDatetimeOverflow, "date field value out of range: %d-%02d-%02d", year, month, day)
	}
	y := year
	if y < 0 {
		y++ // there is no year 0
	} else if y == 0 {
		return 0, of()
	}
	if month < 1 || month > 12 || day < 1 || day > int64(daysInMonth(y, int(month))) {
		return 0, of()
	}
	if y < -4713 || y > 5874897 {
		return 0, Errorf(CodeDatetimeOverflow, "date out of range: %d-%02d-%02d", year, month, day)
	}
	return daysOf(y, int(month), int(day)), nil
}

func makeTimestamp(a []Value) (Value, error) {
	days, err := dayOf(a[0].I, a[1].I, a[2].I)
	if err != nil {
		return Value{}, err
	}
	ofDay, err := clockOf(a[3].I, a[4].I, a[5].F)
	if err != nil {
		return Value{}, err
	}
	micros, ok := joinTimestamp(days, ofDay)
	if !ok {
		return Value{}, errTimestampRange()
	}
	return intValue(micros), nil
}

// makeTime is the time of day of an hour, a minute and seconds.
func makeTime(a []Value) (Value, error) {
	ofDay, err := clockOf(a[0].I, a[1].I, a[2].F)
	return intValue(ofDay), err
}

// clockOf is the microseconds of a day up to an hour, a minute and seconds.
func clockOf(hour, minute int64, second float64) (int64, error) {
	if hour < 0 || hour > 24 || minute < 0 || minute > 59 || !(second >= 0 && second <= 60) ||
		hour == 24 && (minute > 0 || second > 0) {
		return 0, Errorf(CodeDatetimeOverflow, "time field value out of range: %d:%02d:%02g", hour, minute, second)
	}
	return hour*microsPerHour + minute*microsPerMinute + int64(math.RoundToEven(second*microsPerSecond)), nil
}

// dateBin is the beginning of the interval of width a[0], counted from a[2] on,
// that a[1] is in.
func dateBin(a []Value) (Value, error) {
	width, at, origin := a[0].Interval, a[1].I, a[2].I
	switch {
	case !IsFiniteTimestamp(at):
		return intValue(at), nil
	case !IsFiniteTimestamp(origin):
		return Value{}, Errorf(CodeDatetimeOverflow, "origin out of range")
	}
	if width.Months != 0 {
		return Value{}, Errorf(CodeFeatureNotSupported, "timestamps cannot be binned into intervals containing months or years")
	}
	step, fits := timesPlus(int64(width.Days), microsPerDay, width.Micros).Int64()
	switch {
	case !fits:
		return Value{}, errIntervalRange()
	case step <= 0:
		return Value{}, Errorf(CodeDatetimeOverflow, "stride must be greater than zero")
	}
	apart, fits := timesPlus(origin, -1, at).Int64()
	if !fits {
		return Value{}, errIntervalRange()
	}
	bin, fits := timestampOf(timesPlus(floorDiv(apart, step), step, origin))
	if !fits {
		return Value{}, errTimestampRange()
	}
	return intValue(bin), nil
}

// timesPlus is x * y + z.
func timesPlus(x, y, z int64) Int128 {
	product, _ := Int128Of(x).Mul(Int128Of(y)) // which always fits
	return product.AddWrap(Int128Of(z))
}

// intervalOf is make_interval of years, months, weeks, days, hours, minutes and
// seconds.
func intervalOf(a []Value) (Value, error) {
	seconds := math.RoundToEven(a[6].F * microsPerSecond)
	if math.IsNaN(seconds) || math.Abs(seconds) >= 1<<62 {
		return Value{}, errIntervalRange()
	}
	const perYear, perWeek = 12, 7
	iv, err := makeInterval(a[0].I*perYear+a[1].I, a[2].I*perWeek+a[3].I, a[4].I*microsPerHour+a[5].I*microsPerMinute+int64(seconds), true)
	return intervalValue(iv), err
}

func onInterval(f func(Interval) (Interval, bool)) func([]Value) (Value, error) {
	return func(a []Value) (Value, error) {
		iv, ok := f(a[0].Interval)
		if !ok {
			return Value{}, errIntervalRange()
		}
		return intervalValue(iv), nil
	}
}

// carried makes an interval of fields of which each keeps the sign of the whole:
// what is over in a finer field goes to the coarser one.
func carried(months, days, micros int64) (Interval, bool) {
	iv, err := makeInterval(months, days, micros, true)
	return iv, err == nil
}

// justifyDays makes a month of every 30 days.
func justifyDays(iv Interval) (Interval, bool) {
	months, days := int64(iv.Months), int64(iv.Days)
	months += days / daysPerMonth
	days %= daysPerMonth
	switch {
	case months > 0 && days < 0:
		months, days = months-1, days+daysPerMonth
	case months < 0 && days > 0:
		months, days = months+1, days-daysPerMonth
	}
	return carried(months, days, iv.Micros)
}

// justifyHours makes a day of every 24 hours.
func justifyHours(iv Interval) (Interval, bool) {
	days, micros := int64(iv.Days), iv.Micros
	days += micros / microsPerDay
	micros %= microsPerDay
	switch {
	case days > 0 && micros < 0:
		days, micros = days-1, micros+microsPerDay
	case days < 0 && micros > 0:
		days, micros = days+1, micros-microsPerDay
	}
	return carried(int64(iv.Months), days, micros)
}

// justifyInterval does both, and makes the signs of all fields equal.
func justifyInterval(iv Interval) (Interval, bool) {
	months, days, micros := int64(iv.Months), int64(iv.Days), iv.Micros
	days += micros / microsPerDay
	micros %= microsPerDay
	months += days / daysPerMonth
	days %= daysPerMonth
	switch {
	case months > 0 && (days < 0 || days == 0 && micros < 0):
		months, days = months-1, days+daysPerMonth
	case months < 0 && (days > 0 || days == 0 && micros > 0):
		months, days = months+1, days-daysPerMonth
	}
	switch {
	case days > 0 && micros < 0:
		days, micros = days-1, micros+microsPerDay
	case days < 0 && micros > 0:
		days, micros = days+1, micros-microsPerDay
	}
	return carried(months, days, micros)
}
