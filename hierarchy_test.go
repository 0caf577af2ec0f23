package cubeloom_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
)

// machines opens a database, in a directory where dir is not "", with parts that count
// into machines.
func machines(t *testing.T, dir string) *cubeloom.DB {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{DataDir: dir, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := db.Session()
	for _, text := range []string{
		"CREATE TABLE parts (id integer PRIMARY KEY)",
		"INSERT INTO parts SELECT g FROM generate_series(1, 9) AS x(g)",
		"CREATE TABLE edges (child integer, parent integer, n integer)",
		"INSERT INTO edges VALUES (1, 2, 4), (2, 3, 5)",
		"CREATE HIERARCHY machine FROM edges (child, parent, n) ON parts (id)",
	} {
		run(t, s, text)
	}
	return db
}

// total is what the first part counts into all others.
func total(t *testing.T, s *cubeloom.Session) string {
	t.Helper()
	return cells(t, s, "SELECT sum(weight), count(*) FROM machine WHERE base = 1")
}

// cells are the rows of a query, with blanks between them.
func cells(t *testing.T, s *cubeloom.Session, text string) string {
	t.Helper()
	return strings.ReplaceAll(strings.TrimSuffix(run(t, s, text), "\n"), "\n", " ")
}

// refused runs what must fail with a code and says why.
func refused(t *testing.T, s *cubeloom.Session, want, text string) *cubeloom.Error {
	t.Helper()
	_, err := s.Query(context.Background(), text)
	var e *cubeloom.Error
	if !errors.As(err, &e) || e.Code != want {
		t.Fatalf("%.200s: %v instead of %s", text, err, want)
	}
	return e
}

// TestHierarchiesAreThereAfterAKill copies the directory while the database is open, and
// opens the copy.
func TestHierarchiesAreThereAfterAKill(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := machines(t, dir).Session()
	run(t, s, "INSERT INTO edges VALUES (1, 4, 7)")
	run(t, s, "COMMENT ON HIERARCHY machine IS 'parts lists'")
	killed := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	db, err := cubeloom.Open(cubeloom.Options{DataDir: killed})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	again := db.Session()
	if got := total(t, again); got != "32|4" {
		t.Errorf("after a kill: %s", got)
	}
	refused(t, again, "23514", "INSERT INTO edges VALUES (3, 1, 1)")
	run(t, again, "DELETE FROM edges WHERE parent = 4")
	if got := total(t, again); got != "25|3" {
		t.Errorf("after a change: %s", got)
	}
	run(t, again, "DROP HIERARCHY machine")
}

func TestHierarchiesFollowTheirTransaction(t *testing.T) {
	db := machines(t, "")
	a, b := db.Session(), db.Session()
	run(t, b, "BEGIN ISOLATION LEVEL REPEATABLE READ")
	before := total(t, b)
	run(t, a, "BEGIN")
	run(t, a, "INSERT INTO edges VALUES (3, 4, 2)")
	run(t, a, "SAVEPOINT s")
	run(t, a, "UPDATE edges SET n = -n")
	if got := total(t, a); got != "-23|4" { // 1 - 4 + 20 - 40
		t.Errorf("own changes: %s", got)
	}
	run(t, a, "ROLLBACK TO s")
	if got := total(t, a); got != "65|4" {
		t.Errorf("after a savepoint: %s", got)
	}
	c := db.Session()
	if got := total(t, c); got != before {
		t.Errorf("another sees %s", got)
	}
	run(t, a, "COMMIT")
	if got := total(t, b); got != before {
		t.Errorf("a snapshot sees %s", got)
	}
	if got := total(t, c); got != "65|4" {
		t.Errorf("after the commit: %s", got)
	}
	refused(t, b, "40001", "DELETE FROM edges")
}

// TestTwoTransactionsCloseACycle has the second of two changes that only together are
// wrong wait for the first, and fail.
func TestTwoTransactionsCloseACycle(t *testing.T) {
	for _, c := range []struct{ first, second, code string }{
		{"INSERT INTO edges VALUES (3, 7, 1)", "INSERT INTO edges VALUES (7, 1, 1)", "23514"},
		{"DELETE FROM parts WHERE id = 9", "INSERT INTO edges VALUES (9, 1, 1)", "23503"},
		{"INSERT INTO edges VALUES (9, 1, 1)", "DELETE FROM parts WHERE id = 9", "23503"},
		{"CREATE HIERARCHY other FROM edges (parent, child)", "INSERT INTO edges VALUES (8, NULL, 1)", "23502"},
	} {
		for _, level := range []string{"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"} {
			db := machines(t, "")
			a, b := db.Session(), db.Session()
			for _, s := range []*cubeloom.Session{a, b} {
				run(t, s, "BEGIN ISOLATION LEVEL "+level)
				total(t, s)
			}
			run(t, a, c.first)
			failed := make(chan error)
			go func() {
				_, err := b.Query(context.Background(), c.second)
				if err == nil {
					_, err = b.Query(context.Background(), "COMMIT")
				}
				failed <- err
			}()
			select {
			case err := <-failed:
				t.Fatalf("%s: the second did not wait: %v", c.second, err)
			case <-time.After(20 * time.Millisecond):
			}
			run(t, a, "COMMIT")
			want := c.code
			if level != "READ COMMITTED" {
				want = "40001"
			}
			if err := <-failed; code(err) != want {
				t.Errorf("%s after %s at %s: %v instead of %s", c.second, c.first, level, err, want)
			}
		}
	}
}

func TestCyclesAreNamedElementByElement(t *testing.T) {
	s := machines(t, "").Session()
	for _, c := range []struct{ text, message, detail string }{
		{"INSERT INTO edges VALUES (5, 5, 1)", `the edges of hierarchy "machine" form a cycle: 5 -> 5`, ""},
		{"INSERT INTO edges VALUES (2, 1, 1)", `the edges of hierarchy "machine" form a cycle: 1 -> 2 -> 1`, ""},
	} {
		if e := refused(t, s, "23514", c.text); e.Message != c.message || e.Detail != c.detail {
			t.Errorf("%s: %s, %s", c.text, e.Message, e.Detail)
		}
	}
	run(t, s, "DROP HIERARCHY machine")
	for _, n := range []int{1000, 100_000} {
		run(t, s, "TRUNCATE edges")
		run(t, s, fmt.Sprintf("INSERT INTO edges SELECT g, g %% %d + 1, 1 FROM generate_series(1, %d) AS x(g)", n, n))
		e := refused(t, s, "23514", "CREATE HIERARCHY ring FROM edges (child, parent, n)")
		if e.Message != fmt.Sprintf(`the edges of hierarchy "ring" form a cycle of %d elements`, n) {
			t.Error(e.Message)
		}
		if steps := strings.Count(e.Detail, " -> "); len(e.Detail) > 20<<10 || !strings.HasSuffix(e.Detail, "-> 1") || n == 1000 && steps != 1000 {
			t.Errorf("%d steps of %d in a detail of %d bytes", steps, n, len(e.Detail))
		}
	}
}

func TestHierarchyOfManyElements(t *testing.T) {
	const n = 1_000_000
	s := machines(t, "").Session()
	run(t, s, "CREATE TABLE wide (child integer, parent integer, weight numeric(5,2))")
	run(t, s, fmt.Sprintf("INSERT INTO wide SELECT g, 0, 0.25 FROM generate_series(1, %d) AS x(g)", n))
	run(t, s, "CREATE HIERARCHY broad FROM wide (child, parent, weight)")
	if got := cells(t, s, "SELECT count(*), sum(weight) FROM broad WHERE element = 0"); got != "1000001|250001.00" {
		t.Error(got)
	}
	// A chain has as many rows as the square of its length: more than there is room for.
	run(t, s, "CREATE TABLE chain (child integer, parent integer)")
	run(t, s, "INSERT INTO chain SELECT g, g + 1 FROM generate_series(1, 100000) AS x(g)")
	run(t, s, "SET memory_limit = '200MB'")
	refused(t, s, "53200", "CREATE HIERARCHY long FROM chain (child, parent)")
	run(t, s, "SET memory_limit = 0")
	run(t, s, "SET statement_timeout = 200")
	refused(t, s, "57014", "CREATE HIERARCHY long FROM chain (child, parent)")
}

func TestHierarchiesAreExported(t *testing.T) {
	db := machines(t, "")
	s, dir := db.Session(), filepath.Join(t.TempDir(), "out")
	run(t, s, `CREATE TABLE "a first" ("the child" text, p text)`)
	run(t, s, `INSERT INTO "a first" VALUES ('x', 'y')`)
	run(t, s, `CREATE HIERARCHY "Named" FROM "a first" ("the child", p)`)
	run(t, s, "CREATE VIEW over AS SELECT element, sum(weight) AS w FROM machine GROUP BY 1")
	run(t, s, "COMMENT ON HIERARCHY machine IS 'parts lists'")
	run(t, s, "EXPORT DATABASE '"+dir+"'")
	other, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	o := other.Session()
	run(t, o, "IMPORT DATABASE '"+dir+"'")
	for _, q := range []string{"SELECT * FROM machine ORDER BY 1, 2", `SELECT * FROM "Named" ORDER BY 1, 2`, "SELECT * FROM over ORDER BY 1",
		"SELECT obj_description('machine'::regclass, 'pg_class')"} {
		if got, want := cells(t, o, q), cells(t, s, q); got != want {
			t.Errorf("%s: %s instead of %s", q, got, want)
		}
	}
	refused(t, o, "23514", "INSERT INTO edges VALUES (3, 1, 1)")
	refused(t, o, "23503", "DELETE FROM parts")
}

func TestHierarchiesAndRoles(t *testing.T) {
	db := machines(t, "")
	ctx, owner := context.Background(), db.Session()
	connect := func(name string) *cubeloom.Session {
		if err := db.AdmitRole(ctx, name); err != nil {
			t.Fatal(err)
		}
		s, err := db.Connect(cubeloom.Identity{User: name})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ana, ben := connect("ana"), connect("ben")
	refused(t, ana, "42501", "SELECT * FROM machine")
	refused(t, ana, "42501", "CREATE HIERARCHY own FROM edges (child, parent)")
	refused(t, ana, "42501", "DROP HIERARCHY machine")
	run(t, owner, "GRANT SELECT (child, parent) ON edges TO ana")
	run(t, ana, "CREATE HIERARCHY own FROM edges (child, parent)")
	refused(t, ana, "42501", "CREATE HIERARCHY weighed FROM edges (child, parent, n)")
	run(t, ana, "GRANT SELECT ON own TO ben")
	if got := cells(t, ben, "SELECT count(*) FROM own"); got != "6" {
		t.Error(got)
	}
	run(t, owner, "REVOKE SELECT (child) ON edges FROM ana")
	if e := refused(t, ben, "42501", "SELECT count(*) FROM own"); !strings.Contains(e.Message, "edges") {
		t.Error(e.Message)
	}
	// Whoever changes the edges need not be able to read the hierarchy.
	run(t, owner, "GRANT INSERT ON edges TO ben")
	run(t, ben, "INSERT INTO edges VALUES (1, 5, 1)")
	refused(t, ben, "23514", "INSERT INTO edges VALUES (5, 1, 1)")
	run(t, owner, "GRANT SELECT ON machine TO ben")
	if got := total(t, ben); got != "26|4" {
		t.Error(got)
	}
	run(t, owner, "ALTER VIEW machine OWNER TO ana")
	refused(t, ben, "42501", "SELECT * FROM machine")
	run(t, ana, "ALTER HIERARCHY own RENAME TO mine")
	run(t, ana, "DROP VIEW mine")
}
