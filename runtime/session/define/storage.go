package define

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// storageRange is what the number of a storage parameter may be.
type storageRange struct{ least, greatest float64 }

const greatestInteger = 1<<31 - 1

// storageParameters are those of one kind of object: numbers, and what is on or off.
type storageParameters struct {
	numbers  map[string]storageRange
	switches []string
}

// tableStorage are PostgreSQL's storage parameters of tables.
var tableStorage = storageParameters{map[string]storageRange{
	"fillfactor": {10, 100}, "parallel_workers": {0, 1024}, "toast_tuple_target": {128, 8160},
	"autovacuum_vacuum_threshold": {0, greatestInteger}, "autovacuum_vacuum_insert_threshold": {-1, greatestInteger},
	"autovacuum_analyze_threshold": {0, greatestInteger}, "autovacuum_vacuum_cost_limit": {1, 10000},
	"autovacuum_freeze_min_age": {0, 1e9}, "autovacuum_multixact_freeze_min_age": {0, 1e9},
	"autovacuum_freeze_max_age": {1e5, 2e9}, "autovacuum_multixact_freeze_max_age": {1e4, 2e9},
	"autovacuum_freeze_table_age": {0, 2e9}, "autovacuum_multixact_freeze_table_age": {0, 2e9},
	"log_autovacuum_min_duration": {-1, greatestInteger}, "autovacuum_vacuum_cost_delay": {0, 100},
	"autovacuum_vacuum_scale_factor": {0, 100}, "autovacuum_vacuum_insert_scale_factor": {0, 100},
	"autovacuum_analyze_scale_factor": {0, 100},
}, strings.Fields(`autovacuum_enabled user_catalog_table vacuum_truncate vacuum_index_cleanup`)}

// indexStorage are those of indexes, of any method.
var indexStorage = storageParameters{
	map[string]storageRange{"fillfactor": {10, 100}, "gin_pending_list_limit": {64, greatestInteger}, "pages_per_range": {1, 131072}},
	strings.Fields(`deduplicate_items fastupdate autosummarize buffering`),
}

// columnStorage are those of columns.
var columnStorage = storageParameters{numbers: map[string]storageRange{"n_distinct": {-1, 1e308}, "n_distinct_inherited": {-1, 1e308}}}

// storageMethods are those of SET STORAGE and SET COMPRESSION.
var storageMethods = map[string][]string{
	"storage":     strings.Fields(`plain external extended main`),
	"compression": strings.Fields(`pglz lz4 default`),
}

// checkStorage fails where what is said of how PostgreSQL stores something says what it does not take.
func checkStorage(s sql.Storage, known storageParameters) {
	if m := s.Method.Name; m != "" && m != "heap" {
		panic(value.Errorf(value.CodeUndefinedObject, "access method %q does not exist", m))
	}
	if t := s.Tablespace.Name; t != "" && t != "pg_default" {
		panic(value.Errorf(value.CodeUndefinedObject, "tablespace %q does not exist", t))
	}
	seen := map[string]bool{}
	for _, o := range s.Options {
		if seen[o.Name] {
			panic(value.Errorf(value.CodeInvalidParameter, "parameter %q specified more than once", o.Name))
		}
		seen[o.Name] = true
		known.check(o)
	}
}

// check fails where a parameter is none, or its value is not valid.
func (known storageParameters) check(o sql.Option) {
	bounds, number := known.numbers[o.Name]
	switch {
	case number:
		bounds.check(o)
	case o.Name == "oids" && o.Value != "false":
		panic(value.Errorf(value.CodeFeatureNotSupported, "tables declared WITH OIDS are not supported"))
	case o.Name == "oids":
	case !slices.Contains(known.switches, o.Name):
		panic(value.Errorf(value.CodeInvalidParameter, "unrecognized parameter %q", o.Name))
	case !o.Bare && !isSwitch(o.Value):
		panic(value.Errorf(value.CodeInvalidParameter, "invalid value for boolean option %q: %s", o.Name, o.Value))
	}
}

// isSwitch reports whether a parameter can be set to a text: on, off, or what leaves that to PostgreSQL.
func isSwitch(text string) bool {
	_, err := settings.CheckSwitch("", text)
	return err == nil || strings.EqualFold(text, "auto")
}

// check fails where the number of a storage parameter is none, or out of its range.
func (bounds storageRange) check(o sql.Option) {
	n, err := strconv.ParseFloat(o.Value, 64)
	switch {
	case o.Bare:
		panic(value.Errorf(value.CodeInvalidParameter, "invalid value for integer option %q: true", o.Name))
	case err != nil:
		panic(value.Errorf(value.CodeInvalidParameter, "invalid value for integer option %q: %s", o.Name, o.Value))
	case n < bounds.least || n > bounds.greatest:
		e := value.Errorf(value.CodeInvalidParameter, "value %s out of bounds for option %q", o.Value, o.Name)
		e.Detail = "Valid values are between \"" + strconv.FormatFloat(bounds.least, 'f', -1, 64) +
			"\" and \"" + strconv.FormatFloat(bounds.greatest, 'f', -1, 64) + "\"."
		panic(e)
	}
}

// storageAction checks what ALTER TABLE says of how PostgreSQL stores a table or a column.
func (a *alteration) storageAction(table *store.Table, action *sql.StorageAction) {
	switch {
	case action.Column.Name == "":
		checkStorage(action.Storage, tableStorage)
	case table.Ordinal(action.Column.Name) < 0:
		panic(a.noColumn(action.Column))
	case action.Method.Name != "" && !slices.Contains(storageMethods[action.Method.Name], strings.ToLower(action.Method.Value)):
		panic(value.Errorf(value.CodeInvalidParameter, "invalid %s type %q", action.Method.Name, action.Method.Value))
	default:
		checkStorage(action.Storage, columnStorage)
	}
}
