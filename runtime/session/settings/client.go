package settings

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
)

// Client are the settings that clients of PostgreSQL use.
var Client = slices.Concat(clientSettings, tuningSettings())

var clientSettings = []ClientSetting{
	{"application_name", "", true, anyText},
	{"client_encoding", "UTF8", true, valid(encoding)},
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
	{"TimeZone", "UTC", true, valid(timeZone)},

	{"backslash_quote", "safe_encoding", false, anyText},
	{"bytea_output", "hex", false, oneOf("hex")},
	{"check_function_bodies", "on", false, CheckSwitch},
	{"client_min_messages", "notice", false, oneOf("debug5", "debug4", "debug3", "debug2", "debug1", "debug", "log", "notice", "warning", "error")},
	{"default_table_access_method", "heap", false, anyText},
	{"default_tablespace", "", false, anyText},
	{"default_transaction_deferrable", "off", false, CheckSwitch},
	{"default_transaction_isolation", "read committed", false, checkIsolation},
	{"escape_string_warning", "on", false, CheckSwitch},
	{ExtraFloatDigits, "1", false, anyText},
	{"idle_in_transaction_session_timeout", "0", false, checkDuration},
	{"idle_session_timeout", "0", false, checkDuration},
	{"lc_collate", "C", false, nil},
	{"lc_ctype", "C.UTF-8", false, nil},
	{"lc_messages", "C", false, anyText},
	{"lc_monetary", "C", false, anyText},
	{"lc_numeric", "C", false, anyText},
	{"lc_time", "C", false, anyText},
	{"lock_timeout", "0", false, checkDuration},
	{"max_identifier_length", "63", false, nil},
	{"max_index_keys", "32", false, nil},
	{"password_encryption", "scram-sha-256", false, oneOf("scram-sha-256")},
	{"quote_all_identifiers", "off", false, CheckSwitch},
	{"role", "none", false, nil},
	{"row_security", "on", false, CheckSwitch},
	{"search_path", `"$user", public`, false, anyText},
	{"server_version_num", pgcatalog.ServerVersionNumber, false, nil},
	{"session_replication_role", "origin", false, oneOf("origin")},
	{"synchronize_seqscans", "on", false, CheckSwitch},
	{"synchronous_commit", "on", false, anyText},
	{"temp_tablespaces", "", false, anyText},
	{"transaction_deferrable", "off", false, CheckSwitch},
	{"transaction_isolation", "read committed", false, checkIsolation},
	{"transaction_read_only", "off", false, CheckSwitch},
	{"xmlbinary", "base64", false, oneOf("base64", "hex")},
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

// Parameter is a setting that clients of the wire protocol are told of.
type Parameter struct{ Name, Value string }
