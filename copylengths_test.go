package cubeloom_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
)

// COPY holds values to the lengths, precisions and scales of columns, whatever the file is.
func TestCopyKeepsToTypesInEveryFormat(t *testing.T) {
	s := memorySession(t)
	cases := []struct{ column, value, want, code string }{
		{"char(3)", "'a  '::text", "a  |1|t", ""},
		{"char(3)", "'äb      '::text", "äb |2|t", ""},
		{"char(3)", "' äbcd'::text", "", "22001"},
		{"char(3)", "'a'::char(3)", "a  |1|t", ""},
		{"char(3)", "'ab'::char(5)", "ab |2|t", ""},
		{"char(3)", "'abcd'::char(5)", "", "22001"},
		{"char", "'x '::text", "x|1|t", ""},
		{"varchar(3)", "'ab  '::text", "ab |3|t", ""},
		{"varchar(3)", "'äöü'::text", "äöü|3|t", ""},
		{"varchar(3)", "'abcd'::varchar(9)", "", "22001"},
		{"varchar", "'abcd  '::text", "abcd  |6|t", ""},
		{"varchar(2)[]", "'{ab,cde}'::text", "", "22001"},
		{"numeric(4,2)", "12.34::numeric(4,2)", "12.34", ""},
		{"numeric(4,2)", "'12.345'::text", "12.35", ""},
		{"numeric(4,2)", "'99.995'::text", "", "22003"},
		{"numeric(22,2)", "'100000000000000000000'::text", "", "22003"},
	}
	for _, c := range cases {
		for _, format := range []string{"csv", "text", "parquet", "arrow"} {
			for _, where := range []string{"", " WHERE random() >= 0"} {
				file := filepath.Join(t.TempDir(), "v."+format)
				run(t, s, "DROP TABLE IF EXISTS t")
				run(t, s, "CREATE TABLE t (c "+c.column+")")
				run(t, s, fmt.Sprintf("COPY (SELECT %s UNION ALL SELECT NULL) TO '%s' (FORMAT %s)", c.value, file, format))
				_, err := s.Query(context.Background(), fmt.Sprintf("COPY t FROM '%s' (FORMAT %s)%s", file, format, where))
				what := fmt.Sprintf("%s into %s as %s%s", c.value, c.column, format, where)
				if c.code != "" {
					if !hasCode(err, c.code) {
						t.Errorf("%s: %v", what, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				query := "SELECT c FROM t WHERE c IS NOT NULL"
				if strings.Contains(c.column, "char") {
					query = fmt.Sprintf("SELECT c, length(c), c = %s::%s FROM t WHERE c IS NOT NULL", c.value, c.column)
				}
				if got := strings.TrimSuffix(run(t, s, query), "\n"); got != c.want {
					t.Errorf("%s: %q", what, got)
				}
			}
		}
	}
}

// Numbers of files that columns cannot hold are refused by their types; those that every
// value of fits are taken.
func TestCopyOfColumnsOfOtherTypes(t *testing.T) {
	s := memorySession(t)
	for _, c := range []struct{ column, value, want string }{
		{"numeric(6,2)", "12.34::numeric(4,2)", "12.34"},
		{"numeric(22,2)", "12.34::numeric(4,2)", "12.34"},
		{"numeric(4,2)", "12.34::numeric(22,2)", ""},
		{"numeric(4,2)", "1.2::numeric(4,1)", ""},
		{"bigint", "7::smallint", "7"},
		{"smallint", "70000::int", ""},
		{"float8", "1.5::real", "1.5"},
		{"real", "1.5::float8", ""},
		{"date", "7::int", ""},
	} {
		for _, format := range []string{"parquet", "arrow"} {
			file := filepath.Join(t.TempDir(), "v."+format)
			run(t, s, "DROP TABLE IF EXISTS t")
			run(t, s, "CREATE TABLE t (c "+c.column+")")
			run(t, s, fmt.Sprintf("COPY (SELECT %s) TO '%s'", c.value, file))
			_, err := s.Query(context.Background(), fmt.Sprintf("COPY t FROM '%s'", file))
			if got := strings.TrimSuffix(run(t, s, "SELECT c FROM t"), "\n"); got != c.want || (err == nil) != (c.want != "") || err != nil && !hasCode(err, "42804") {
				t.Errorf("%s into %s: %q, %v", c.value, c.column, got, err)
			}
		}
	}
}

// IMPORT DATABASE holds files that another program has written to the types of the export.
func TestImportKeepsToTypes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x")
	from := memorySession(t)
	run(t, from, "CREATE TABLE t (c char(3), v varchar(3))")
	run(t, from, "EXPORT DATABASE '"+dir+"'")
	for _, c := range []struct{ row, want, code string }{
		{"'a  '::text, 'abc  '::text", "a  |abc|t|3\n", ""},
		{"'abcd'::text, 'abc'::text", "", "22001"},
	} {
		run(t, from, fmt.Sprintf("COPY (SELECT %s) TO '%s'", c.row, filepath.Join(dir, "t.parquet")))
		to := memorySession(t)
		_, err := to.Query(context.Background(), "IMPORT DATABASE '"+dir+"'")
		if c.code != "" {
			if !hasCode(err, c.code) {
				t.Errorf("%s: %v", c.row, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := run(t, to, "SELECT *, c = 'a', length(v) FROM t"); got != c.want {
			t.Errorf("%s: %s", c.row, got)
		}
	}
}

// A Loader holds records to the lengths of columns as COPY does.
func TestLoaderKeepsToTypes(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	run(t, s, "CREATE TABLE t (c char(3), v varchar(3), n numeric(4,2), i int)")
	for _, c := range []struct{ row, where, code string }{
		{"'a  '::text, 'abc  '::text, 1.25::numeric(3,2), 7::smallint", "", ""},
		{"'abcd'::text, 'abc'::text, 1.25::numeric(3,2), 7", `COPY t, line 1, column c: "abcd"`, "22001"},
		{"'abc'::text, 'abcd'::text, 1.25::numeric(3,2), 7", `COPY t, line 1, column v: "abcd"`, "22001"},
		{"'abc'::text, 'abc'::text, 1.25::numeric(8,2), 7", "", "42804"},
		{"'abc'::text, 'abc'::text, 1.25::numeric(3,1), 7", "", "42804"},
		{"'abc'::text, 'abc'::text, 1.25::numeric(3,2), 7::bigint", "", "42804"},
		{"'abc'::text, 'abc'::text, 1.25::numeric(3,2)", "", "22P04"},
	} {
		err := loadRows(db, s, "SELECT "+c.row)
		var e *cubeloom.Error
		if ok := errors.As(err, &e); c.code == "" && err != nil || c.code != "" && (!ok || e.Code != c.code || e.Where != c.where) {
			t.Errorf("%s: %+v", c.row, err)
		}
	}
	if got := run(t, s, "SELECT *, c = 'a', length(v) FROM t"); got != "a  |abc|1.25|7|t|3\n" {
		t.Error(got)
	}
}

// loadRows appends the rows of a query to table t.
func loadRows(db *cubeloom.DB, s *cubeloom.Session, query string) error {
	res, err := s.Query(context.Background(), query)
	if err != nil {
		return err
	}
	defer res.Close()
	records, err := res.Records()
	if err != nil {
		return err
	}
	defer records.Release()
	loader, err := db.Loader(context.Background(), "t")
	if err != nil {
		return err
	}
	defer loader.Close()
	for records.Next() {
		if err := loader.Append(context.Background(), records.Record()); err != nil {
			return err
		}
	}
	return loader.Commit(context.Background())
}

// hasCode reports whether an error is one of a user with an SQLSTATE.
func hasCode(err error, code string) bool {
	var e *cubeloom.Error
	return errors.As(err, &e) && e.Code == code
}
