package cubeloom_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
)

// steps runs statements, each written as the letter of its session and the text,
// and returns their rows, or the SQLSTATE of the error.
func steps(t *testing.T, sessions map[string]*cubeloom.Session, script string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(script), "\n") {
		who, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		res, err := sessions[who].Query(context.Background(), text)
		if err != nil {
			out.WriteString(code(err) + "\n")
			continue
		}
		if !res.HasRows() {
			continue
		}
		for cur := res.Cursor(); cur.Next(); {
			out.WriteString(cur.Text(0) + "\n")
		}
	}
	return out.String()
}

// TestSerializable holds what transactions at SERIALIZABLE may do at the same
// time, and what they may not.
func TestSerializable(t *testing.T) {
	const level = "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE"
	for _, test := range []struct{ name, script, want string }{
		{"write skew", `
			a: BEGIN
			b: BEGIN
			a: SELECT n FROM t
			b: SELECT n FROM u
			a: UPDATE u SET n = 1
			b: UPDATE t SET n = 1
			a: COMMIT
			b: COMMIT`, "0\n0\n40001\n"},
		{"a query of its own that sees a later state than a writer", `
			a: BEGIN
			a: SELECT n FROM t
			b: UPDATE t SET n = 1
			c: SELECT t.n + u.n FROM t, u
			a: UPDATE u SET n = 2
			a: COMMIT`, "0\n1\n40001\n"},
		{"a query of its own that sees what the writer does", `
			a: BEGIN
			a: SELECT n FROM t
			c: SELECT t.n + u.n FROM t, u
			b: UPDATE t SET n = 1
			a: UPDATE u SET n = 2
			a: COMMIT
			c: SELECT t.n + u.n FROM t, u`, "0\n0\n3\n"},
		{"write skew of empty results through views and prepared statements", `
			c: CREATE VIEW v AS SELECT * FROM t
			b: PREPARE p AS SELECT n FROM u WHERE n > $1
			a: BEGIN
			b: BEGIN
			a: SELECT n FROM v WHERE n > 5
			b: EXECUTE p (5)
			a: INSERT INTO u VALUES (6)
			b: INSERT INTO t VALUES (6)
			a: COMMIT
			b: COMMIT`, "40001\n"},
		{"write skew of names", `
			a: BEGIN
			b: BEGIN
			a: CREATE TABLE IF NOT EXISTS x (n integer)
			b: SELECT to_regclass('x') IS NULL
			b: CREATE TABLE y AS SELECT 1 AS n
			a: SELECT count(*) FROM pg_class WHERE relname = 'y'
			b: COMMIT
			a: COMMIT`, "t\n0\n40001\n"},
		{"write skew by cursors", `
			a: BEGIN
			b: BEGIN
			a: DECLARE c CURSOR FOR SELECT n FROM t
			b: DECLARE c CURSOR FOR SELECT n FROM u
			a: TRUNCATE u
			b: DELETE FROM t
			a: COMMIT
			b: COMMIT`, "40001\n"},
		{"the one that is doomed fails in its next statement", `
			a: BEGIN
			b: BEGIN
			a: SELECT n FROM t
			b: SELECT n FROM u
			a: UPDATE u SET n = 1
			b: UPDATE t SET n = 1
			a: COMMIT
			b: SELECT n FROM t
			b: ROLLBACK`, "0\n0\n40001\n"},
		{"a transaction that only reads sees no state between", `
			a: BEGIN
			a: SELECT n FROM t
			b: UPDATE t SET n = 1
			c: BEGIN READ ONLY
			c: SELECT t.n + u.n FROM t, u
			a: UPDATE u SET n = 2
			a: COMMIT
			c: COMMIT`, "0\n1\n40001\n"},
		{"a reader before all writers", `
			c: BEGIN READ ONLY
			c: SELECT t.n + u.n FROM t, u
			a: BEGIN
			a: SELECT n FROM t
			b: UPDATE t SET n = 1
			a: UPDATE u SET n = 2
			a: COMMIT
			c: SELECT t.n + u.n FROM t, u
			c: COMMIT`, "0\n0\n0\n"},
		{"one conflict alone harms nobody", `
			a: BEGIN
			a: SELECT n FROM t
			b: UPDATE t SET n = 1
			a: UPDATE u SET n = 2
			a: COMMIT
			c: SELECT t.n + u.n FROM t, u`, "0\n3\n"},
		{"what was rolled back harms nobody", `
			a: BEGIN
			b: BEGIN
			a: SELECT n FROM t
			b: SELECT n FROM u
			a: UPDATE u SET n = 1
			b: UPDATE t SET n = 1
			b: ROLLBACK
			a: COMMIT`, "0\n0\n"},
		{"single statements have their place, too", `
			a: BEGIN
			a: SELECT n FROM t
			b: UPDATE t SET n = 1
			c: SELECT t.n + u.n FROM t, u
			a: UPDATE u SET n = 2
			a: COMMIT`, "0\n1\n40001\n"},
		{"other levels take no part", `
			a: BEGIN ISOLATION LEVEL REPEATABLE READ
			b: BEGIN
			a: SELECT n FROM t
			b: SELECT n FROM u
			a: UPDATE u SET n = 1
			b: UPDATE t SET n = 1
			a: COMMIT
			b: COMMIT`, "0\n0\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			db, a, b := twoSessions(t)
			sessions := map[string]*cubeloom.Session{"a": a, "b": b, "c": db.Session()}
			for _, s := range sessions {
				run(t, s, level)
			}
			if got := steps(t, sessions, test.script); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
}

// TestSerializationFailure holds the words of the error.
func TestSerializationFailure(t *testing.T) {
	_, a, b := twoSessions(t)
	steps(t, map[string]*cubeloom.Session{"a": a, "b": b}, `
		a: BEGIN ISOLATION LEVEL SERIALIZABLE
		b: BEGIN ISOLATION LEVEL SERIALIZABLE
		a: SELECT n FROM t
		b: SELECT n FROM u
		a: UPDATE u SET n = 1
		b: UPDATE t SET n = 1
		a: COMMIT`)
	_, err := b.Query(context.Background(), "COMMIT")
	e, ok := err.(*cubeloom.Error)
	if !ok || e.Message != "could not serialize access due to read/write dependencies among transactions" ||
		e.Detail != "Reason code: Canceled on identification as a pivot, during commit attempt." || e.Hint != "The transaction might succeed if retried." {
		t.Errorf("got %+v", err)
	}
}

// TestDeferrable has a deferrable transaction wait for writers that could harm
// it, and take another snapshot where one has.
func TestDeferrable(t *testing.T) {
	db, a, b := twoSessions(t)
	sessions := map[string]*cubeloom.Session{"a": a, "b": b}
	steps(t, sessions, `
		a: BEGIN ISOLATION LEVEL SERIALIZABLE
		a: SELECT n FROM t
		b: BEGIN ISOLATION LEVEL SERIALIZABLE
		b: UPDATE t SET n = 1
		b: COMMIT`)
	got := make(chan string)
	go func() {
		c := db.Session()
		got <- steps(t, map[string]*cubeloom.Session{"c": c}, `
			c: BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE
			c: SELECT t.n + u.n FROM t, u
			c: COMMIT`)
	}()
	if got := steps(t, sessions, "a: UPDATE u SET n = 2\na: COMMIT"); got != "" {
		t.Errorf("the writer: %s", got)
	}
	if got := <-got; got != "3\n" {
		t.Errorf("the reader: %s", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	steps(t, sessions, "a: BEGIN ISOLATION LEVEL SERIALIZABLE\na: SELECT n FROM t")
	run(t, b, "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE")
	cancel()
	if _, err := b.Query(ctx, "SELECT n FROM t"); code(err) != "57014" {
		t.Errorf("a wait that is cancelled: %v", err)
	}
}
