package value

import (
	"math"
	"strconv"
	"strings"
)

// intervalDecoder sums up an interval from its tokens, from right to left,
// since a unit follows its number.
type intervalDecoder struct {
	qualifier                   string
	years, months, days, micros int64

	seen     uint32 // the fields that have been given
	unit     Field  // of the next number, 0 for none
	anything bool
}

func (d *intervalDecoder) decode(tokens []dateTimeToken) decodeStatus {
	ago := false
	for i := len(tokens) - 1; i >= 0; i-- {
		token := tokens[i]
		var status decodeStatus
		switch token.kind {
		case timeToken:
			status = d.clock(token.text, false)
		case zoneToken:
			status = d.signed(token.text)
		case wordToken:
			if token.text == "ago" {
				ago = true
				d.unit = noUnit
				continue
			}
			status = d.word(token.text)
		default:
			status = d.number(token.text)
		}
		if status != decoded {
			return status
		}
	}
	if !d.anything {
		return badFormat
	}
	if ago {
		if d.micros == math.MinInt64 {
			return fieldOverflow
		}
		d.years, d.months, d.days, d.micros = -d.years, -d.months, -d.days, -d.micros
	}
	return decoded
}

// noUnit stands where a number without a unit is an error: before "ago".
const noUnit = Epoch

// word reads a unit.
func (d *intervalDecoder) word(text string) decodeStatus {
	unit, known := fieldNamed(text)
	if !known || unit > Millennium {
		return badFormat
	}
	d.unit = unit
	return decoded
}

// clock reads hours, minutes and seconds with colons. As in PostgreSQL they
// replace what fractions of days after them have given.
func (d *intervalDecoder) clock(text string, negative bool) decodeStatus {
	total, status := parseLongClock(text, d.qualifier)
	if status != decoded {
		return status
	}
	if negative {
		total, _ = total.Neg() // far from the ends of 128 bits
	}
	micros, ok := total.Int64()
	if !ok {
		return fieldOverflow
	}
	if status := d.mark(Hour, Minute, Second, Milliseconds, Microseconds); status != decoded {
		return status
	}
	d.unit = Day // the number before a time, if any, is of days
	d.micros = micros
	return decoded
}

// signed reads a token with a sign: a time or a number.
func (d *intervalDecoder) signed(text string) decodeStatus {
	if strings.Contains(text, ":") {
		if status := d.clock(text[1:], text[0] == '-'); status == decoded {
			return status
		}
	}
	return d.number(text)
}

// number reads a number of the unit that follows it, or of the qualifier's.
func (d *intervalDecoder) number(text string) decodeStatus {
	if d.unit == 0 {
		d.unit = d.defaultUnit()
	}
	n, rest, ok := leadingInt(text, 64)
	fraction := 0.0
	switch {
	case !ok:
		return fieldOverflow
	case rest == "":
	case rest == text && rest[0] != '.':
		return badFormat
	case rest[0] == '-':
		return d.yearsMonths(text, n, rest[1:])
	case rest[0] == '.':
		f, err := strconv.ParseFloat("0"+rest+"0", 64)
		if err != nil || strings.Trim(rest[1:], "0123456789") != "" {
			return badFormat
		}
		if fraction = f; text[0] == '-' {
			fraction = -f
		}
	default:
		return badFormat
	}
	return d.add(d.unit, n, fraction)
}

// yearsMonths reads SQL's 1-2 for one year and two months.
func (d *intervalDecoder) yearsMonths(text string, years int64, months string) decodeStatus {
	m, rest, ok := leadingInt(months, 32)
	if !ok || m < 0 || m >= monthsPerYear {
		return fieldOverflow
	}
	if rest != "" {
		return badFormat
	}
	if text[0] == '-' {
		m = -m
	}
	total, ok := MulOverflow64(years, monthsPerYear)
	if !ok || total > math.MaxInt64-monthsPerYear || total < math.MinInt64+monthsPerYear {
		return fieldOverflow
	}
	d.unit = Month
	return d.add(Month, total+m, 0)
}

// defaultUnit is the unit of a bare number.
func (d *intervalDecoder) defaultUnit() Field {
	last := d.qualifier
	if i := strings.LastIndex(last, " to "); i >= 0 {
		last = last[i+len(" to "):]
	}
	if unit, known := fieldNamed(last); known {
		return unit
	}
	return Second
}

// mark notes that fields have been given; giving one twice is an error.
func (d *intervalDecoder) mark(fields ...Field) decodeStatus {
	var set uint32
	for _, f := range fields {
		set |= 1 << f
	}
	if d.seen&set != 0 {
		return badFormat
	}
	d.seen |= set
	d.anything = true
	return decoded
}

// add adds n and a fraction of a unit.
func (d *intervalDecoder) add(unit Field, n int64, fraction float64) decodeStatus {
	var status decodeStatus
	given := []Field{unit}
	switch unit {
	case Quarter, noUnit:
		return badFormat
	case Microseconds:
		status = d.addMicros(n, 1, fraction)
	case Milliseconds:
		status = d.addMicros(n, 1000, fraction*1000)
	case Second:
		status = d.addMicros(n, microsPerSecond, fraction*microsPerSecond)
		if fraction != 0 {
			given = append(given, Milliseconds, Microseconds)
		}
	case Minute:
		status = d.addMicros(n, microsPerMinute, fraction*microsPerMinute)
	case Hour:
		status = d.addMicros(n, microsPerHour, fraction*microsPerHour)
		d.unit = Day
	case Day:
		status = d.addDays(n, 1, fraction)
	case Week:
		status = d.addDays(n, 7, fraction*7)
	default:
		status = d.addMonths(n, unit, fraction)
	}
	if status != decoded {
		return status
	}
	return d.mark(given...)
}

// addMicros adds n times unit microseconds, and more of them rounded, a half
// toward zero.
func (d *intervalDecoder) addMicros(n, unit int64, more float64) decodeStatus {
	whole := math.Trunc(more)
	if rest := more - whole; math.Abs(rest) > 0.5 {
		whole += math.Copysign(1, rest)
	}
	sum := Mul64(n, unit).AddWrap(Int128Of(d.micros)).AddWrap(Int128Of(int64(whole)))
	var ok bool
	if d.micros, ok = sum.Int64(); !ok {
		return fieldOverflow
	}
	return decoded
}

// addDays adds n times unit days and a number of days with a fraction, of
// which the fraction becomes time.
func (d *intervalDecoder) addDays(n, unit int64, more float64) decodeStatus {
	whole := math.Trunc(more)
	if !addInt32(&d.days, n, unit) || !addInt32(&d.days, int64(whole), 1) {
		return fieldOverflow
	}
	return d.addMicros(0, 0, (more-whole)*microsPerDay)
}

// addMonths adds n units of months or more, and a fraction of one. Years are
// counted apart from months, and either has to fit in 32 bits.
func (d *intervalDecoder) addMonths(n int64, unit Field, fraction float64) decodeStatus {
	if unit == Month {
		if !addInt32(&d.months, n, 1) {
			return fieldOverflow
		}
		return d.addDays(0, 0, fraction*daysPerMonth)
	}
	size := int64(monthsOf(unit))
	months := int64(math.RoundToEven(fraction * float64(size)))
	if !addInt32(&d.years, n, size/monthsPerYear) || !addInt32(&d.months, months, 1) {
		return fieldOverflow
	}
	return decoded
}

// addInt32 adds n units to sum, and reports whether it still fits in 32 bits.
func addInt32(sum *int64, n, unit int64) bool {
	total, ok := Mul64(n, unit).AddWrap(Int128Of(*sum)).Int64()
	*sum = total
	return ok && int64(int32(total)) == total
}
