package value

import "strconv"

// String is the interval as PostgreSQL writes it in its postgres style.
func (iv Interval) String() string { return string(iv.Append(nil)) }

// Append appends an interval, like 1 year 2 mons 3 days 04:05:06.789.
func (iv Interval) Append(dst []byte) []byte {
	start := len(dst)
	afterNegative := false
	for _, part := range [...]struct {
		n    int32
		unit string
	}{
		{iv.Months / monthsPerYear, "year"}, {iv.Months % monthsPerYear, "mon"}, {iv.Days, "day"},
	} {
		if part.n == 0 {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		if afterNegative && part.n > 0 {
			dst = append(dst, '+')
		}
		dst = strconv.AppendInt(dst, int64(part.n), 10)
		dst = append(append(dst, ' '), part.unit...)
		if part.n != 1 {
			dst = append(dst, 's')
		}
		afterNegative = part.n < 0
	}
	if iv.Micros == 0 && len(dst) > start {
		return dst
	}
	if len(dst) > start {
		dst = append(dst, ' ')
	}
	micros := uint64(iv.Micros)
	if iv.Micros < 0 {
		dst = append(dst, '-')
		micros = -micros
	} else if afterNegative {
		dst = append(dst, '+')
	}
	return appendClock(dst, micros)
}
