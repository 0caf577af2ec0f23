package cubeloom_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
)

// code is the SQLSTATE of an error.
func code(err error) string {
	if e, ok := err.(*cubeloom.Error); ok {
		return e.Code
	}
	return ""
}

// twoSessions opens a database with tables t and u of one row each.
func twoSessions(t *testing.T) (db *cubeloom.DB, a, b *cubeloom.Session) {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	a, b = db.Session(), db.Session()
	run(t, a, "CREATE TABLE t (n integer)")
	run(t, a, "CREATE TABLE u (n integer)")
	run(t, a, "INSERT INTO t VALUES (0)")
	run(t, a, "INSERT INTO u VALUES (0)")
	return db, a, b
}

// TestConcurrentUpdatesAreNotLost has sessions add to the same two rows in
// transactions, while others read that both rows are equal.
func TestConcurrentUpdatesAreNotLost(t *testing.T) {
	db, a, _ := twoSessions(t)
	const writers, rounds = 3, 15
	var work sync.WaitGroup
	for range writers {
		work.Go(func() {
			s := db.Session()
			defer s.Close()
			for range rounds {
				for _, text := range []string{"BEGIN", "UPDATE t SET n = n + 1", "UPDATE u SET n = n + 1", "COMMIT"} {
					if _, err := s.Query(context.Background(), text); err != nil {
						t.Errorf("%s: %v", text, err)
					}
				}
			}
		})
	}
	work.Go(func() {
		s := db.Session()
		for range rounds {
			res, err := s.Query(context.Background(), "SELECT t.n - u.n FROM t, u")
			if err != nil {
				t.Error(err)
				return
			}
			if cur := res.Cursor(); !cur.Next() || cur.Text(0) != "0" {
				t.Error("a reader saw a part of a transaction")
			}
		}
	})
	work.Wait()
	if got := run(t, a, "SELECT t.n, u.n FROM t, u"); got != "45|45\n" {
		t.Errorf("got %s", got)
	}
}

// TestSnapshots says what a transaction sees of others at each level, and that
// a result keeps its rows.
func TestSnapshots(t *testing.T) {
	_, a, b := twoSessions(t)
	before, err := a.Query(context.Background(), "SELECT n FROM t")
	if err != nil {
		t.Fatal(err)
	}
	run(t, a, "BEGIN")
	run(t, a, "SELECT n FROM t")
	run(t, b, "UPDATE t SET n = 1")
	if got := run(t, a, "SELECT n FROM t"); got != "1\n" {
		t.Errorf("READ COMMITTED sees %s", got)
	}
	run(t, a, "COMMIT")
	run(t, a, "BEGIN ISOLATION LEVEL REPEATABLE READ")
	run(t, a, "SELECT n FROM t")
	run(t, b, "UPDATE t SET n = 2")
	if got := run(t, a, "SELECT n FROM t"); got != "1\n" {
		t.Errorf("REPEATABLE READ sees %s", got)
	}
	run(t, a, "UPDATE u SET n = 7")
	if _, err := a.Query(context.Background(), "UPDATE t SET n = n + 1"); code(err) != "40001" {
		t.Errorf("an update of a row that another changed: %v", err)
	}
	run(t, a, "ROLLBACK")
	if got := run(t, a, "SELECT t.n, u.n FROM t, u"); got != "2|0\n" {
		t.Errorf("after ROLLBACK %s", got)
	}
	if cur := before.Cursor(); !cur.Next() || cur.Text(0) != "0" {
		t.Error("a result has changed")
	}
}

// TestLocks holds that writers of one table wait for each other, up to
// lock_timeout, and that a circle of them is found.
func TestLocks(t *testing.T) {
	_, a, b := twoSessions(t)
	run(t, a, "BEGIN")
	run(t, a, "UPDATE t SET n = 5")
	run(t, b, "SET lock_timeout = '10ms'")
	if _, err := b.Query(context.Background(), "DELETE FROM t"); code(err) != "55P03" {
		t.Errorf("waiting for a lock: %v", err)
	}
	if got := run(t, b, "SELECT n FROM t"); got != "0\n" {
		t.Errorf("a reader sees %s", got)
	}
	run(t, b, "SET lock_timeout = 0")
	run(t, b, "BEGIN")
	run(t, b, "UPDATE u SET n = 6")
	ended := make(chan string, 2)
	for s, text := range map[*cubeloom.Session]string{a: "UPDATE u SET n = n + 1", b: "UPDATE t SET n = n + 1"} {
		go func() {
			_, err := s.Query(context.Background(), text)
			s.Close() // rolls back, so that the other goes on
			ended <- code(err)
		}()
	}
	if got := <-ended + <-ended; got != "40P01" {
		t.Errorf("of two that wait for each other one must go on: %q", got)
	}
}

// TestViewsKeepWhatTheyRead has one session make a view while another drops or alters
// what it reads: one of them waits, and then fails or goes on with what there is.
func TestViewsKeepWhatTheyRead(t *testing.T) {
	const view = "CREATE VIEW v AS SELECT n FROM t"
	for _, c := range []struct{ first, second, want string }{
		{view, "DROP TABLE t", "2BP01"},
		{view, "ALTER TABLE t DROP COLUMN n", "2BP01"},
		{view, "ALTER TABLE t RENAME TO w", ""},
		{view, "ALTER TABLE t ADD m integer", ""},
		{view, "CREATE VIEW w AS SELECT n FROM t", ""},
		{view, "INSERT INTO t VALUES (1)", ""},
		{"DROP TABLE t", view, "42P01"},
		{"ALTER TABLE t ADD m integer, DROP COLUMN n", view, "42703"},
		{"ALTER TABLE t ALTER n TYPE bigint", view, ""},
		{"INSERT INTO t VALUES (1)", view, ""},
	} {
		_, a, b := twoSessions(t)
		run(t, a, "BEGIN")
		run(t, a, c.first)
		ended := make(chan error)
		go func() {
			_, err := b.Query(context.Background(), c.second)
			ended <- err
		}()
		waits := true
		select {
		case err := <-ended:
			waits = false
			go func() { ended <- err }()
		case <-time.After(20 * time.Millisecond):
		}
		run(t, a, "COMMIT")
		if err := <-ended; code(err) != c.want {
			t.Errorf("%s while another did %s: %v", c.second, c.first, err)
		}
		if free := c.want == "" && !strings.HasPrefix(c.first, "ALTER TABLE") && !strings.HasPrefix(c.second, "ALTER TABLE"); free == waits {
			t.Errorf("%s while another did %s: it waited: %t", c.second, c.first, waits)
		}
		for _, name := range []string{"v", "w"} {
			_, err := a.Query(context.Background(), "SELECT * FROM "+name)
			if err != nil && code(err) != "42P01" {
				t.Errorf("after %s and %s: %v", c.first, c.second, err)
			}
		}
	}
}

// TestSnapshotsDefineNothingBlindly has a transaction with a snapshot drop a table that
// another has made a view of since, and make a view of one that another has altered.
func TestSnapshotsDefineNothingBlindly(t *testing.T) {
	for _, c := range []struct{ meanwhile, then string }{
		{"CREATE VIEW v AS SELECT n FROM t", "DROP TABLE t"},
		{"CREATE VIEW v AS SELECT n FROM t", "ALTER TABLE t DROP COLUMN n"},
		{"ALTER TABLE t RENAME n TO m", "CREATE VIEW v AS SELECT n FROM t"},
		{"DROP TABLE t", "CREATE VIEW v AS SELECT n FROM t"},
	} {
		_, a, b := twoSessions(t)
		run(t, a, "BEGIN ISOLATION LEVEL REPEATABLE READ")
		run(t, a, "SELECT n FROM u")
		run(t, b, c.meanwhile)
		if _, err := a.Query(context.Background(), c.then); code(err) != "40001" {
			t.Errorf("%s after %s: %v", c.then, c.meanwhile, err)
		}
	}
}

// TestSharedLocksFormCircles has two transactions that share the definition of a table
// both want to change it: one of them has to give up.
func TestSharedLocksFormCircles(t *testing.T) {
	_, a, b := twoSessions(t)
	sessions := map[string]*cubeloom.Session{"v": a, "w": b}
	ended := make(chan string, 2)
	for name, s := range sessions {
		run(t, s, "BEGIN")
		run(t, s, "CREATE VIEW "+name+" AS SELECT n FROM t")
	}
	for _, s := range sessions {
		go func() {
			_, err := s.Query(context.Background(), "ALTER TABLE t ADD m integer")
			s.Close()
			ended <- code(err)
		}()
	}
	if got := <-ended + <-ended; got != "40P01" {
		t.Errorf("of two that wait for each other one must go on: %q", got)
	}
}

// TestReplacedRelationsKeepTheirReaders replaces tables and views that views read.
func TestReplacedRelationsKeepTheirReaders(t *testing.T) {
	_, a, _ := twoSessions(t)
	run(t, a, "CREATE VIEW v AS SELECT n, n + 1 AS m FROM t")
	run(t, a, "CREATE VIEW w AS SELECT m FROM v")
	for _, c := range [][2]string{
		{"CREATE OR REPLACE VIEW v AS SELECT n FROM t", "cannot drop columns from view (SQLSTATE 42P16)"},
		{"CREATE OR REPLACE VIEW v AS SELECT n, n AS k FROM t", `cannot change name of view column "m" to "k" (SQLSTATE 42P16)`},
		{"CREATE OR REPLACE VIEW v AS SELECT n, 'x'::text AS m FROM t", `cannot change data type of view column "m" from integer to text (SQLSTATE 42P16)`},
		{"CREATE OR REPLACE TABLE t (m integer)", "cannot replace table t because views that read it would change (SQLSTATE 2BP01)"},
		{"CREATE OR REPLACE TABLE t AS SELECT 1 AS m", "cannot replace table t because views that read it would change (SQLSTATE 2BP01)"},
		{"CREATE VIEW x AS SELECT * FROM v", ""},
		{"CREATE OR REPLACE VIEW v AS SELECT n, n + 2 AS m, 'more' AS more FROM t", "adding a column to a view of which another view selects * is not supported (SQLSTATE 0A000)"},
		{"DROP VIEW x", ""},
		{"CREATE OR REPLACE VIEW v AS SELECT n, n + 2 AS m, 'more' AS more FROM t", ""},
		{"CREATE OR REPLACE TABLE t AS SELECT 7 AS n, 'new' AS more", ""},
	} {
		if _, err := a.Query(context.Background(), c[0]); err == nil && c[1] != "" || err != nil && err.Error() != c[1] {
			t.Errorf("%s: %v", c[0], err)
		}
		run(t, a, "SELECT * FROM w")
	}
	if got := run(t, a, "SELECT * FROM w"); got != "9\n" {
		t.Errorf("got %s", got)
	}
}
