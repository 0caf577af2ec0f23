package cubeloom_test

import (
	"context"
	"testing"

	"github.com/cubeloom/cubeloom"
)

// TestTemporaryTablesArePrivate holds that a session's temporary tables are its own,
// lock nobody out, and are gone with it and never stored.
func TestTemporaryTablesArePrivate(t *testing.T) {
	dir := t.TempDir()
	db, err := cubeloom.Open(cubeloom.Options{DataDir: dir, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	a, b := db.Session(), db.Session()
	run(t, a, "CREATE TABLE t (n integer)")
	for n, s := range []*cubeloom.Session{a, b} {
		run(t, s, "BEGIN ISOLATION LEVEL REPEATABLE READ")
		run(t, s, "CREATE TEMP TABLE t (n integer UNIQUE)")
		run(t, s, "INSERT INTO t VALUES ("+[]string{"1", "2"}[n]+")")
	}
	for n, s := range []*cubeloom.Session{a, b} {
		run(t, s, "COMMIT")
		if got, want := run(t, s, "SELECT n FROM t"), []string{"1\n", "2\n"}[n]; got != want {
			t.Errorf("session %d has %s", n, got)
		}
	}
	if _, err := a.Query(context.Background(), "INSERT INTO t VALUES (1)"); code(err) != "23505" {
		t.Errorf("a key that is broken: %v", err)
	}
	if got := run(t, db.Session(), "SELECT count(*) FROM t"); got != "0\n" {
		t.Errorf("another session has %s", got)
	}
	run(t, a, "CREATE TEMP VIEW v AS SELECT * FROM t")
	a.Close()
	if _, err := a.Query(context.Background(), "SELECT * FROM v"); code(err) != "42P01" {
		t.Errorf("after its end: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = cubeloom.Open(cubeloom.Options{DataDir: dir}); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got := run(t, db.Session(), "SELECT count(*), (SELECT count(*) FROM pg_class WHERE relpersistence = 't') FROM t"); got != "0|0\n" {
		t.Errorf("after it was opened anew %s", got)
	}
}
