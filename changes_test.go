package cubeloom_test

import (
	"context"
	"testing"

	"github.com/cubeloom/cubeloom"
)

// run runs a statement that has to succeed, and returns the text of its rows.
func run(t *testing.T, s *cubeloom.Session, text string) string {
	t.Helper()
	res, err := s.Query(context.Background(), text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	out := ""
	for cur := res.Cursor(); cur.Next(); out += "\n" {
		for i := range res.Columns {
			if i > 0 {
				out += "|"
			}
			out += cur.Text(i)
		}
	}
	return out
}

// reopened is a database in a directory that was opened anew behind each of some statements.
func reopened(t *testing.T, statements ...string) *cubeloom.DB {
	t.Helper()
	dir := t.TempDir()
	open := func() *cubeloom.DB {
		db, err := cubeloom.Open(cubeloom.Options{DataDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	db := open()
	for _, text := range statements {
		run(t, db.Session(), text)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		db = open()
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestChangedTablesComeBack changes a table of several blocks in every way and
// opens the data directory anew.
func TestChangedTablesComeBack(t *testing.T) {
	db := reopened(t,
		"CREATE TABLE t (a bigint, b text, gone integer, d integer DEFAULT 40 + 2)",
		"INSERT INTO t SELECT i, 'text ' || i % 10, 1, i % 7 FROM generate_series(0, 299999) g(i)",
		"UPDATE t SET b = 'changed ' || a % 20 WHERE a BETWEEN 100000 AND 140000",
		"DELETE FROM t WHERE a % 3 = 0 AND a > 250000",
		"ALTER TABLE t DROP COLUMN gone",
		"ALTER TABLE t ADD COLUMN e numeric(6,2) DEFAULT 1.25, ADD f text DEFAULT 'same' NOT NULL, ADD g date",
		"UPDATE t SET g = date '2020-01-01' + 1, f = 'other' WHERE a < 10",
		"INSERT INTO t (a) VALUES (-1)",
	)
	got := run(t, db.Session(), "SELECT count(*), sum(a), count(DISTINCT b), sum(d), sum(e), count(DISTINCT f), count(g), max(length(b)) FROM t")
	if want := "283335|40416708332|30|850039|354168.75|2|10|10\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
	if got, want := run(t, db.Session(), "SELECT * FROM t WHERE a < 1 ORDER BY a"), "-1||42|1.25|same|\n0|text 0|0|1.25|other|2020-01-02\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
}
