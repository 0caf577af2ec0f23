package settings

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/cubeloom/cubeloom/sql/value"
)

// ClientSetting is a setting of PostgreSQL's that clients read or change and
// that changes no answer, but for the time zone.
type ClientSetting struct {
	Name   string
	Value  string // the default
	Report bool   // clients are told of changes
	check  check  // nil for a setting that cannot be changed
}

// check returns the value of a setting in its canonical form, or an error where it is not valid.
type check func(name, text string) (string, error)

// Setting is the client setting as SET and SHOW take it.
func (c *ClientSetting) Setting() *Setting {
	return &Setting{
		Name: c.Name,
		Help: "for clients of PostgreSQL",
		Show: func(s *Values) string { return s.Client[c.Name] },
		Set: func(s *Values, text string) error {
			if c.check == nil {
				if text == s.Client[c.Name] {
					return nil
				}
				return value.Errorf(value.CodeCannotChangeParameter, "parameter %q cannot be changed", c.Name)
			}
			switch c.Name {
			case DateStyle:
				return s.setDateStyle(text)
			case ExtraFloatDigits:
				return s.setFloatDigits(text)
			}
			canonical, err := c.check(c.Name, text)
			if err == nil {
				s.SetClient(c.Name, canonical)
			}
			return err
		},
	}
}

func anyText(_, text string) (string, error) { return text, nil }

// CheckSwitch takes what SetBool reads.
func CheckSwitch(name, text string) (string, error) {
	var on bool
	err := SetBool(name, &on, text)
	return OnOff(on), err
}

// valid is the check of what a function takes.
func valid(canonical func(text string) (string, bool)) check {
	return func(name, text string) (string, error) {
		canonical, ok := canonical(text)
		if !ok {
			return "", value.Errorf(value.CodeInvalidParameter, "invalid value for parameter %q: %q", name, text)
		}
		return canonical, nil
	}
}

// oneOf takes one of the words, in any case.
func oneOf(words ...string) check {
	return valid(func(text string) (string, bool) {
		text = strings.ToLower(text)
		return text, slices.Contains(words, text)
	})
}

func checkDuration(name, text string) (string, error) {
	var d time.Duration
	err := setDuration(name, &d, text)
	return showDuration(d), err
}

var checkIsolation = oneOf("serializable", "repeatable read", "read committed", "read uncommitted")

// encoding takes the names of UTF-8, and those that say that the bytes are
// to be left alone.
func encoding(text string) (string, bool) {
	switch strings.ToUpper(strings.Map(lettersAndDigits, text)) {
	case "UTF8", "UNICODE":
		return "UTF8", true
	case "SQLASCII":
		return "SQL_ASCII", true
	}
	return "", false
}

// lettersAndDigits drops all other characters, which names of encodings do not differ in.
func lettersAndDigits(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return r
	}
	return -1
}

// setDateStyle changes of the setting what key words say.
func (s *Values) setDateStyle(text string) error {
	style, err := s.Style().WithDateStyle(text)
	if err == nil {
		s.SetClient(DateStyle, style.DateStyle())
	}
	return err
}

// setFloatDigits changes how many digits are written of floats.
func (s *Values) setFloatDigits(text string) error {
	var n int
	err := setInt(ExtraFloatDigits, &n, text, -15, 3)
	if err == nil {
		s.SetClient(ExtraFloatDigits, strconv.Itoa(n))
	}
	return err
}

// timeZone takes the names of the time zone database, fixed offsets in the
// form of POSIX, and a number of hours east of Greenwich.
func timeZone(text string) (string, bool) {
	loc, ok := value.FindZone(text)
	if hours, err := strconv.ParseFloat(text, 64); err == nil {
		loc, ok = value.HoursZone(hours)
	}
	if rest, found := strings.CutPrefix(strings.ToLower(text), "interval"); found {
		if iv, err := value.ParseInterval(strings.Trim(rest, " '"), ""); err == nil && iv.Months == 0 && iv.Days == 0 {
			loc, ok = value.OffsetZone(int(iv.Micros/1e6)), true
		}
	}
	if !ok {
		return "", false
	}
	return loc.String(), true
}
