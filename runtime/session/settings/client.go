package settings

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ClientSetting is a setting of PostgreSQL's that clients read or change and
// that changes no answer, but for the time zone.
type ClientSetting struct {
	Name   string
	Value  string // the default
	Report bool   // clients are told of changes
	// check returns the value in its canonical form, or false where it is not
	// valid; nil for a setting that cannot be changed.
	check func(text string) (string, bool)
}

// Client are the settings that clients of PostgreSQL use.
var Client = []ClientSetting{
	{"application_name", "", true, anyText},
	{"client_encoding", "UTF8", true, checkEncoding},
	{DateStyle, "ISO, MDY", true, anyText},
	{"default_transaction_read_only", "off", true, CheckSwitch},
	{"in_hot_standby", "off", true, nil},
	{"integer_datetimes", "on", true, nil},
	{"IntervalStyle", "postgres", true, oneOf("postgres", "postgres_verbose", "sql_standard", "iso_8601")},
	{"is_superuser", "on", true, nil},
	{"server_encoding", "UTF8", true, nil},
	{"server_version", pgcatalog.ServerVersion + " (Cubeloom)", true, nil},
	{"session_authorization", "", true, nil},
	{"standard_conforming_strings", "on", true, oneOf("on")},
	{"TimeZone", "UTC", true, checkTimeZone},

	{"backslash_quote", "safe_encoding", false, anyText},
	{"bytea_output", "hex", false, oneOf("hex")},
	{"check_function_bodies", "on", false, CheckSwitch},
	{"client_min_messages", "notice", false, oneOf("debug5", "debug4", "debug3", "debug2", "debug1", "debug", "log", "notice", "warning", "error")},
	{"default_table_access_method", "heap", false, anyText},
	{"default_tablespace", "", false, anyText},
	{"default_transaction_deferrable", "off", false, CheckSwitch},
	{"default_transaction_isolation", "read committed", false, checkIsolation},
	{"enable_seqscan", "on", false, CheckSwitch},
	{"escape_string_warning", "on", false, CheckSwitch},
	{ExtraFloatDigits, "1", false, anyText},
	{"idle_in_transaction_session_timeout", "0", false, checkDuration},
	{"idle_session_timeout", "0", false, checkDuration},
	{"jit", "off", false, CheckSwitch},
	{"lc_collate", "C", false, nil},
	{"lc_ctype", "C.UTF-8", false, nil},
	{"lc_messages", "C", false, anyText},
	{"lc_monetary", "C", false, anyText},
	{"lc_numeric", "C", false, anyText},
	{"lc_time", "C", false, anyText},
	{"lock_timeout", "0", false, checkDuration},
	{"max_identifier_length", "63", false, nil},
	{"max_index_keys", "32", false, nil},
	{"quote_all_identifiers", "off", false, CheckSwitch},
	{"role", "none", false, nil},
	{"row_security", "on", false, CheckSwitch},
	{"search_path", `"$user", public`, false, anyText},
	{"server_version_num", pgcatalog.ServerVersionNumber, false, nil},
	{"synchronize_seqscans", "on", false, CheckSwitch},
	{"synchronous_commit", "on", false, anyText},
	{"transaction_deferrable", "off", false, CheckSwitch},
	{"transaction_isolation", "read committed", false, checkIsolation},
	{"transaction_read_only", "off", false, CheckSwitch},
	{"work_mem", "4MB", false, anyText},
	{"xmloption", "content", false, oneOf("content", "document")},
}

// ClientDefaults are the values of a new session.
func ClientDefaults() map[string]string {
	values := make(map[string]string, len(Client))
	for _, c := range Client {
		values[c.Name] = c.Value
	}
	return values
}

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
			canonical, ok := c.check(text)
			if !ok {
				return value.Errorf(value.CodeInvalidParameter, "invalid value for parameter %q: %q", c.Name, text)
			}
			s.SetClient(c.Name, canonical)
			return nil
		},
	}
}

// Parameter is a setting that clients of the wire protocol are told of.
type Parameter struct{ Name, Value string }

func anyText(text string) (string, bool) { return text, true }

func CheckSwitch(text string) (string, bool) {
	var on bool
	err := SetBool("", &on, text)
	return OnOff(on), err == nil
}

// oneOf takes one of the words, in any case.
func oneOf(words ...string) func(string) (string, bool) {
	return func(text string) (string, bool) {
		text = strings.ToLower(text)
		return text, slices.Contains(words, text)
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
