package slt

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/tests/reference"
)

const sample = `# A comment alone.

statement ok
CREATE TABLE t (a integer)

# A query in any order.
query int4 rowsort
SELECT a
FROM t
----
1
2

onlyif cubeloom
query int4 int8
SELECT a, count(*) FROM t GROUP BY ALL
----

statement error 22012
SELECT 1 / 0
`

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.slt")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRoundTrip(t *testing.T) {
	f, err := ReadFile(write(t, sample))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.String(); got != sample {
		t.Errorf("got\n%s\nwant\n%s", got, sample)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"statement maybe\nSELECT 1\n":          ":1: ",
		"\n\nquery int4\n":                     ":3: no SQL",
		"statement ok\nSELECT 1\n----\n1\n":    "has no rows",
		"statement error division\nSELECT 1\n": "starts no record",
	} {
		if _, err := ReadFile(write(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// fake answers every query with the same rows.
type fake struct {
	rows  []string
	state string
}

func (f fake) Query(_ context.Context, sql string) (*reference.Result, error) {
	switch {
	case f.state != "" && strings.Contains(sql, "/ 0"):
		return nil, errors.New("division by zero")
	case strings.HasPrefix(sql, "CREATE"):
		return &reference.Result{}, nil
	}
	r := &reference.Result{Columns: []reference.Column{{Name: "a", Type: "int4"}}}
	for _, row := range f.rows {
		r.Rows = append(r.Rows, []reference.Cell{{Text: row}})
	}
	return r, nil
}

func (f fake) SQLState(error) string { return f.state }

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		db   fake
		want []string
	}{
		{fake{[]string{"2", "1"}, "22012"}, nil},
		{fake{[]string{"1", "3"}, "22012"}, []string{":7: rows"}},
		{fake{[]string{"1", "2"}, ""}, []string{":19: no error"}},
		{fake{[]string{"1", "2"}, "22003"}, []string{":19: error 22003"}},
	} {
		f, err := ReadFile(write(t, sample))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		f.Check(context.Background(), c.db, false, func(m string) { got = append(got, m) })
		if len(got) != len(c.want) {
			t.Errorf("%+v: %d failures %q, want %q", c.db, len(got), got, c.want)
			continue
		}
		for i, w := range c.want {
			if !strings.Contains(got[i], w) {
				t.Errorf("%+v: %q, want %q", c.db, got[i], w)
			}
		}
	}
}

func TestRecord(t *testing.T) {
	f, err := ReadFile(write(t, sample))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Record(context.Background(), fake{[]string{"9", "8"}, "22012"}); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(sample, "----\n1\n2\n", "----\n8\n9\n", 1)
	if got := f.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
