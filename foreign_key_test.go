package cubeloom_test

import (
	"context"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
)

// family is two sessions with a table, parent, that another one, child, refers to.
func family(t *testing.T) (a, b *cubeloom.Session) {
	t.Helper()
	_, a, b = twoSessions(t)
	runAll(t, a, "CREATE TABLE parent (id integer PRIMARY KEY); INSERT INTO parent VALUES (1), (2), (3)")
	run(t, a, "CREATE TABLE child (a integer REFERENCES parent, b integer REFERENCES parent ON DELETE CASCADE)")
	return a, b
}

// waits runs a statement of b, which has to wait until a commits, and returns its SQLSTATE.
func waits(t *testing.T, a, b *cubeloom.Session, text string) string {
	t.Helper()
	done := make(chan error)
	go func() {
		_, err := b.Query(context.Background(), text)
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("%s did not wait: %v", text, err)
	case <-time.After(30 * time.Millisecond):
	}
	run(t, a, "COMMIT")
	return code(<-done)
}

func TestReferencesOfConcurrentSessions(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"INSERT INTO child VALUES (1)", "DELETE FROM parent WHERE id = 1", "23503"},
		{"INSERT INTO child VALUES (1)", "UPDATE parent SET id = 5 WHERE id = 1", "23503"},
		{"INSERT INTO child VALUES (1)", "DELETE FROM parent WHERE id = 2", ""},
		{"INSERT INTO child VALUES (1)", "DROP TABLE parent", "2BP01"},
		{"INSERT INTO child VALUES (1)", "TRUNCATE parent", "0A000"},
		{"DELETE FROM parent WHERE id = 1", "INSERT INTO child VALUES (1)", "23503"},
		{"DELETE FROM parent WHERE id = 1", "INSERT INTO child VALUES (2)", ""},
		{"INSERT INTO parent VALUES (4)", "INSERT INTO child VALUES (4)", ""},
		{"DELETE FROM parent WHERE id = 1", "CREATE TABLE other (a integer DEFAULT 1 REFERENCES parent)", ""},
		{"DROP TABLE parent CASCADE", "INSERT INTO child VALUES (9)", ""},
		{"ALTER TABLE parent RENAME TO parents", "INSERT INTO child VALUES (9)", "23503"},
	} {
		a, b := family(t)
		runAll(t, a, "BEGIN; "+c.first)
		if got := waits(t, a, b, c.second); got != c.want {
			t.Errorf("%s, and then %s: SQLSTATE %q, want %q", c.first, c.second, got, c.want)
		}
	}
}

// TestReferencesDoNotDeadlock has one session write the table that is referred to and then the
// other, in both orders, while another session writes the one that refers.
func TestReferencesDoNotDeadlock(t *testing.T) {
	for _, c := range [][2]string{
		{"INSERT INTO parent VALUES (4)", "INSERT INTO child VALUES (4)"},
		{"INSERT INTO child VALUES (1)", "UPDATE parent SET id = 5 WHERE id = 3"},
		{"DELETE FROM child", "DELETE FROM parent WHERE id = 3"},
		{"DELETE FROM parent WHERE id = 3", "DELETE FROM child"},
	} {
		a, b := family(t)
		runAll(t, a, "BEGIN; "+c[0])
		done := make(chan error)
		go func() {
			_, err := b.Query(context.Background(), "INSERT INTO child VALUES (2, 2)")
			done <- err
		}()
		time.Sleep(30 * time.Millisecond)
		runAll(t, a, c[1]+"; COMMIT")
		if err := <-done; err != nil {
			t.Errorf("%s, %s: %v", c[0], c[1], err)
		}
	}
}

// TestReferencesOfSnapshots checks that who reads what was committed before refers to what is there
// now.
func TestReferencesOfSnapshots(t *testing.T) {
	for _, level := range []string{"REPEATABLE READ", "SERIALIZABLE"} {
		a, b := family(t)
		begin := "BEGIN ISOLATION LEVEL " + level
		runAll(t, a, begin+"; SELECT * FROM child")
		run(t, b, "DELETE FROM parent WHERE id = 1")
		expect(t, a, "INSERT INTO child VALUES (1)", "", "23503")
		runAll(t, a, "ROLLBACK; "+begin+"; SELECT * FROM child")
		run(t, b, "INSERT INTO child VALUES (2, 3)")
		expect(t, a, "DELETE FROM parent WHERE id = 2", "", "23503")
		runAll(t, a, "ROLLBACK; "+begin+"; SELECT * FROM child")
		run(t, b, "INSERT INTO child VALUES (NULL, 3)")
		expect(t, a, "DELETE FROM parent WHERE id = 3", "", "40001")
		runAll(t, a, "ROLLBACK; "+begin+"; SELECT * FROM child")
		run(t, b, "CREATE TABLE other (a integer REFERENCES parent)")
		run(t, b, "INSERT INTO other VALUES (3)")
		expect(t, a, "DROP TABLE parent", "", "2BP01")
		runAll(t, a, "ROLLBACK; BEGIN; SAVEPOINT s; INSERT INTO parent VALUES (8); INSERT INTO child VALUES (8); ROLLBACK TO s")
		expect(t, a, "INSERT INTO child VALUES (8)", "", "23503")
		run(t, a, "ROLLBACK")
	}
}
