package value

import (
	"time"
)

// decodeStatus says how decoding went.
type decodeStatus uint8

const (
	decoded decodeStatus = iota
	badFormat
	fieldOverflow
	monthDayOverflow // the order of day and month may be the reason
	zoneOverflow
	unsupportedWord
	unknownZone
	epochGiven
	infinityGiven
)

// decodeError words a failure as PostgreSQL does.
func decodeError(status decodeStatus, typ, s string) error {
	switch status {
	case fieldOverflow, monthDayOverflow:
		err := Errorf(CodeDatetimeOverflow, "date/time field value out of range: \"%s\"", s)
		if status == monthDayOverflow {
			err.Hint = "Perhaps you need a different \"datestyle\" setting."
		}
		return err
	case zoneOverflow:
		return Errorf("22009", "time zone displacement out of range: \"%s\"", s)
	case unsupportedWord:
		return Errorf(CodeFeatureNotSupported, "%s value \"%s\" is not supported", typ, s)
	}
	return Errorf(CodeDatetimeFormat, "invalid input syntax for type %s: \"%s\"", typ, s)
}

// fieldSet is a set of the parts that date and time text has given.
type fieldSet uint16

const (
	yearField fieldSet = 1 << iota
	monthField
	dayField
	hourField
	secondField
	zoneField
	meridiemField
	eraField
	weekdayField

	dateFields = yearField | monthField | dayField
	timeFields = hourField | secondField
)

// givenZone is the zone that a text names: seconds east of Greenwich, or loc
// where that is not nil, or an abbreviation that does not always mean the same.
type givenZone struct {
	given  bool
	offset int64
	loc    *time.Location

	abbreviation abbreviation
}

// dateTime is a day and the microseconds of it, and the zone that was given; or the
// infinity that was, which otherwise is 0.
type dateTime struct {
	infinite   int64
	day, ofDay int64
	zone       givenZone
}

// dateTimeDecoder makes sense of tokens from left to right.
type dateTimeDecoder struct {
	tokens []dateTimeToken
	order  DateOrder

	year       int64
	month, day int
	yearDay    int   // day of the year, when that was given
	julian     int64 // Julian day, when hasJulian
	hasJulian  bool
	micros     int64 // of the day, less the fraction
	fraction   int64 // microseconds of a second
	meridiem   int
	bc         bool

	zone      givenZone
	zoneName  string // where it is not known
	have      fieldSet
	shortYear bool // of one or two digits
	textMonth bool // by its name
	epoch     bool
	infinite  int64
	next      wordKind // julianWord or timeWord when the last word announced one
}
