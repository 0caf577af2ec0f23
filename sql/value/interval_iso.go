package value

import (
	"math"
	"strconv"
	"strings"
)

// decodeISO reads an interval of ISO 8601: P1Y2M3DT4H5M6S, or in the alternative
// format P0001-02-03T04:05:06.
func (d *intervalDecoder) decodeISO(s string) decodeStatus {
	s = strings.TrimRight(s, cSpace)
	if len(s) < 2 || s[0] != 'P' {
		return badFormat
	}
	rest, inTime, anyField := s[1:], false, false
	for rest != "" {
		if rest[0] == 'T' {
			inTime, anyField = true, false
			rest = rest[1:]
			continue
		}
		n, fraction, after, status := isoNumber(rest)
		if status != decoded {
			return status
		}
		unit := byte(0)
		if after != "" {
			unit = after[0]
			after = after[1:]
		}
		field, known := isoUnit(unit, inTime)
		if !known {
			if anyField {
				return badFormat
			}
			return d.isoAlternative(rest, inTime)
		}
		if status := d.addISO(field, n, fraction); status != decoded {
			return status
		}
		anyField = true
		rest = after
	}
	return decoded
}

// isoUnit is the field of a designator.
func isoUnit(c byte, inTime bool) (unit Field, known bool) {
	switch {
	case inTime && c == 'H':
		return Hour, true
	case inTime && c == 'M':
		return Minute, true
	case inTime && c == 'S':
		return Second, true
	case inTime:
		return 0, false
	case c == 'Y':
		return Year, true
	case c == 'M':
		return Month, true
	case c == 'W':
		return Week, true
	case c == 'D':
		return Day, true
	}
	return 0, false
}

// addISO adds without regard to a field's being given twice, which ISO 8601
// text may.
func (d *intervalDecoder) addISO(unit Field, n int64, fraction float64) decodeStatus {
	d.seen = 0
	return d.add(unit, n, fraction)
}

// isoAlternative reads yyyy-mm-dd before the T, yyyymmdd, and hh:mm:ss or hhmmss
// after it.
func (d *intervalDecoder) isoAlternative(s string, inTime bool) decodeStatus {
	if !inTime {
		date, clock, hasClock := strings.Cut(s, "T")
		if status := d.isoParts(date, "-", []Field{Year, Month, Day}, []int{4, 2, 2}); status != decoded {
			return status
		}
		if !hasClock {
			return decoded
		}
		s = clock
	}
	return d.isoParts(s, ":", []Field{Hour, Minute, Second}, []int{2, 2, 2})
}

// isoParts reads numbers with a separator between them, or run together when
// there is no separator and the widths add up.
func (d *intervalDecoder) isoParts(s, separator string, units []Field, widths []int) decodeStatus {
	parts := strings.Split(s, separator)
	if whole, fraction, _ := strings.Cut(s, "."); len(parts) == 1 && len(whole) == widths[0]+widths[1]+widths[2] {
		second := widths[0] + widths[1]
		parts = []string{s[:widths[0]], s[widths[0]:second], s[second:len(whole)]}
		if fraction != "" {
			parts[2] += "." + fraction
		}
	}
	if len(parts) > len(units) {
		return badFormat
	}
	for i, part := range parts {
		n, fraction, after, status := isoNumber(part)
		if status != decoded {
			return status
		}
		if after != "" {
			return badFormat
		}
		if status := d.addISO(units[i], n, fraction); status != decoded {
			return status
		}
	}
	return decoded
}

// isoNumber reads a number with its sign and its fraction.
func isoNumber(s string) (n int64, fraction float64, after string, status decodeStatus) {
	start := 0
	if s != "" && s[0] == '-' {
		start = 1
	}
	end := skip(s, start, func(c byte) bool { return isDigit(c) || c == '.' })
	if end == start {
		return 0, 0, "", badFormat
	}
	end += exponentLength(s[end:])
	f, err := strconv.ParseFloat(s[:end], 64)
	if err != nil {
		return 0, 0, "", badFormat
	}
	if !fitsInt64(f) {
		return 0, 0, "", fieldOverflow
	}
	whole := math.Trunc(f)
	return int64(whole), f - whole, s[end:], decoded
}

// exponentLength is the length of the exponent that a text begins with; 0 for none.
func exponentLength(s string) int {
	digits := 1
	if len(s) < 2 || s[0]|0x20 != 'e' {
		return 0
	}
	if s[1] == '-' || s[1] == '+' {
		digits = 2
	}
	if end := skip(s, digits, isDigit); end > digits {
		return end
	}
	return 0
}
