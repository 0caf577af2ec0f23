package value

import (
	"strconv"
	"strings"
)

// DateFormat is how dates and timestamps are written.
type DateFormat uint8

// The formats of dates.
const (
	ISODates DateFormat = iota
	SQLDates
	PostgresDates
	GermanDates
)

// DateOrder is the order of day, month and year where nothing else says which is
// which.
type DateOrder uint8

// The orders of the fields of dates.
const (
	MDY DateOrder = iota
	DMY
	YMD
)

// IntervalStyle is how intervals are written, and in SQLIntervals what their signs mean.
type IntervalStyle uint8

// The styles of intervals.
const (
	PostgresIntervals IntervalStyle = iota
	VerboseIntervals
	SQLIntervals
	ISOIntervals
)

// FloatDigits is how many digits fewer than it takes to read a number back are written of
// double precision and real: 0 writes as many as that takes, n at most 16-n of double precision
// and 7-n of real, but always one.
type FloatDigits uint8

// FloatDigitsOf is what the setting extra_float_digits says.
func FloatDigitsOf(extra int) FloatDigits { return FloatDigits(max(0, 1-extra)) }

// Style is how a session reads and writes dates, timestamps and intervals, and writes
// numbers of double precision and reals. The zero value is ISO, MDY, postgres, and all digits.
type Style struct {
	Format   DateFormat
	Order    DateOrder
	Interval IntervalStyle
	Floats   FloatDigits
}

var (
	formatNames   = [...]string{"ISO", "SQL", "Postgres", "German"}
	orderNames    = [...]string{"MDY", "DMY", "YMD"}
	intervalNames = [...]string{"postgres", "postgres_verbose", "sql_standard", "iso_8601"}
)

// DateStyle is the style as the setting DateStyle has it: "ISO, MDY".
func (st Style) DateStyle() string { return formatNames[st.Format] + ", " + orderNames[st.Order] }

// String is the style as ParseStyle reads it.
func (st Style) String() string {
	return st.DateStyle() + ", " + intervalNames[st.Interval] + ", " + strconv.Itoa(int(st.Floats))
}

// ParseStyle reads what String has written.
func ParseStyle(text string) Style {
	words := strings.Split(text, ", ")
	st, _ := Style{}.WithDateStyle(words[0] + ", " + words[1])
	digits, _ := strconv.Atoi(words[3]) // written by String
	st.Floats = FloatDigits(digits)
	return st.WithIntervalStyle(words[2])
}

// WithIntervalStyle is the style with another style of intervals, by its name.
func (st Style) WithIntervalStyle(name string) Style {
	for i, n := range intervalNames {
		if n == name {
			st.Interval = IntervalStyle(i)
		}
	}
	return st
}

// WithDateStyle is the style with what the key words in a value of DateStyle change of
// it. It fails with 22023, and a detail, for words that contradict each other or are none.
func (st Style) WithDateStyle(text string) (Style, error) {
	next, format, order, ok := st, false, false, true
	setFormat := func(f DateFormat) {
		ok = ok && (!format || next.Format == f)
		next.Format, format = f, true
	}
	setOrder := func(o DateOrder) {
		ok = ok && (!order || next.Order == o)
		next.Order, order = o, true
	}
	for word := range strings.SplitSeq(strings.ToLower(text), ",") {
		switch word = strings.Trim(word, " \"'"); {
		case word == "iso":
			setFormat(ISODates)
		case word == "sql":
			setFormat(SQLDates)
		case strings.HasPrefix(word, "postgres"):
			setFormat(PostgresDates)
		case word == "german":
			setFormat(GermanDates)
			if !order {
				next.Order = DMY
			}
		case word == "ymd":
			setOrder(YMD)
		case word == "dmy", strings.HasPrefix(word, "euro"):
			setOrder(DMY)
		case word == "mdy", word == "us", strings.HasPrefix(word, "noneuro"):
			setOrder(MDY)
		case word == "default":
			if !format {
				next.Format = ISODates
			}
			if !order {
				next.Order = MDY
			}
		default:
			return st, errDateStyle(text, "Unrecognized key word: \""+word+"\".")
		}
	}
	if !ok {
		return st, errDateStyle(text, "Conflicting \"datestyle\" specifications.")
	}
	return next, nil
}

func errDateStyle(text, detail string) error {
	err := Errorf(CodeInvalidParameter, "invalid value for parameter \"DateStyle\": \"%s\"", text)
	err.Detail = detail
	return err
}

// ParseInterval reads an interval in a style; field is as for ParseInterval.
func (st Style) ParseInterval(s, field string) (Interval, error) {
	if st.Interval == SQLIntervals {
		s = signedAlike(s)
	}
	return ParseInterval(s, field)
}

// signedAlike writes the sign of an interval's first number before every other one, where
// it is the only sign and a minus, as the SQL standard has it.
func signedAlike(s string) string {
	words := strings.Fields(s)
	if len(words) < 2 || words[0][0] != '-' {
		return s
	}
	for _, word := range words[1:] {
		if word[0] == '-' || word[0] == '+' {
			return s
		}
	}
	for i, word := range words[1:] {
		if isDigit(word[0]) || word[0] == '.' {
			words[i+1] = "-" + word
		}
	}
	return strings.Join(words, " ")
}
