package value

import (
	"strconv"
	"strings"
)

// julianDay reads the number after a j: a day number and perhaps its fraction.
func (d *dateTimeDecoder) julianDay(text string) (given fieldSet, status decodeStatus) {
	d.next = ignoredWord
	whole, fraction, hasFraction := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 32)
	if err != nil {
		return 0, fieldOverflow
	}
	d.julian, d.hasJulian = n, true
	if !hasFraction {
		return dateFields, decoded
	}
	f, err := strconv.ParseFloat("0."+fraction+"0", 64)
	if err != nil {
		return 0, badFormat
	}
	d.micros = int64(f * microsPerDay)
	return dateFields | timeFields, decoded
}

// julianWithZone reads the number after a j with a zone: 2451187-08.
func (d *dateTimeDecoder) julianWithZone(text string) (given fieldSet, status decodeStatus) {
	digits := skip(text, 0, isDigit)
	if digits == 0 || text[digits] != '-' {
		return 0, badFormat
	}
	if status := d.zoneOffset(text[digits:]); status != decoded {
		return 0, status
	}
	_, status = d.julianDay(text[:digits])
	return dateFields | timeFields | zoneField, status
}

// date reads a date of several fields between -, / or points.
func (d *dateTimeDecoder) date(text string) (given fieldSet, status decodeStatus) {
	parts, ok := dateParts(text)
	if !ok {
		return 0, badFormat
	}
	have, textMonth := d.have, false
	for i, part := range parts { // the month's name first: it says what the numbers are
		if !isLetter(part[0]) {
			continue
		}
		parts[i] = ""
		word, known := dateTimeWords[part]
		if known && word.kind == ignoredWord {
			continue
		}
		if !known || word.kind != monthWord || have&monthField != 0 {
			return 0, badFormat
		}
		d.month, textMonth = word.number, true
		have |= monthField
	}
	for _, part := range parts {
		if part == "" {
			continue
		}
		given, status := d.field(part, textMonth, have)
		if status != decoded {
			return 0, status
		}
		if given&have != 0 {
			return 0, badFormat
		}
		have |= given
	}
	if have&^zoneField != dateFields { // a weekday or a time may not stand before it
		return 0, badFormat
	}
	return have &^ d.have, decoded
}

// dateParts splits a date into runs of digits and of letters; one character
// after each is dropped, whatever it is.
func dateParts(text string) (parts []string, ok bool) {
	for pos := 0; pos < len(text); pos++ {
		pos = skip(text, pos, func(c byte) bool { return !isDigit(c) && !isLetter(c) })
		if pos == len(text) {
			return nil, false
		}
		start, accept := pos, isLetter
		if isDigit(text[start]) {
			accept = isDigit
		}
		pos = skip(text, start, accept)
		parts = append(parts, text[start:pos])
	}
	return parts, true
}

// field reads a number that is one part of a date or time, and decides which
// by what has been given already.
func (d *dateTimeDecoder) field(text string, textMonth bool, have fieldSet) (given fieldSet, status decodeStatus) {
	digits, fraction, hasFraction := strings.Cut(text, ".")
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil && digits != "" {
		return 0, fieldOverflow
	}
	if digits == "" {
		return 0, badFormat
	}
	if hasFraction {
		if len(digits) > 2 {
			return d.runTogether(text, have|dateFields)
		}
		if d.fraction, status = parseFraction(fraction); status != decoded {
			return 0, status
		}
	}
	if len(text) == 3 && have&dateFields == yearField && n >= 1 && n <= 366 {
		d.yearDay = int(n)
		return monthField | dayField, decoded
	}
	switch have & dateFields {
	case 0:
		switch {
		case len(text) >= 3 || d.order == YMD:
			given = yearField
		case d.order == DMY:
			given = dayField
		default:
			given = monthField
		}
	case yearField, dayField:
		given = monthField
	case monthField:
		if textMonth && (len(text) >= 3 || d.order == YMD) {
			given = yearField
		} else {
			given = dayField
		}
	case yearField | monthField:
		if textMonth && len(text) >= 3 && d.shortYear {
			// The first number was not the year but the day: 08-Jan-1999.
			d.day, d.year, d.shortYear = int(d.year), n, false
			return dayField, decoded
		}
		given = dayField
	case monthField | dayField:
		given = yearField
	case dateFields:
		return d.runTogether(text, have)
	default:
		return 0, badFormat
	}
	switch given {
	case yearField:
		d.year, d.shortYear = n, len(text) <= 2
	case monthField:
		d.month = int(n)
	case dayField:
		d.day = int(n)
	}
	return given, decoded
}

// runTogether reads yyyymmdd, yymmdd, hhmmss or hhmm.
func (d *dateTimeDecoder) runTogether(text string, have fieldSet) (given fieldSet, status decodeStatus) {
	digits, fraction, hasFraction := strings.Cut(text, ".")
	if hasFraction {
		if d.fraction, status = parseFraction(fraction); status != decoded {
			return 0, status
		}
	} else if have&dateFields != dateFields && len(digits) >= 6 {
		n := len(digits)
		var err error
		if d.year, err = strconv.ParseInt(digits[:n-4], 10, 32); err != nil {
			return 0, fieldOverflow
		}
		d.month, _ = strconv.Atoi(digits[n-4 : n-2])
		d.day, _ = strconv.Atoi(digits[n-2:])
		d.shortYear = n == 6
		return dateFields, decoded
	}
	if have&timeFields == timeFields || len(digits) != 6 && len(digits) != 4 {
		return 0, badFormat
	}
	// PostgreSQL takes any two digits here.
	hour, _ := strconv.ParseInt(digits[:2], 10, 64)
	minute, _ := strconv.ParseInt(digits[2:4], 10, 64)
	second, _ := strconv.ParseInt("0"+digits[4:], 10, 64)
	d.micros = hour*microsPerHour + minute*microsPerMinute + second*microsPerSecond
	return timeFields, decoded
}
