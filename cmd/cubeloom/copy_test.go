package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
)

// runShell runs a script as sql -f does.
func runShell(t *testing.T, script string) (out, errors string) {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var stdout, stderr strings.Builder
	sh, err := newShell(db, streams{in: strings.NewReader(""), out: &stdout, err: &stderr}, "csv")
	if err != nil {
		t.Fatal(err)
	}
	sh.runText(context.Background(), script, "test")
	return stdout.String(), stderr.String()
}

func TestCopyWithDataInline(t *testing.T) {
	out, errors := runShell(t, `CREATE TABLE t (a int, b text); COPY t FROM stdin;
1	x
2	'; DROP TABLE t;
\.
COPY t FROM STDIN WITH (FORMAT csv); -- more
3,"y
z"
\.
SELECT * FROM t ORDER BY a; COPY (SELECT a FROM t ORDER BY a) TO STDOUT (FORMAT csv, FORCE_QUOTE (a));
COPY t FROM STDIN;
7	x
eight	x
\.
`)
	want := "a,b\n1,x\n2,'; DROP TABLE t;\n3,\"y\nz\"\n\"1\"\n\"2\"\n\"3\"\n"
	if out != want {
		t.Errorf("got %q, want %q", out, want)
	}
	if !strings.Contains(errors, `COPY t, line 2, column a: "eight"`) {
		t.Errorf("got %q", errors)
	}
	_, errors = runShell(t, "SELECT 1;\nCREATE TABLE t (a int);\nCOPY t FROM STDIN;\n1\n\\.\nSELECT nope;")
	if !strings.Contains(errors, "LINE 6: SELECT nope;\n               ^") {
		t.Errorf("got %q", errors)
	}
}

func TestPromptWaitsForTheDataOfCopy(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT 1":                            false,
		"SELECT 1;":                           true,
		"COPY t FROM STDIN;\n":                false,
		"COPY t FROM STDIN;\n1\n":             false,
		"COPY t FROM STDIN;\n1\n\\.\n":        true,
		"COPY t FROM 'f';\n":                  true,
		"COPY t FROM STDIN;\n1\n\\.\nSELECT ": false,
	} {
		if complete(text) != want {
			t.Errorf("%q: complete is %t", text, !want)
		}
	}
}

func TestFileNamesOfCopyNeedNoQuotes(t *testing.T) {
	for line, want := range map[string]string{
		`\copy t from a.csv csv`:                      `\copy t from 'a.csv' csv`,
		`\copy t FROM 'a b.csv' (delimiter '  ')`:     `\copy t FROM 'a b.csv' (delimiter '  ')`,
		`\copy (select * from t) to b.csv`:            `\copy (select * from t) to 'b.csv'`,
		`\copy t from stdin`:                          `\copy t from stdin`,
		`\copy t to pstdout`:                          `\copy t to stdout`,
		`\copy t`:                                     `\copy t`,
		`\copy`:                                       `\copy`,
		`\copy (select trim(from ' a') x) to "c".csv`: `\copy (select trim(from ' a') x) to '"c".csv'`,
	} {
		if got := quoteFile(line); got != want {
			t.Errorf("%s: got %s", line, got)
		}
	}
	file := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(file, []byte("1\n2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var out strings.Builder
	sh, err := newShell(db, streams{out: &out, err: &out}, "table")
	if err != nil {
		t.Fatal(err)
	}
	sh.execute(context.Background(), "CREATE TABLE t (a int)")
	sh.meta(context.Background(), `\copy t from `+file+` csv`)
	if !strings.HasSuffix(out.String(), "COPY 2\n") {
		t.Errorf("got %q", out.String())
	}
}
