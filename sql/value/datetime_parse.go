package value

import (
	"strings"
)

// ParseDate reads a date in PostgreSQL's spellings, numbers in the order month,
// day, year unless the year comes first. A time of day is read and ignored.
func ParseDate(s string) (int32, error) { return parseDate(s, MDY) }

func parseDate(s string, order DateOrder) (int32, error) {
	if days, ok := isoDate(s); ok {
		return int32(days), nil
	}
	d, err := parseDateTime(s, "date", order)
	if err != nil || d.infinite != 0 {
		return TimestampToDate(d.infinite), err
	}
	if d.day < MinDate || d.day > MaxDate {
		return 0, Errorf(CodeDatetimeOverflow, "date out of range: \"%s\"", s)
	}
	return int32(d.day), nil
}

// ParseTimestamp reads a timestamp in PostgreSQL's spellings. A time zone is
// read and ignored, as timestamp without time zone does. The words now, today and the like are not supported.
func ParseTimestamp(s string) (int64, error) { return parseTimestamp(s, MDY) }

func parseTimestamp(s string, order DateOrder) (int64, error) {
	if micros, ok := isoTimestamp(s); ok {
		return micros, nil
	}
	d, err := parseDateTime(s, "timestamp", order)
	if err != nil || d.infinite != 0 {
		return d.infinite, err
	}
	micros, ok := joinTimestamp(d.day, d.ofDay)
	if !ok {
		return 0, Errorf(CodeDatetimeOverflow, "timestamp out of range: \"%s\"", s)
	}
	return micros, nil
}

func parseDateTime(s, typ string, order DateOrder) (dateTime, error) {
	if tokens, ok := lexDateTime(s); ok {
		d := dateTimeDecoder{tokens: tokens, order: order}
		status := d.decode()
		if status == decoded {
			return dateTime{day: d.dayNumber(), ofDay: d.micros + d.fraction, zone: d.zone}, nil
		}
		switch status {
		case epochGiven:
			return dateTime{zone: givenZone{given: true}}, nil
		case infinityGiven:
			return dateTime{infinite: d.infinite}, nil
		case unknownZone:
			return dateTime{}, errZone(d.zoneName)
		}
		return dateTime{}, decodeError(status, typ, s)
	}
	return dateTime{}, decodeError(badFormat, typ, s)
}

func (d *dateTimeDecoder) decode() decodeStatus {
	for i, token := range d.tokens {
		given, status := d.token(i, token)
		if status != decoded {
			return status
		}
		if given&d.have != 0 {
			return badFormat
		}
		d.have |= given
	}
	if d.next != ignoredWord {
		return badFormat
	}
	if status := d.validate(); status != decoded {
		return status
	}
	switch {
	case d.infinite != 0:
		return infinityGiven
	case d.epoch:
		return epochGiven
	}
	if d.have&dateFields != dateFields {
		return badFormat
	}
	return decoded
}

func (d *dateTimeDecoder) token(i int, token dateTimeToken) (given fieldSet, status decodeStatus) {
	switch token.kind {
	case wordToken:
		return d.word(i, token.text)
	case timeToken:
		if d.next != ignoredWord && d.next != timeWord {
			return 0, badFormat
		}
		d.next = ignoredWord
		return d.time(token.text)
	case zoneToken:
		return zoneField, d.zoneOffset(token.text)
	case dateToken:
		if d.next == julianWord {
			return d.julianWithZone(token.text)
		}
		if d.next != ignoredWord || d.have&(monthField|dayField) == monthField|dayField {
			if d.next == ignoredWord && !isDigit(token.text[0]) {
				return d.zoneByName(token.text, unknownZone)
			}
			return d.timeWithZone(token.text, d.have)
		}
		return d.date(token.text)
	}
	return d.number(token.text)
}

func (d *dateTimeDecoder) word(i int, text string) (given fieldSet, status decodeStatus) {
	word, known := dateTimeWords[text]
	if a, ok := findAbbreviation(text); ok && !known {
		d.zone = givenZone{given: true, offset: a.seconds, abbreviation: a}
		return zoneField, decoded
	}
	if !known {
		return d.zoneByName(text, badFormat)
	}
	switch word.kind {
	case monthWord:
		if d.have&monthField != 0 && !d.textMonth && d.have&dayField == 0 && d.month >= 1 && d.month <= 31 {
			// The number taken for a month was the day: 8 January.
			d.day, d.month = d.month, word.number
			d.textMonth = true
			return dayField, decoded
		}
		d.textMonth = true
		d.month = word.number
		return monthField, decoded
	case meridiemWord:
		d.meridiem = word.number
		return meridiemField, decoded
	case eraWord:
		d.bc = word.number == 1
		return eraField, decoded
	case zoneWord:
		d.zone = givenZone{given: true}
		return zoneField, decoded
	case weekdayWord:
		return weekdayField, decoded
	case julianWord:
		d.next = julianWord
	case timeWord:
		if d.have&dateFields != dateFields || i+1 >= len(d.tokens) {
			return 0, badFormat
		}
		if kind := d.tokens[i+1].kind; kind == wordToken || kind == zoneToken {
			return 0, badFormat
		}
		d.next = timeWord
	case epochWord:
		d.epoch = true
	case infinityWord:
		if d.infinite != 0 {
			return 0, badFormat
		}
		d.infinite = infiniteAs(word.number > 0)
	case specialWord:
		return 0, unsupportedWord
	}
	return 0, decoded
}

// zoneByName notes a time zone like Europe/Paris; missing is what it is when
// there is none.
func (d *dateTimeDecoder) zoneByName(name string, missing decodeStatus) (given fieldSet, status decodeStatus) {
	loc, ok := FindZone(name)
	if !ok {
		d.zoneName = name
		return 0, missing
	}
	d.zone = givenZone{given: true, loc: loc}
	return zoneField, decoded
}

// time reads hh:mm, hh:mm:ss or hh:mm:ss.fff.
func (d *dateTimeDecoder) time(text string) (given fieldSet, status decodeStatus) {
	micros, status := parseClock(text, "")
	if status != decoded {
		return 0, status
	}
	if micros > microsPerDay {
		return 0, fieldOverflow
	}
	d.micros, d.fraction = micros, 0
	return timeFields, decoded
}

// timeWithZone reads a run-together time with a zone: 040506-08.
func (d *dateTimeDecoder) timeWithZone(text string, have fieldSet) (given fieldSet, status decodeStatus) {
	d.next = ignoredWord
	dash := strings.IndexByte(text, '-')
	if !isDigit(text[0]) || dash < 0 || d.have&timeFields == timeFields {
		return 0, badFormat
	}
	if status := d.zoneOffset(text[dash:]); status != decoded {
		return 0, status
	}
	given, status = d.runTogether(text[:dash], have)
	return given | zoneField, status
}

// number reads a token of digits, perhaps with a point.
func (d *dateTimeDecoder) number(text string) (given fieldSet, status decodeStatus) {
	point := strings.IndexByte(text, '.')
	switch {
	case d.next == julianWord:
		return d.julianDay(text)
	case d.next == timeWord:
		d.next = ignoredWord
		given, status = d.runTogether(text, d.have|dateFields)
		if given != timeFields {
			return given, badFormat
		}
		return given, status
	case point >= 0 && d.have&dateFields == 0:
		return d.date(text)
	case point > 2:
		return d.runTogether(text, d.have)
	case len(text) >= 6 && (d.have&dateFields == 0 || d.have&timeFields == 0):
		return d.runTogether(text, d.have)
	}
	return d.field(text, d.textMonth, d.have)
}

// validate checks the ranges of year, month and day, and applies BC, the
// century of a short year, and AM and PM.
func (d *dateTimeDecoder) validate() decodeStatus {
	if d.have&yearField != 0 && !d.hasJulian {
		switch {
		case d.bc:
			if d.year <= 0 {
				return fieldOverflow
			}
			d.year = 1 - d.year
		case d.shortYear && d.year < 70:
			d.year += 2000
		case d.shortYear && d.year < 100:
			d.year += 1900
		case d.year <= 0:
			return fieldOverflow
		}
	}
	if d.yearDay > 0 {
		d.year, d.month, d.day = civil(daysOf(d.year, 1, d.yearDay))
	}
	if !d.hasJulian {
		switch {
		case d.have&monthField != 0 && (d.month < 1 || d.month > 12),
			d.have&dayField != 0 && (d.day < 1 || d.day > 31):
			return monthDayOverflow
		case d.have&dateFields == dateFields && d.day > daysInMonth(d.year, d.month):
			return fieldOverflow
		}
	}
	return d.applyMeridiem()
}

func (d *dateTimeDecoder) applyMeridiem() decodeStatus {
	hour := d.micros / microsPerHour
	switch {
	case d.meridiem != 0 && hour > 12:
		return fieldOverflow
	case d.meridiem == am && hour == 12:
		d.micros -= 12 * microsPerHour
	case d.meridiem == pm && hour != 12:
		d.micros += 12 * microsPerHour
	}
	return decoded
}

func (d *dateTimeDecoder) dayNumber() int64 {
	if d.hasJulian {
		return d.julian - julianEpoch
	}
	return daysOf(d.year, d.month, d.day)
}
