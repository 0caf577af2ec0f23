//go:build device

package tests

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestDeviceRecallsTables makes tables whose rows have the same keys: an array of cells is tried where
// the keys are likely to differ, and not again once they did not; it is not tried where they are
// likely to be the same.
func TestDeviceRecallsTables(t *testing.T) {
	db := openDeviceEngine(t)
	for _, sql := range []string{
		"CREATE TABLE facts AS SELECT i AS x, (i * 7 % 3000)::integer AS k FROM generate_series(1, 20000) s(i)",
		"CREATE TABLE few AS SELECT (CASE WHEN i % 500 = 0 THEN i - 1 ELSE i END)::integer AS k, (i % 11)::integer AS v FROM generate_series(1, 3000) s(i)",
		"CREATE TABLE most AS SELECT (i / 3)::integer AS k, (i % 11)::integer AS v FROM generate_series(1, 3000) s(i)",
	} {
		mustRun(t, &db.engine, sql)
	}
	for _, c := range []struct {
		table string
		made  []int // how often the table is made, by run
	}{{"few", []int{2, 1, 1}}, {"most", []int{1, 1}}} {
		query := fmt.Sprintf("SELECT sum(f.x::bigint * r.v), count(*) FROM facts f JOIN %s r ON f.k = r.k", c.table)
		mustRun(t, &db.engine, "SET device = cpu")
		want := fmt.Sprint(mustQuery(t, &db.engine, query).Rows)
		mustRun(t, &db.engine, "SET device = cuda")
		for run, made := range c.made {
			got := tablesMade(t, db, query)
			for until := time.Now().Add(time.Minute); got > made && time.Now().Before(until); { // a kernel is compiled behind the runs
				got = tablesMade(t, db, query)
			}
			if got != made {
				t.Errorf("%s, run %d: the table is made %d times, not %d", c.table, run+1, got, made)
			}
		}
		if got := fmt.Sprint(mustQuery(t, &db.engine, query).Rows); got != want {
			t.Errorf("%s: %s, the CPU gives %s", c.table, got, want)
		}
	}
}

// tablesMade returns how often a run of a query makes tables.
func tablesMade(t *testing.T, db *deviceEngine, query string) int {
	t.Helper()
	made := 0
	for _, g := range analyzed(t, &db.engine, query).Groups {
		for _, l := range g.Measured.Launches {
			if strings.HasPrefix(l.Entry, "scan_build") {
				made++
			}
		}
	}
	return made
}
