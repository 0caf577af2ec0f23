package cubeloom

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/cubeloom/cubeloom/sql/value"
)

// serverVersion is the version of PostgreSQL whose behaviour sessions have.
const (
	serverVersion       = "15.18"
	serverVersionNumber = "150018"
)

// clientSetting is a setting of PostgreSQL's that clients read or change and
// that changes no answer, but for the time zone.
type clientSetting struct {
	name   string
	value  string // the default
	report bool   // clients are told of changes
	// check gives the value in its canonical form, or false where it is not
	// valid; nil for a setting that cannot be changed.
	check func(text string) (string, bool)
}

// clientSettings are the settings that clients of PostgreSQL use.
var clientSettings = []clientSetting{
	{"application_name", "", true, anyText},
	{"client_encoding", "UTF8", true, checkEncoding},
	{dateStyle, "ISO, MDY", true, anyText},
	{"default_transaction_read_only", "off", true, checkSwitch},
	{"in_hot_standby", "off", true, nil},
	{"integer_datetimes", "on", true, nil},
	{"IntervalStyle", "postgres", true, oneOf("postgres", "postgres_verbose", "sql_standard", "iso_8601")},
	{"is_superuser", "on", true, nil},
	{"server_encoding", "UTF8", true, nil},
	{"server_version", serverVersion + " (Cubeloom)", true, nil},
	{"session_authorization", "", true, nil},
	{"standard_conforming_strings", "on", true, oneOf("on")},
	{"TimeZone", "UTC", true, checkTimeZone},

	{"backslash_quote", "safe_encoding", false, anyText},
	{"bytea_output", "hex", false, oneOf("hex", "escape")},
	{"check_function_bodies", "on", false, checkSwitch},
	{"client_min_messages", "notice", false, oneOf("debug5", "debug4", "debug3", "debug2", "debug1", "debug", "log", "notice", "warning", "error")},
	{"default_table_access_method", "heap", false, anyText},
	{"default_tablespace", "", false, anyText},
	{"default_transaction_deferrable", "off", false, checkSwitch},
	{"default_transaction_isolation", "read committed", false, checkIsolation},
	{"enable_seqscan", "on", false, checkSwitch},
	{"escape_string_warning", "on", false, checkSwitch},
	{"extra_float_digits", "1", false, checkInteger(-15, 3)},
	{"idle_in_transaction_session_timeout", "0", false, checkDuration},
	{"idle_session_timeout", "0", false, checkDuration},
	{"jit", "off", false, checkSwitch},
	{"lc_collate", "C", false, nil},
	{"lc_ctype", "C.UTF-8", false, nil},
	{"lc_messages", "C", false, anyText},
	{"lc_monetary", "C", false, anyText},
	{"lc_numeric", "C", false, anyText},
	{"lc_time", "C", false, anyText},
	{"lock_timeout", "0", false, checkDuration},
	{"max_identifier_length", "63", false, nil},
	{"max_index_keys", "32", false, nil},
	{"quote_all_identifiers", "off", false, checkSwitch},
	{"role", "none", false, nil},
	{"row_security", "on", false, checkSwitch},
	{"search_path", `"$user", public`, false, anyText},
	{"server_version_num", serverVersionNumber, false, nil},
	{"synchronize_seqscans", "on", false, checkSwitch},
	{"synchronous_commit", "on", false, anyText},
	{"transaction_deferrable", "off", false, checkSwitch},
	{"transaction_isolation", "read committed", false, checkIsolation},
	{"transaction_read_only", "off", false, checkSwitch},
	{"work_mem", "4MB", false, anyText},
	{"xmloption", "content", false, oneOf("content", "document")},
}

// clientDefaults are the values of a new session.
func clientDefaults() map[string]string {
	values := make(map[string]string, len(clientSettings))
	for _, c := range clientSettings {
		values[c.name] = c.value
	}
	return values
}

// setting is the client setting as SET and SHOW take it.
func (c *clientSetting) setting() *setting {
	return &setting{
		name: c.name,
		help: "for clients of PostgreSQL",
		show: func(s *settings) string { return s.client[c.name] },
		set: func(s *settings, text string) error {
			if c.check == nil {
				if text == s.client[c.name] {
					return nil
				}
				return value.Errorf("55P02", "parameter %q cannot be changed", c.name)
			}
			if c.name == dateStyle {
				return s.setDateStyle(text)
			}
			canonical, ok := c.check(text)
			if !ok {
				return value.Errorf(value.CodeInvalidParameter, "invalid value for parameter %q: %q", c.name, text)
			}
			s.setClient(c.name, canonical)
			return nil
		},
	}
}

// setClient changes a client setting: other copies of the settings keep theirs.
func (s *settings) setClient(name, text string) {
	s.client = maps.Clone(s.client)
	s.client[name] = text
}

// clientDuration is a client setting that is a time.
func (s *settings) clientDuration(name string) time.Duration {
	var d time.Duration
	if err := setDuration(name, &d, s.client[name]); err != nil {
		return 0
	}
	return d
}

// location is the time zone of the settings.
func (s *settings) location() *time.Location {
	loc, ok := value.FindZone(s.client["TimeZone"])
	if !ok {
		return time.UTC
	}
	return loc
}

// Parameter is a setting that clients of the wire protocol are told of.
type Parameter struct{ Name, Value string }

// Parameters are the settings that clients are told of at the start and when
// they change, in a fixed order.
func (s *Session) Parameters() []Parameter {
	var list []Parameter
	for _, c := range clientSettings {
		if c.report {
			list = append(list, Parameter{c.name, s.settings.client[c.name]})
		}
	}
	return list
}

// SetParameter sets a setting as a client does when it connects: RESET goes back
// to this value. It fails with 42704 for a setting that is not known, with 22023 for a
// value that does not suit it, and with 42501 for one that the role may not set.
func (s *Session) SetParameter(name, text string) error {
	if err := s.assign(name, text, &s.settings); err != nil {
		return err
	}
	s.startup = s.settings
	return nil
}

func anyText(text string) (string, bool) { return text, true }

func checkSwitch(text string) (string, bool) {
	var on bool
	err := setBool("", &on, text)
	return onOff(on), err == nil
}

// oneOf takes one of the words, in any case.
func oneOf(words ...string) func(string) (string, bool) {
	return func(text string) (string, bool) {
		text = strings.ToLower(text)
		return text, slices.Contains(words, text)
	}
}

func checkInteger(lo, hi int) func(string) (string, bool) {
	return func(text string) (string, bool) {
		n, err := strconv.Atoi(text)
		return strconv.Itoa(n), err == nil && n >= lo && n <= hi
	}
}

func checkDuration(text string) (string, bool) {
	var d time.Duration
	err := setDuration("", &d, text)
	return showDuration(d), err == nil
}

func checkIsolation(text string) (string, bool) {
	return oneOf("serializable", "repeatable read", "read committed", "read uncommitted")(text)
}

// checkEncoding takes the names of UTF-8, and those that say that the bytes are
// to be left alone.
func checkEncoding(text string) (string, bool) {
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

// dateStyle is the setting of which a value may say only a part.
const dateStyle = "DateStyle"

// setDateStyle changes of the setting what key words say.
func (s *settings) setDateStyle(text string) error {
	style, err := s.style().WithDateStyle(text)
	if err == nil {
		s.setClient(dateStyle, style.DateStyle())
	}
	return err
}

// style is how the settings have dates and intervals read and written.
func (s *settings) style() value.Style {
	style, _ := value.Style{}.WithDateStyle(s.client[dateStyle])
	return style.WithIntervalStyle(s.client["IntervalStyle"])
}

// checkTimeZone takes the names of the time zone database, fixed offsets in the
// form of POSIX, and a number of hours east of Greenwich.
func checkTimeZone(text string) (string, bool) {
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
