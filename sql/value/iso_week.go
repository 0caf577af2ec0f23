package value

// The parts of ISO weeks are computed of year, month and day, which for an interval
// are no date.

// julianDay is the number of a day of the Julian period in the Gregorian calendar; the
// day may lie outside the month.
func julianDay(year, month, day int64) int64 {
	const julianEpoch = 2440588
	// March is the first month, so that a leap day is the last of its year.
	fromMarch := month - 3
	if month < 3 {
		year, fromMarch = year-1, month+9
	}
	// 7834/256 days are a month's on the average, from month 4 on counted in full.
	inYear := 7834*(fromMarch+4)/256 - 7834*4/256
	return julianEpoch + daysOf(year, 3, 1) + inYear + day - 1
}

// isoStart is the Monday of the first ISO week of a year: that of January 4th.
func isoStart(year int64) int64 {
	fourth := julianDay(year, 1, 4)
	return fourth - (fourth%7+7)%7
}

// isoYear is the year that the ISO week belongs to.
func (m *clockTime) isoYear() int64 {
	day := julianDay(m.year, int64(m.month), int64(m.day))
	switch {
	case day < isoStart(m.year):
		return m.year - 1
	case day >= isoStart(m.year+1):
		return m.year + 1
	}
	return m.year
}

// isoDay is the day of the ISO year, from 0 on.
func (m *clockTime) isoDay() int64 {
	return julianDay(m.year, int64(m.month), int64(m.day)) - isoStart(m.isoYear())
}
