package cubeloom

import (
	"strings"
	"sync"
	"testing"
)

// wasKept reports whether a query was planned before.
func wasKept(t *testing.T, s *Session, text string) bool {
	t.Helper()
	res := mustQuery(t, s, text)
	defer res.Close()
	return res.Stats.Weaving == 0
}

func TestPlansAreKept(t *testing.T) {
	_, s := memorySession(t, 1<<30)
	mustRows(t, s, "CREATE TABLE t (a int, b text)")
	mustRows(t, s, "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'x')")
	const query = "SELECT sum(a) FROM t WHERE b = 'x'"
	if wasKept(t, s, query) || !wasKept(t, s, query) {
		t.Error("the plan is not kept")
	}
	for _, change := range []string{
		"INSERT INTO t VALUES (10, 'x')", "SET timezone = 'Europe/Berlin'", "SET join_strategy = hash", "ALTER TABLE t ADD COLUMN c int",
		"GRANT SELECT ON t TO PUBLIC", "CREATE TABLE u (a int)",
	} {
		mustRows(t, s, change)
		if wasKept(t, s, query) {
			t.Errorf("after %s the old plan was used", change)
		}
	}
	if got := mustRows(t, s, query)[0]; got != "14" {
		t.Errorf("the sum is %s", got)
	}
}

// TestTextsAreKept parses texts in two sessions: short queries are parsed once.
func TestTextsAreKept(t *testing.T) {
	db, s := memorySession(t, 1<<30)
	other := db.Session()
	for text, kept := range map[string]bool{
		"SELECT 1; SELECT 2": true, "CREATE TABLE t (a int)": false, "SELECT 1; DELETE FROM t": false,
		"SELECT '" + strings.Repeat("x", 10000) + "'": false,
	} {
		first, err := s.Parse(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := other.Parse(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if (first[0] == again[0]) != kept {
			t.Errorf("whether %.30s is kept: %t", text, !kept)
		}
	}
}

// TestMomentaryPlans runs queries that depend on more than the catalog and settings.
func TestMomentaryPlans(t *testing.T) {
	_, s := memorySession(t, 1<<30)
	mustRows(t, s, "CREATE TABLE t (a int)")
	mustRows(t, s, "CREATE VIEW v AS SELECT clock_timestamp() AS at")
	mustRows(t, s, "INSERT INTO t SELECT generate_series(1, 3)")
	for _, query := range []string{
		"SELECT now()", "SELECT clock_timestamp()", "SELECT statement_timestamp()", "SELECT random()", "SELECT at FROM v",
		"SELECT count(*) FROM t WHERE random() < 2", "SELECT current_date", "SELECT localtimestamp", "SELECT current_user", "SELECT pg_backend_pid()",
		"SELECT count(*) FROM pg_stat_activity", "SELECT setseed(0.5)", "SELECT current_setting('threads')",
	} {
		if wasKept(t, s, query); wasKept(t, s, query) {
			t.Errorf("the plan of %s was used again", query)
		}
	}
}

// TestKeptPlansOfSessions runs queries in several sessions at the same time, of which
// temporary tables hide others.
func TestKeptPlansOfSessions(t *testing.T) {
	db, s := memorySession(t, 1<<30)
	mustRows(t, s, "CREATE TABLE t (a int, b text)")
	mustRows(t, s, "INSERT INTO t SELECT x, 'b' || x % 7 FROM generate_series(1, 5000) AS g (x)")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			own := db.Session()
			defer own.Close()
			want := "7 5000"
			if i%2 == 1 {
				want = "1 1"
				mustRows(t, own, "CREATE TEMPORARY TABLE t AS SELECT 1 AS a, 'b1' AS b")
			}
			for range 20 {
				if got := mustRows(t, own, "SELECT count(*) || ' ' || sum(n) FROM (SELECT b, count(*) AS n FROM t JOIN (SELECT a AS k FROM t) u ON a = k GROUP BY b) g")[0]; got != want {
					t.Errorf("session %d: %s, want %s", i, got, want)
				}
			}
		})
	}
	wg.Wait()
}

// TestLargePlansAreNotKept plans a constant that is large.
func TestLargePlansAreNotKept(t *testing.T) {
	_, s := memorySession(t, 1<<30)
	const query = "SELECT length(x) FROM (VALUES (repeat('x', 50000000))) v (x)"
	if wasKept(t, s, query); wasKept(t, s, query) {
		t.Error("the plan is kept")
	}
}
