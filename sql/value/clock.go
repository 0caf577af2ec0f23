package value

// The routines between times of day, intervals and microseconds.
const (
	ClockOfInterval  = "clock of interval"  // the microseconds of the day that an interval without its days ends at
	IntervalOfMicros = "interval of micros" // so many microseconds as an interval
)

var clockRoutines = map[string][]Routine{
	ClockOfInterval:  {{Params: "i", Result: 'l', Call: func(a []Value) (Value, error) { return intValue(clockOfInterval(a[0].Interval)), nil }}},
	IntervalOfMicros: {{Params: "l", Result: 'i', Call: func(a []Value) (Value, error) { return intervalValue(Interval{Micros: a[0].I}), nil }}},

	"make_time": {{Params: "wwf", Result: 'k', Call: makeTime}},
}

// MaxTime is 24:00:00, the last time of day.
const MaxTime = microsPerDay

func clockOfInterval(iv Interval) int64 {
	return iv.Micros - floorDiv(iv.Micros, microsPerDay)*microsPerDay
}

// CheckTime fails where microseconds are no time of day.
func CheckTime(micros int64) error {
	if micros < 0 || micros > MaxTime {
		return Errorf(CodeDatetimeOverflow, "time out of range")
	}
	return nil
}

// ParseTime reads a time of day in PostgreSQL's spellings. A date or a time zone beside it
// is read and ignored; the word now is not supported.
func ParseTime(s string) (int64, error) {
	if micros, ok := isoClock(s); ok {
		return micros, nil
	}
	status := badFormat
	if tokens, ok := lexDateTime(s); ok {
		d := clockDecoder{dateTimeDecoder: dateTimeDecoder{tokens: tokens}}
		switch status = d.decode(); status {
		case decoded:
			return d.micros + d.fraction, nil
		case unknownZone:
			return 0, errZone(d.zoneName)
		}
	}
	return 0, decodeError(status, "time", s)
}

// FormatTime is the time of day as PostgreSQL writes it.
func FormatTime(micros int64) string { return string(AppendTime(nil, micros)) }

// AppendTime appends a time of day, like 04:05:06.789.
func AppendTime(dst []byte, micros int64) []byte { return appendClock(dst, uint64(micros)) }

// clockDecoder makes sense of the tokens of a time of day, beside which a date can stand
// in few places only. PostgreSQL has rules of their own for it.
type clockDecoder struct {
	dateTimeDecoder
	late decodeStatus // what is wrong where nothing else is
}

func (d *clockDecoder) decode() decodeStatus {
	for i := range d.tokens {
		given, status := d.token(i)
		switch {
		case status != decoded:
			return status
		case given&d.have != 0:
			return badFormat
		}
		d.have |= given
	}
	if status := d.validate(); status != decoded {
		return status
	}
	switch {
	case d.late != decoded:
		return d.late
	case d.micros+d.fraction > MaxTime:
		return fieldOverflow
	case d.have&timeFields != timeFields, d.zone.loc != nil && !isFixed(d.zone.loc) && d.have&dateFields != dateFields:
		return badFormat
	}
	return decoded
}

func (d *clockDecoder) token(i int) (given fieldSet, status decodeStatus) {
	text := d.tokens[i].text
	last := d.tokens[len(d.tokens)-1].kind
	switch d.tokens[i].kind {
	case wordToken:
		return d.clockWord(i, text)
	case timeToken:
		return d.time(text)
	case zoneToken:
		return zoneField, d.zoneOffset(text)
	case dateToken:
		switch {
		case i == 0 && len(d.tokens) > 1 && (last == dateToken || d.tokens[1].kind == timeToken):
			return d.date(text)
		case !isDigit(text[0]):
			return d.zoneByName(text, unknownZone)
		}
		d.checkRun(text)
		return d.timeWithZone(text, d.have|dateFields)
	}
	return d.clockNumber(i, text, last)
}

func (d *clockDecoder) clockWord(i int, text string) (given fieldSet, status decodeStatus) {
	switch word, known := dateTimeWords[text]; {
	case text == "allballs":
		d.micros, d.fraction = 0, 0
		return timeFields | zoneField, decoded
	case text == "now":
		d.late = unsupportedWord
		return timeFields, decoded
	case !known, word.kind == ignoredWord, word.kind == meridiemWord, word.kind == eraWord, word.kind == julianWord:
		return d.word(i, text)
	case word.kind != timeWord || i+1 >= len(d.tokens):
		return 0, badFormat
	}
	if kind := d.tokens[i+1].kind; kind == wordToken || kind == zoneToken {
		return 0, badFormat
	}
	d.next = timeWord
	return 0, decoded
}

// clockNumber reads a token of digits, perhaps with a point.
func (d *clockDecoder) clockNumber(i int, text string, last tokenKind) (given fieldSet, status decodeStatus) {
	digits := skip(text, 0, isDigit)
	switch next := d.next; {
	case next == julianWord:
		return d.julianDay(text)
	case next == timeWord, digits < len(text) && digits > 2, digits == len(text) && digits > 4:
		d.next = ignoredWord
		d.checkRun(text)
		return d.runTogether(text, d.have|dateFields)
	case digits < len(text) && i == 0 && len(d.tokens) > 1 && last == dateToken:
		return d.date(text)
	case digits < len(text):
		return 0, badFormat
	}
	d.checkRun(text)
	return d.field(text, false, d.have|dateFields)
}

// checkRun notes too many minutes or seconds of a time whose digits run together.
func (d *clockDecoder) checkRun(text string) {
	const minute, second, end = 2, 4, 6
	if len(text) >= second && text[minute:second] > "59" || len(text) >= end && isDigit(text[second]) && text[second:end] > "60" {
		d.late = fieldOverflow
	}
}
