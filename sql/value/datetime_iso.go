package value

// The functions here read what most dates and timestamps look like without the
// way through tokens; ok is false for whatever looks different or is wrong.

// isoDate reads yyyy-mm-dd.
func isoDate(s string) (days int64, ok bool) {
	if len(s) != len("yyyy-mm-dd") || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	century, ok1 := twoDigits(s[0:])
	ofCentury, ok2 := twoDigits(s[2:])
	month, ok3 := twoDigits(s[5:])
	day, ok4 := twoDigits(s[8:])
	year := int64(century*100 + ofCentury)
	if !(ok1 && ok2 && ok3 && ok4) || year == 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month) {
		return 0, false
	}
	return daysOf(year, month, day), true
}

// isoTimestamp reads yyyy-mm-dd hh:mm:ss with at most six digits of fraction.
func isoTimestamp(s string) (micros int64, ok bool) {
	const date = len("yyyy-mm-dd")
	if len(s) <= date || s[date] != ' ' && s[date] != 'T' {
		return 0, false
	}
	days, ok := isoDate(s[:date])
	ofDay, clock := isoClock(s[date+1:])
	return days*microsPerDay + ofDay, ok && clock
}

// isoClock reads hh:mm:ss with at most six digits of fraction.
func isoClock(s string) (micros int64, ok bool) {
	const whole = len("hh:mm:ss")
	if len(s) < whole || s[2] != ':' || s[5] != ':' {
		return 0, false
	}
	hour, ok1 := twoDigits(s)
	minute, ok2 := twoDigits(s[3:])
	second, ok3 := twoDigits(s[6:])
	fraction, ok4 := isoFraction(s[whole:])
	if !(ok1 && ok2 && ok3 && ok4) || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	seconds := int64(hour*60+minute)*60 + int64(second)
	return seconds*microsPerSecond + fraction, true
}

// isoFraction reads nothing, or a point and up to six digits.
func isoFraction(s string) (micros int64, ok bool) {
	if s == "" {
		return 0, true
	}
	if s[0] != '.' || len(s) < 2 || len(s) > 7 {
		return 0, false
	}
	for i := 1; i < 7; i++ {
		micros *= 10
		if i < len(s) {
			if !isDigit(s[i]) {
				return 0, false
			}
			micros += int64(s[i] - '0')
		}
	}
	return micros, true
}

// twoDigits reads the two digits that s starts with.
func twoDigits(s string) (n int, ok bool) {
	tens, ones := s[0]-'0', s[1]-'0'
	return int(tens)*10 + int(ones), tens <= 9 && ones <= 9
}
