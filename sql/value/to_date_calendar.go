package value

// follow notes the convention of a field, and reports whether another one's came before.
func (r *dateReader) follow(field string) bool {
	of := anyConvention
	switch field {
	case "IYYY", "IYY", "IY", "I", "IW", "ID", "IDDD":
		of = byWeeks
	case "YYYY", "YYY", "Y,YYY", "YY", "Y", "MM", "MON", "MONTH", "DD", "DDD", "WW", "W", "D":
		of = byMonths
	}
	if of == anyConvention || r.convention == of {
		return true
	}
	before := r.convention
	r.convention = of
	return before == anyConvention
}

// readRare reads a field that dates seldom have.
func (r *dateReader) readRare(field, as string, number func(to *int64, width int) (int, error)) (err error) {
	switch field {
	case "J":
		_, err = number(&r.julian, 1)
	case "CC":
		_, err = number(&r.century, 2)
	case "WW", "IW":
		_, err = number(&r.week, 2)
	case "W":
		_, err = number(&r.monthWeek, 1)
	case "D":
		_, err = number(&r.weekday, 1)
	case "ID":
		var fromMonday int64
		if _, err = number(&fromMonday, 1); err == nil {
			if fromMonday > 6 {
				fromMonday = 0
			}
			err = setField(&r.weekday, fromMonday+1, as)
		}
	case "Q": // says less than a month does
		var quarter int64
		_, err = number(&quarter, 1)
	default:
		era, words := int64(0), []string{"AD", "BC"}
		if len(field) > 2 {
			words = []string{"A.D.", "B.C."}
		}
		err = r.word(&era, as, words)
		r.beforeChrist = era == 2
	}
	return err
}

// fullYear is the year that has been read, in which 0 is 1 BC.
func (r *dateReader) fullYear() int64 {
	year, century := r.year, r.century
	if r.beforeChrist {
		year, century = -year, -century
	}
	switch {
	case year != 0 && (century == 0 || r.yearDigits > 2):
		if year < 0 {
			year++
		}
		return year
	case century == 0:
		return 0
	}
	last := r.year % 100
	switch {
	case r.year == 0 && century > 0:
		return (century-1)*100 + 1
	case r.year == 0:
		return century*100 + 1
	case last == 0 && century > 0:
		return century * 100
	case last == 0:
		return century*100 + 1
	case century > 0:
		return (century-1)*100 + last
	}
	return (century+1)*100 - last + 1
}

// isoWeekOne is the Monday of the first week of a year.
func isoWeekOne(year int64) (days int64) {
	within := daysOf(year, 1, 4)
	return within - (weekday(within)+6)%7
}

// date is the day that has been read, in the year 1 BC, January and on the first where the
// text says no other.
func (r *dateReader) date() (days int64, err error) {
	year, month, day := r.fullYear(), r.month, r.day
	hasYear := r.year != 0 || r.century != 0
	take := func(days int64) {
		y, m, d := civil(days)
		year, hasYear = y, true
		if month == 0 {
			month = int64(m)
		}
		if day == 0 {
			day = int64(d)
		}
	}
	if r.monthWeek != 0 {
		day = (r.monthWeek-1)*7 + 1
	}
	if r.julian != 0 {
		take(r.julian - julianDay(1970, 1, 1))
	}
	switch {
	case r.week != 0 && r.convention == byWeeks:
		days := isoWeekOne(year) + (r.week-1)*7
		if r.weekday != 0 {
			days += (r.weekday + 5) % 7
		}
		take(days)
	case r.week != 0:
		r.yearDay = (r.week-1)*7 + 1
	}
	if r.yearDay != 0 && (month <= 1 || day <= 1) {
		if year == 0 && !r.beforeChrist {
			return 0, Errorf(CodeDatetimeFormat, "cannot calculate day of year without year information")
		}
		if r.convention == byWeeks {
			take(isoWeekOne(year) + r.yearDay - 1)
		} else if ofMonth := r.dayOfYear(year, &month); day <= 1 {
			day = ofMonth
		}
	}
	whole := hasYear && month != 0 && day != 0
	if month == 0 {
		month = 1
	}
	if day == 0 {
		day = 1
	}
	if month < 1 || month > 12 || day < 1 || day > 31 || whole && day > int64(daysInMonth(year, int(month))) ||
		r.hour < 0 || r.hour > 23 || r.minute < 0 || r.minute > 59 || r.sec < 0 || r.sec > 59 || r.usec() < 0 || r.usec() >= microsPerSecond {
		return 0, Errorf(CodeDatetimeOverflow, "date/time field value out of range: \"%s\"", r.source)
	}
	return daysOf(year, int(month), int(day)), nil
}

// dayOfYear sets the month that the day of the year lies in, unless a later one is known,
// and returns its day of that month.
func (r *dateReader) dayOfYear(year int64, month *int64) (day int64) {
	of := 1
	for day = r.yearDay; of <= 12 && day > int64(daysInMonth(year, of)); of++ {
		day -= int64(daysInMonth(year, of))
	}
	if *month <= 1 {
		*month = int64(of)
	}
	return day
}
