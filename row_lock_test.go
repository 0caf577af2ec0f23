package cubeloom_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
)

// answers is the first column of a statement's rows.
func answers(t *testing.T, s *cubeloom.Session, text string) (rows []string, err error) {
	t.Helper()
	res, err := s.Query(context.Background(), text)
	if err != nil {
		return nil, err
	}
	defer res.Close()
	cur := res.Cursor()
	for cur.Next() {
		rows = append(rows, cur.Text(0))
	}
	return rows, cur.Err()
}

// expect checks the only value of a statement, or with code its SQLSTATE.
func expect(t *testing.T, s *cubeloom.Session, text, want, sqlstate string) {
	t.Helper()
	rows, err := answers(t, s, text)
	if code(err) != sqlstate {
		t.Errorf("%s: %v, want SQLSTATE %q", text, err, sqlstate)
	}
	got := ""
	for _, row := range rows {
		got += row
	}
	if got != want {
		t.Errorf("%s: %q, want %q", text, got, want)
	}
}

func TestLockingClauses(t *testing.T) {
	_, a, b := twoSessions(t)
	run(t, b, "SET lock_timeout = '20ms'")
	run(t, a, "BEGIN")
	expect(t, a, "SELECT n FROM t FOR UPDATE", "0", "")
	expect(t, b, "SELECT n FROM t FOR UPDATE NOWAIT", "", "55P03")
	expect(t, b, "SELECT n FROM t FOR SHARE NOWAIT", "", "55P03")
	expect(t, b, "SELECT n FROM t FOR UPDATE", "", "55P03")
	expect(t, b, "UPDATE t SET n = 1", "", "55P03")
	expect(t, b, "SELECT n FROM t FOR UPDATE SKIP LOCKED", "", "")
	expect(t, b, "SELECT n FROM t", "0", "")
	expect(t, b, "SELECT u.n FROM u, t FOR UPDATE OF u NOWAIT", "0", "")
	run(t, a, "COMMIT")
	expect(t, b, "SELECT n FROM t FOR UPDATE SKIP LOCKED", "0", "")

	run(t, a, "BEGIN")
	run(t, b, "BEGIN")
	expect(t, a, "SELECT n FROM t FOR SHARE", "0", "")
	expect(t, b, "SELECT n FROM t FOR KEY SHARE", "0", "")
	expect(t, b, "UPDATE t SET n = 1", "", "55P03")
	run(t, a, "COMMIT")
	run(t, b, "ROLLBACK")

	run(t, a, "BEGIN ISOLATION LEVEL REPEATABLE READ")
	expect(t, a, "SELECT n FROM t", "0", "")
	run(t, b, "UPDATE t SET n = 2")
	expect(t, a, "SELECT n FROM t FOR UPDATE", "", "40001")
	run(t, a, "ROLLBACK")
}

// TestLockedRowsAreNotLost has clients read a number, and write the next one, in
// transactions at READ COMMITTED.
func TestLockedRowsAreNotLost(t *testing.T) {
	db, a, _ := twoSessions(t)
	const writers, rounds = 3, 10
	var work sync.WaitGroup
	for range writers {
		work.Go(func() {
			s := db.Session()
			defer s.Close()
			for range rounds {
				run(t, s, "BEGIN")
				rows, err := answers(t, s, "SELECT n FROM t FOR UPDATE")
				if err != nil || len(rows) != 1 {
					t.Errorf("%v, %v", rows, err)
					return
				}
				n, _ := strconv.Atoi(rows[0])
				run(t, s, "UPDATE t SET n = "+strconv.Itoa(n+1))
				run(t, s, "COMMIT")
			}
		})
	}
	work.Wait()
	expect(t, a, "SELECT n FROM t", strconv.Itoa(writers*rounds), "")
}

func TestAdvisoryLocks(t *testing.T) {
	_, a, b := twoSessions(t)
	try := "SELECT pg_try_advisory_lock(1)"
	expect(t, a, "SELECT pg_advisory_lock(1)", "", "")
	expect(t, b, try, "f", "")
	expect(t, b, "SELECT pg_try_advisory_lock(1, 1)", "t", "")
	run(t, b, "SET lock_timeout = '20ms'")
	expect(t, b, "SELECT pg_advisory_lock(1)", "", "55P03")
	expect(t, a, "SELECT pg_advisory_unlock(1)", "t", "")
	expect(t, b, try, "t", "")
	expect(t, b, "SELECT pg_advisory_unlock_all()", "", "")

	run(t, a, "BEGIN")
	expect(t, a, "SELECT pg_advisory_xact_lock(1)", "", "")
	expect(t, b, try, "f", "")
	run(t, a, "ROLLBACK")
	expect(t, b, try, "t", "")
	b.Close()
	expect(t, a, try, "t", "")
}

// TestAdvisoryDeadlock has two sessions wait for each other, one for a table and one for
// an advisory lock.
func TestAdvisoryDeadlock(t *testing.T) {
	_, a, b := twoSessions(t)
	expect(t, a, "SELECT pg_advisory_lock(1)", "", "")
	run(t, b, "BEGIN")
	expect(t, b, "SELECT n FROM t FOR UPDATE", "0", "")
	waits := make(chan error)
	go func() {
		_, err := answers(t, b, "SELECT pg_advisory_lock(1)")
		waits <- err
	}()
	time.Sleep(50 * time.Millisecond)
	run(t, a, "BEGIN")
	_, err := answers(t, a, "UPDATE t SET n = 1")
	if code(err) != "40P01" {
		t.Errorf("%v, want SQLSTATE 40P01", err)
	}
	run(t, a, "ROLLBACK")
	expect(t, a, "SELECT pg_advisory_unlock(1)", "t", "")
	if err := <-waits; err != nil {
		t.Error(err)
	}
}

func TestAdvisoryLocksAreBounded(t *testing.T) {
	_, a, _ := twoSessions(t)
	expect(t, a, "SELECT count(x::text) FROM (SELECT pg_advisory_lock(g) x FROM generate_series(1, 2) g) s", "", "0A000")
	expect(t, a, "SELECT pg_advisory_lock(g) FROM generate_series(1, 20000) g", "", "53200")
	expect(t, a, "SELECT 1", "1", "")
}

func TestSleepEnds(t *testing.T) {
	_, a, _ := twoSessions(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := a.Query(ctx, "SELECT pg_sleep('infinity')"); err == nil || time.Since(start) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}
