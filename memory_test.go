package cubeloom

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// memorySession is a session of a database in memory with a limit for everything.
func memorySession(t *testing.T, total int64) (*DB, *Session) {
	t.Helper()
	db, err := Open(Options{Threads: 2, MemoryLimit: -1, TotalMemory: total})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := db.Session()
	t.Cleanup(s.Close)
	return db, s
}

// mustQuery runs a statement.
func mustQuery(t *testing.T, s *Session, text string) *Result {
	t.Helper()
	res, err := s.Query(context.Background(), text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return res
}

// mustRows runs a statement that must succeed and returns its rows as texts, with |
// between the columns.
func mustRows(t *testing.T, s *Session, text string) []string {
	t.Helper()
	res := mustQuery(t, s, text)
	if !res.HasRows() {
		return nil
	}
	var lines []string
	for cur := res.Cursor(); cur.Next(); {
		row := make([]string, len(res.Columns))
		for i := range row {
			row[i] = cur.Text(i)
			if cur.IsNull(i) {
				row[i] = "NULL"
			}
		}
		lines = append(lines, strings.Join(row, "|"))
	}
	return lines
}

// code is the SQLSTATE of what a statement gives, "" where it succeeds.
func code(s *Session, text string) string {
	res, err := s.Query(context.Background(), text)
	var e *Error
	switch {
	case err == nil:
		res.Close()
		return ""
	case errors.As(err, &e):
		return e.Code
	}
	return err.Error()
}

const rows = "SELECT i, 'row ' || i FROM generate_series(1, 100000) g(i)"

func TestResultIsChargedUntilItIsClosed(t *testing.T) {
	db, s := memorySession(t, 1<<30)
	res := mustQuery(t, s, rows)
	held := db.MemoryInUse()
	if held < 1<<20 {
		t.Errorf("a result of 100,000 rows takes %d bytes", held)
	}
	cursor := res.Cursor()
	for cursor.Next() {
	}
	res.Close()
	res.Close()
	if now := db.MemoryInUse(); now != 0 {
		t.Errorf("%d bytes are charged after Close", now)
	}
	mustQuery(t, s, "CREATE TABLE t (n integer)")
	mustQuery(t, s, "EXPLAIN ANALYZE "+rows)
	mustQuery(t, s, "EXPLAIN "+rows)
	if code(s, "SELECT 1 / (i - 99999) FROM generate_series(1, 100000) g(i)") != "22012" {
		t.Error("a statement that should have failed has not")
	}
	if now := db.MemoryInUse(); now > 64<<10 {
		t.Errorf("%d bytes are charged for statements without a large result", now)
	}
}

func TestCursorsAreChargedUntilTheyAreClosed(t *testing.T) {
	db, s := memorySession(t, 1<<30)
	mustQuery(t, s, "BEGIN")
	mustQuery(t, s, "DECLARE a CURSOR FOR "+rows)
	mustQuery(t, s, "DECLARE b CURSOR WITH HOLD FOR "+rows)
	both := db.MemoryInUse()
	fetched := mustQuery(t, s, "FETCH 10 FROM a")
	mustQuery(t, s, "COMMIT")
	if now := db.MemoryInUse(); now != both {
		t.Errorf("%d bytes are charged while rows of a cursor are read, and %d before", now, both)
	}
	fetched.Close()
	one := db.MemoryInUse()
	if one < both/3 || one > 2*both/3 {
		t.Errorf("%d bytes are charged for one cursor and %d for two", one, both)
	}
	mustQuery(t, s, "CLOSE b")
	if now := db.MemoryInUse(); now != 0 {
		t.Errorf("%d bytes are charged without a cursor", now)
	}
	mustQuery(t, s, "DECLARE c CURSOR WITH HOLD FOR "+rows)
	s.Close()
	if now := db.MemoryInUse(); now != 0 {
		t.Errorf("%d bytes are charged when the session has ended", now)
	}
}

func TestOpenCursorsTogetherHaveALimit(t *testing.T) {
	_, s := memorySession(t, 32<<20)
	for i := range 100 {
		switch c := code(s, fmt.Sprintf("DECLARE c%d CURSOR WITH HOLD FOR %s", i, rows)); {
		case c == "" && i < 50:
		case c == "53200" && i > 0:
			if c := code(s, "SELECT 1"); c != "" {
				t.Errorf("a small statement fails with %s beside the cursors", c)
			}
			return
		default:
			t.Fatalf("cursor %d: %q", i, c)
		}
	}
}

func TestTablesInMemoryAreChargedAsLongAsTheyAreThere(t *testing.T) {
	db, s := memorySession(t, 64<<20)
	mustQuery(t, s, "CREATE TABLE t AS "+rows)
	held := db.MemoryInUse()
	if held < 1<<20 || held > 8<<20 {
		t.Errorf("a table of 100,000 rows takes %d bytes", held)
	}
	full := false
	for i := 0; i < 40 && !full; i++ {
		full = code(s, "INSERT INTO t "+rows) == "53200"
	}
	if !full {
		t.Error("a table in memory grows without bound")
	}
	if c := code(s, "SELECT count(*) FROM t"); c != "" {
		t.Errorf("a full table cannot be read: %s", c)
	}
	mustQuery(t, s, "DROP TABLE t")
	time.Sleep(600 * time.Millisecond) // garbage is collected now and then
	for i := range 5 {
		if c := code(s, fmt.Sprintf("CREATE TABLE t%d AS %s", i, rows)); c != "" {
			t.Errorf("a table that was dropped keeps its room: %s", c)
		}
	}
}

func TestResultsThatAreGarbageLeaveRoom(t *testing.T) {
	_, s := memorySession(t, 32<<20)
	for range 50 {
		mustQuery(t, s, rows)
	}
}

// TestKeysOfLargeTextsAreCharged groups and joins by texts whose keys, put together for
// the rows of a vector, take far more than the limit, and than 32 bits count.
func TestKeysOfLargeTextsAreCharged(t *testing.T) {
	db, err := Open(Options{MemoryLimit: 256 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	defer s.Close()
	if got := code(s, "CREATE TABLE one AS SELECT repeat('x', 8000000) AS s"); got != "" {
		t.Fatal(got)
	}
	// Counted before they are joined, the rows would be few.
	if got := code(s, "SET disabled_rules = 'push_aggregates'"); got != "" {
		t.Fatal(got)
	}
	const many = "(SELECT s, i FROM one, generate_series(1, %d) g(i)) a"
	for text, want := range map[string]string{
		"SELECT count(DISTINCT s), max(length(s)) FROM " + fmt.Sprintf(many, 100):        "",
		"SELECT count(*) FROM " + fmt.Sprintf(many, 5) + " JOIN one b ON a.s = b.s":      "",
		"SELECT count(*) FROM " + fmt.Sprintf(many, 100) + " JOIN one b ON a.s = b.s":    "53200",
		"SELECT count(*) FROM " + fmt.Sprintf(many, 1000) + " JOIN one b ON a.s = b.s":   "54000",
		"SELECT s FROM " + fmt.Sprintf(many, 100) + " INTERSECT ALL SELECT s FROM one b": "53200",
	} {
		if got := code(s, text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if used := db.MemoryInUse(); used > 64<<20 {
		t.Errorf("%d bytes are charged afterwards", used)
	}
}

// TestCopiesOfTextsInWindowsAreCharged has windows give one long text to many rows.
func TestCopiesOfTextsInWindowsAreCharged(t *testing.T) {
	_, s := memorySession(t, 256<<20)
	for _, call := range []string{"max(x) OVER ()", "first_value(x) OVER (ORDER BY i)", "string_agg(x, ',') OVER ()"} {
		text := "SELECT count(a) FROM (SELECT " + call + " AS a FROM (SELECT i, CASE WHEN i = 1 THEN repeat('x', 100000) END AS x FROM generate_series(1, 20000) AS i) AS s) AS t"
		if got := code(s, text); got != "53200" {
			t.Errorf("%s: SQLSTATE %q, want 53200", call, got)
		}
	}
}
