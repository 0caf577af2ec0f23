package value

import "strconv"

// AppendInterval appends an interval in a style.
func (st Style) AppendInterval(dst []byte, iv Interval) []byte {
	switch st.Interval {
	case VerboseIntervals:
		return partsOf(iv).appendVerbose(dst)
	case SQLIntervals:
		return partsOf(iv).appendSQL(dst)
	case ISOIntervals:
		return partsOf(iv).appendISO(dst)
	}
	return iv.Append(dst)
}

// intervalParts are the fields of an interval: years, months, days, hours and minutes,
// and the microseconds that are left.
type intervalParts struct {
	n      [5]int64
	micros int64
}

func partsOf(iv Interval) *intervalParts {
	return &intervalParts{
		n: [5]int64{
			int64(iv.Months / monthsPerYear), int64(iv.Months % monthsPerYear), int64(iv.Days),
			iv.Micros / microsPerHour, iv.Micros / microsPerMinute % 60,
		},
		micros: iv.Micros % microsPerMinute,
	}
}

// appendSeconds appends seconds, with two digits before the point or as few as there
// are, without their sign.
func appendSeconds(dst []byte, micros int64, padded bool) []byte {
	if micros < 0 {
		micros = -micros
	}
	at := len(dst)
	dst = appendClock(dst, uint64(micros)) // 00:00:ss
	skip := len("00:00:")
	if !padded && dst[at+skip] == '0' {
		skip++
	}
	return append(dst[:at], dst[at+skip:]...)
}

// appendVerbose appends @ 1 year 2 mons ago.
func (p *intervalParts) appendVerbose(dst []byte) []byte {
	dst = append(dst, '@')
	zero, ago := true, false
	for i, n := range p.n {
		if n == 0 {
			continue
		}
		if zero {
			ago = n < 0
		}
		if ago {
			n = -n
		}
		zero = false
		dst = strconv.AppendInt(append(dst, ' '), n, 10)
		dst = append(append(dst, ' '), [...]string{"year", "mon", "day", "hour", "min"}[i]...)
		if n != 1 {
			dst = append(dst, 's')
		}
	}
	if p.micros != 0 {
		dst = append(dst, ' ')
		switch negative := p.micros < 0; {
		case negative && zero:
			ago = true
		case negative != ago:
			dst = append(dst, '-')
		}
		zero = false
		dst = append(appendSeconds(dst, p.micros, false), " sec"...)
		if p.micros != microsPerSecond && p.micros != -microsPerSecond {
			dst = append(dst, 's')
		}
	}
	if zero {
		dst = append(dst, " 0"...)
	}
	if ago {
		dst = append(dst, " ago"...)
	}
	return dst
}

// appendISO appends P1Y2M3DT4H5M6S.
func (p *intervalParts) appendISO(dst []byte) []byte {
	if *p == (intervalParts{}) {
		return append(dst, "PT0S"...)
	}
	dst = append(dst, 'P')
	for i, n := range p.n {
		if i == 3 && (p.n[3] != 0 || p.n[4] != 0 || p.micros != 0) {
			dst = append(dst, 'T')
		}
		if n != 0 {
			dst = append(strconv.AppendInt(dst, n, 10), "YMDHM"[i])
		}
	}
	if p.micros == 0 {
		return dst
	}
	if p.micros < 0 {
		dst = append(dst, '-')
	}
	return append(appendSeconds(dst, p.micros, false), 'S')
}

// appendSQL appends 1-2 for years and months, 3 4:05:06 for the rest, and all with
// signs where the standard has no form.
func (p *intervalParts) appendSQL(dst []byte) []byte {
	negative, positive := p.micros < 0, p.micros > 0
	for _, n := range p.n {
		negative, positive = negative || n < 0, positive || n > 0
	}
	months := p.n[0] != 0 || p.n[1] != 0
	clock := p.n[3] != 0 || p.n[4] != 0 || p.micros != 0
	sign := func(dst []byte, minus bool) []byte {
		if minus {
			return append(dst, '-')
		}
		return append(dst, '+')
	}
	switch {
	case !negative && !positive:
		return append(dst, '0')
	case negative && positive || months && (clock || p.n[2] != 0):
		dst = p.appendMonths(sign(dst, p.n[0] < 0 || p.n[1] < 0))
		dst = appendAbs(sign(append(dst, ' '), p.n[2] < 0), p.n[2])
		return p.appendClock(sign(append(dst, ' '), p.n[3] < 0 || p.n[4] < 0 || p.micros < 0))
	}
	if negative {
		dst = append(dst, '-')
	}
	switch {
	case months:
		return p.appendMonths(dst)
	case p.n[2] != 0:
		dst = append(appendAbs(dst, p.n[2]), ' ')
	}
	return p.appendClock(dst)
}

func (p *intervalParts) appendMonths(dst []byte) []byte {
	return appendAbs(append(appendAbs(dst, p.n[0]), '-'), p.n[1])
}

// appendClock appends hours:minutes:seconds without their sign.
func (p *intervalParts) appendClock(dst []byte) []byte {
	dst = append(appendAbs(dst, p.n[3]), ':')
	dst = append(appendTwo(dst, uint64(max(p.n[4], -p.n[4]))), ':')
	return appendSeconds(dst, p.micros, true)
}

func appendAbs(dst []byte, n int64) []byte { return strconv.AppendInt(dst, max(n, -n), 10) }
