package sql

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	pgparser "github.com/wasilibs/go-pgquery/parser"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// postgres is what PostgreSQL's own parser makes of a text: a tree without
// what a canonical print may change, or an error with its byte offset.
type postgres struct {
	tree any
	err  string
	pos  int
}

func askPostgres(t *testing.T, text string) postgres {
	t.Helper()
	out, err := pgparser.ParseToJSON(text)
	if err != nil {
		var e *pgparser.Error
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		return postgres{err: e.Message, pos: byteOffset(text, e.Cursorpos)}
	}
	var tree any
	if err := json.Unmarshal([]byte(out), &tree); err != nil {
		t.Fatal(err)
	}
	return postgres{tree: canonical(tree)}
}

// byteOffset turns PostgreSQL's count of characters from 1 into an offset.
func byteOffset(text string, cursor int) int {
	n := 0
	for range cursor - 1 {
		_, size := utf8.DecodeRuneInString(text[n:])
		n += size
	}
	return n
}

// dropped are fields that say where or how something was written, not what.
var dropped = map[string]bool{
	"location": true, "stmt_location": true, "stmt_len": true, "funcformat": true,
	"row_format": true, "version": true, "limitOption": true, "rexpr_list_start": true,
	"rexpr_list_end": true, "list_start": true, "list_end": true,
}

// canonical removes from a tree what Format does not keep.
func canonical(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = canonical(e)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, e := range v {
			if !dropped[key] {
				out[key] = canonical(e)
			}
		}
		canonicalNode(out)
		return out
	}
	return v
}

// canonicalNode rewrites the nodes that have two spellings for one meaning.
func canonicalNode(n map[string]any) {
	for _, field := range []string{"funcname", "names", "name"} {
		if names, ok := n[field].([]any); ok && len(names) == 2 && stringNode(names[0]) == "pg_catalog" {
			n[field] = names[1:]
		}
	}
	for _, field := range []string{"limitCount", "limitOffset"} {
		if c, ok := n[field].(map[string]any); ok && isNullNode(c) {
			delete(n, field)
		}
	}
	if n["sortby_dir"] == "SORTBY_ASC" {
		n["sortby_dir"] = "SORTBY_DEFAULT"
	}
	if f, ok := n["SQLValueFunction"].(map[string]any); ok && f["op"] == "SVFOP_CURRENT_SCHEMA" {
		delete(n, "SQLValueFunction")
		n["FuncCall"] = map[string]any{"funcname": []any{map[string]any{"String": map[string]any{"sval": "current_schema"}}}}
	}
	if d, ok := n["DefElem"].(map[string]any); ok {
		stringOption(d)
	}
	switch n["kind"] {
	case "AEXPR_LIKE", "AEXPR_ILIKE":
		n["kind"] = "AEXPR_OP"
	case "TRANS_STMT_START":
		n["kind"] = "TRANS_STMT_BEGIN"
	}
	if frame, ok := n["frameOptions"].(float64); ok {
		const between = 0x10
		n["frameOptions"] = int(frame) &^ between
	}
}

// stringOption makes a string of an option's number.
func stringOption(d map[string]any) {
	arg, ok := d["arg"].(map[string]any)
	if !ok {
		return
	}
	if i, ok := arg["Integer"].(map[string]any); ok {
		n, _ := i["ival"].(float64)
		d["arg"] = map[string]any{"String": map[string]any{"sval": strconv.Itoa(int(n))}}
	}
	if f, ok := arg["Float"].(map[string]any); ok {
		d["arg"] = map[string]any{"String": map[string]any{"sval": f["fval"]}}
	}
}

func isNullNode(n map[string]any) bool {
	c, ok := n["A_Const"].(map[string]any)
	return ok && c["isnull"] == true
}

func stringNode(v any) any {
	if m, ok := v.(map[string]any); ok {
		if s, ok := m["String"].(map[string]any); ok {
			return s["sval"]
		}
	}
	return nil
}

// compare holds Parse to PostgreSQL's parser: what we take it takes, with the
// same tree for the canonical print; a syntax error is the same error at the
// same place; what it takes and we do not is refused with 0A000.
func compare(t *testing.T, text string) {
	t.Helper()
	stmt, err := Parse(text)
	want := askPostgres(t, text)
	var e *sqlstate.Error
	switch {
	case err != nil && !errors.As(err, &e):
		t.Errorf("%s\n%v", text, err)
	case err != nil && want.err == "" && strings.Contains(e.Message, `near "$`):
		// The library's PostgreSQL takes parameters where the real one does not.
	case err != nil && want.err == "" && e.Code != sqlstate.FeatureNotSupported:
		t.Errorf("%s\n got %s\nPostgreSQL takes it", text, describe(err))
	case err != nil && want.err != "" && e.Code == sqlstate.Syntax:
		if e.Message != want.err || e.Pos != want.pos {
			t.Errorf("%s\n got %s\nwant error at %d: %s", text, describe(err), want.pos, want.err)
		}
	case err == nil && want.err != "":
		t.Errorf("%s\n got %s\nwant error at %d: %s", text, Format(stmt), want.pos, want.err)
	case err == nil:
		printed := Format(stmt)
		if again := askPostgres(t, printed); again.err != "" {
			t.Errorf("%s\nprints %s\nof which PostgreSQL says: %s", text, printed, again.err)
		} else if diff := difference(want.tree, again.tree); diff != "" && faithful(stmt) {
			t.Errorf("%s\nprints %s\nwith another tree: %s", text, printed, diff)
		}
	}
}

// faithful reports whether a statement prints as it was written. CREATE TABLE
// puts constraints behind the columns, SET makes strings of all values.
func faithful(s Statement) bool {
	switch s := s.(type) {
	case *CreateTable:
		return (s.By != nil || s.Of != nil) && len(s.Keys())+len(s.Checks)+len(s.ForeignKeys) == 0
	case *Set:
		return false
	}
	return true
}

// difference shows where two trees differ first; it is empty for equal trees.
func difference(want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(w)) {
			if d := difference(w[key], g[key]); d != "" {
				return key + "." + d
			}
		}
		if len(g) == len(w) {
			return ""
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			break
		}
		for i := range w {
			if d := difference(w[i], g[i]); d != "" {
				return strconv.Itoa(i) + "." + d
			}
		}
		return ""
	default:
		if reflect.DeepEqual(want, got) {
			return ""
		}
	}
	w, _ := json.Marshal(want)
	g, _ := json.Marshal(got)
	return string(w) + " against " + string(g)
}

// extensions are the cases of the table that are ours, and not PostgreSQL's.
var extensions = map[string]bool{
	"file_from": true, "group_by_all": true, "win_qualify": true, "qualify_kw": true,
	"create_or_replace_table": true,
}

// other are the cases of the table that are not one statement, or that print
// as another one of the same meaning.
var other = map[string]bool{
	"empty": true, "comment_only": true, "two_stmt": true,
}

func TestTableAgainstPostgres(t *testing.T) {
	_, cases := readTable(t)
	for _, c := range cases {
		if !extensions[c.name] && !other[c.name] {
			t.Run(c.name, func(t *testing.T) { compare(t, c.input) })
		}
	}
}

// corpus reads the statements of the files under testdata.
func corpus(t testing.TB) []string {
	t.Helper()
	return append(statementsOf(t, "tpch.sql", "ssb.sql", "probes.sql"), statementsOf(t, "indexes_locks.sql", "conflicts.sql", "sequences.sql", "definitions.sql", "partitions.sql")...)
}

// statementsOf reads the statements of some files under testdata.
func statementsOf(t testing.TB, names ...string) []string {
	t.Helper()
	var list []string
	for _, name := range names {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		pieces, err := Split(string(b))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pieces {
			list = append(list, p.Text)
		}
	}
	return list
}

func TestCorpusAgainstPostgres(t *testing.T) {
	for _, text := range corpus(t) {
		if _, err := Parse(text); err != nil {
			t.Errorf("%s\n%s", text, describe(err))
		}
		compare(t, text)
	}
}
