package cubeloom_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
)

// Columns that COPY does not list get their defaults, whatever the file is.
func TestCopyFillsInDefaultsInEveryFormat(t *testing.T) {
	s := memorySession(t)
	run(t, s, "CREATE TABLE t (k int, x int DEFAULT 7, s text DEFAULT 'none', r float8 DEFAULT random())")
	for _, format := range []string{"csv", "text", "binary", "parquet", "arrow"} {
		file := filepath.Join(t.TempDir(), "k."+format)
		run(t, s, fmt.Sprintf("COPY (SELECT k::int FROM generate_series(1, 3) k) TO '%s' (FORMAT %s)", file, format))
		run(t, s, "TRUNCATE t")
		run(t, s, fmt.Sprintf("COPY t (k) FROM '%s' (FORMAT %s) WHERE k <> 2", file, format))
		if got := run(t, s, "SELECT string_agg(k || '' || x || s, ' ' ORDER BY k), count(DISTINCT r) FROM t"); got != "17none 37none|2\n" {
			t.Errorf("%s: %s", format, got)
		}
	}
}

// More rows than are held at a time keep their order and their texts.
func TestCopyComputesRowsPartByPart(t *testing.T) {
	s := memorySession(t)
	run(t, s, "CREATE TABLE t (k int, x int DEFAULT 7, s text)")
	file := filepath.Join(t.TempDir(), "k.csv")
	const rows = 2_300_000
	run(t, s, fmt.Sprintf("COPY (SELECT k, 'text ' || k %% 10 FROM generate_series(1, %d) k) TO '%s'", rows, file))
	run(t, s, fmt.Sprintf("COPY t (k, s) FROM '%s' WHERE k %% 2 = 0", file))
	got := run(t, s, "SELECT count(*), sum(k), sum(x), count(DISTINCT s), bool_and(s = 'text ' || k % 10) FROM t")
	const half = rows / 2
	if want := fmt.Sprintf("%d|%d|%d|5|t\n", half, half*(half+1), 7*half); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if plan := run(t, s, "SELECT max(k) - min(k), (SELECT k FROM t LIMIT 1) FROM t"); !strings.HasSuffix(plan, "|2\n") {
		t.Errorf("the rows are out of order: %s", plan)
	}
}

// memorySession is a session of a database in memory.
func memorySession(t *testing.T) *cubeloom.Session {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db.Session()
}
