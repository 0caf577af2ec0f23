package value

// FormatDate is the date as PostgreSQL writes it in its ISO style.
func FormatDate(days int32) string { return string(AppendDate(nil, days)) }

// AppendDate appends a date, like 1999-01-08 or 0044-03-15 BC.
func AppendDate(dst []byte, days int32) []byte {
	year, month, day := civil(int64(days))
	return appendEra(appendCivil(dst, year, month, day), year)
}

// FormatTimestamp is the timestamp as PostgreSQL writes it in its ISO style.
func FormatTimestamp(micros int64) string { return string(AppendTimestamp(nil, micros)) }

// AppendTimestamp appends a timestamp, like 1999-01-08 04:05:06.789.
func AppendTimestamp(dst []byte, micros int64) []byte {
	days, ofDay := splitTimestamp(micros)
	year, month, day := civil(days)
	dst = append(appendCivil(dst, year, month, day), ' ')
	return appendEra(appendClock(dst, uint64(ofDay)), year)
}

// appendCivil appends year-month-day, the year without its era.
func appendCivil(dst []byte, year int64, month, day int) []byte {
	if year <= 0 {
		year = 1 - year
	}
	if year > 9999 {
		dst = appendPadded(dst, uint64(year), 5)
	} else {
		dst = appendTwo(appendTwo(dst, uint64(year)/100), uint64(year)%100)
	}
	dst = appendTwo(append(dst, '-'), uint64(month))
	return appendTwo(append(dst, '-'), uint64(day))
}

// appendTwo appends v < 100 with two digits.
func appendTwo(dst []byte, v uint64) []byte {
	return append(dst, byte('0'+v/10), byte('0'+v%10))
}

func appendEra(dst []byte, year int64) []byte {
	if year <= 0 {
		return append(dst, " BC"...)
	}
	return dst
}

// appendClock appends hours:minutes:seconds with the fraction that there is.
func appendClock(dst []byte, micros uint64) []byte {
	dst = appendPadded(dst, micros/microsPerHour, 2)
	dst = appendTwo(append(dst, ':'), micros/microsPerMinute%60)
	dst = appendTwo(append(dst, ':'), micros/microsPerSecond%60)
	fraction := micros % microsPerSecond
	if fraction == 0 {
		return dst
	}
	width := 6
	for fraction%10 == 0 {
		fraction /= 10
		width--
	}
	return appendPadded(append(dst, '.'), fraction, width)
}
