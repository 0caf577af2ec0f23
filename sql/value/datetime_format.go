package value

// FormatDate is the date as PostgreSQL writes it in its ISO style.
func FormatDate(days int32) string { return string(AppendDate(nil, days)) }

// AppendDate appends a date, like 1999-01-08 or 0044-03-15 BC.
func AppendDate(dst []byte, days int32) []byte {
	if !IsFiniteDate(days) {
		return append(dst, infiniteText(days > 0)...)
	}
	year, month, day := civil(int64(days))
	return appendEra(appendCivil(dst, year, month, day), year)
}

// FormatTimestamp is the timestamp as PostgreSQL writes it in its ISO style.
func FormatTimestamp(micros int64) string { return string(AppendTimestamp(nil, micros)) }

// AppendTimestamp appends a timestamp, like 1999-01-08 04:05:06.789.
func AppendTimestamp(dst []byte, micros int64) []byte {
	if !IsFiniteTimestamp(micros) {
		return append(dst, infiniteText(micros > 0)...)
	}
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
	m, d := 2*month, 2*day
	return append(dst, '-', pairs[m], pairs[m+1], '-', pairs[d], pairs[d+1])
}

// appendTwo appends v < 100 with two digits.
func appendTwo(dst []byte, v uint64) []byte {
	return append(dst, pairs[2*v], pairs[2*v+1])
}

func appendEra(dst []byte, year int64) []byte {
	if year <= 0 {
		return append(dst, " BC"...)
	}
	return dst
}

// appendClock appends hours:minutes:seconds with the fraction that there is.
func appendClock(dst []byte, micros uint64) []byte {
	seconds, fraction := micros/microsPerSecond, micros%microsPerSecond
	if hours := seconds / 3600; hours < 100 {
		dst = appendTwo(dst, hours)
	} else {
		dst = AppendInt(dst, int64(hours))
	}
	m, s := 2*(seconds/60%60), 2*(seconds%60)
	dst = append(dst, ':', pairs[m], pairs[m+1], ':', pairs[s], pairs[s+1])
	if fraction == 0 {
		return dst
	}
	dst = appendTwo(append(dst, '.'), fraction/10_000)
	dst = appendTwo(appendTwo(dst, fraction/100%100), fraction%100)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}
