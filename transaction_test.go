package cubeloom_test

import (
	"context"
	"sync"
	"testing"

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
