package value

import (
	"math"
	"strconv"
	"strings"
)

// parseFraction reads the digits after the point of seconds, to microseconds.
func parseFraction(digits string) (micros int64, status decodeStatus) {
	if strings.Trim(digits, "0123456789") != "" {
		return 0, badFormat
	}
	f, err := strconv.ParseFloat("0."+digits+"0", 64)
	if err != nil {
		return 0, badFormat
	}
	return int64(math.RoundToEven(f * microsPerSecond)), decoded
}

// parseClock reads hours:minutes, hours:minutes:seconds with a fraction, or
// minutes:seconds.fraction. qualifier is an interval's: with "minute to second"
// two numbers are minutes and seconds. The hours are not limited. A number left
// out is 0, as in PostgreSQL.
func parseClock(text, qualifier string) (micros int64, status decodeStatus) {
	total, status := parseLongClock(text, qualifier)
	micros, ok := total.Int64()
	if status == decoded && !ok {
		status = fieldOverflow
	}
	return micros, status
}

// parseLongClock is parseClock of more microseconds than 64 bits may hold.
func parseLongClock(text, qualifier string) (total Int128, status decodeStatus) {
	micros := int64(0)
	hour, rest, ok := leadingInt(text, 64)
	if !ok {
		return total, fieldOverflow
	}
	if rest == "" || rest[0] != ':' {
		return total, badFormat
	}
	minute, rest, ok := leadingInt(rest[1:], 32)
	if !ok {
		return total, fieldOverflow
	}
	second := int64(0)
	if rest != "" && rest[0] == ':' {
		if second, rest, ok = leadingInt(rest[1:], 32); !ok {
			return total, fieldOverflow
		}
	} else if rest != "" || qualifier == "minute to second" {
		hour, minute, second = 0, hour, minute
	}
	if rest != "" {
		if rest[0] != '.' {
			return total, badFormat
		}
		if micros, status = parseFraction(rest[1:]); status != decoded {
			return total, status
		}
	}
	if hour < 0 || minute < 0 || minute > 59 || second < 0 || second > 60 {
		return total, fieldOverflow
	}
	return Mul64(hour, microsPerHour).AddWrap(Int128Of(minute*microsPerMinute + second*microsPerSecond + micros)), decoded
}

// leadingInt reads the integer that s starts with, as C's strtol does: without
// digits it is 0. ok is false when it does not fit in so many bits.
func leadingInt(s string, bits int) (n int64, rest string, ok bool) {
	start := 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		start = 1
	}
	end := skip(s, start, isDigit)
	if end == start {
		return 0, s, true
	}
	n, err := strconv.ParseInt(s[:end], 10, bits)
	return n, s[end:], err == nil
}

// parseZone reads a numeric time zone like -08 or +05:30, in seconds.
func parseZone(text string) (seconds int64, status decodeStatus) {
	parts := strings.Split(text[1:], ":")
	if len(parts) == 1 && len(parts[0]) > 2 && strings.Trim(parts[0], "0123456789") == "" {
		digits := parts[0]
		parts = []string{digits[:len(digits)-2], digits[len(digits)-2:]}
	}
	if len(parts) > 3 {
		return 0, badFormat
	}
	units := []int64{3600, 60, 1}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		switch {
		case err != nil:
			return 0, badFormat
		case i == 0 && n > 15, i > 0 && n > 59:
			return 0, zoneOverflow
		}
		seconds += int64(n) * units[i]
	}
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, decoded
}

// zoneOffset notes a numeric time zone like -08 or +05:30.
func (d *dateTimeDecoder) zoneOffset(text string) decodeStatus {
	offset, status := parseZone(text)
	d.zone = givenZone{given: true, offset: offset}
	return status
}
