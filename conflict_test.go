package cubeloom_test

import (
	"testing"
	"time"
)

// TestConflictsOfSessions has sessions insert the same key: the second one waits for the first,
// and sees what that has left.
func TestConflictsOfSessions(t *testing.T) {
	_, a, b := twoSessions(t)
	run(t, a, "CREATE TABLE k (id integer PRIMARY KEY, n integer)")
	const upsert = "INSERT INTO k VALUES (1, 10) ON CONFLICT (id) DO UPDATE SET n = k.n + excluded.n RETURNING n"
	for _, end := range []struct{ statement, want string }{{"COMMIT", "11"}, {"ROLLBACK", "21"}} {
		run(t, a, "BEGIN")
		run(t, a, "INSERT INTO k VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET n = 100")
		done := make(chan struct{})
		go func() {
			defer close(done)
			expect(t, b, upsert, end.want, "")
		}()
		select {
		case <-done:
			t.Error("the second session did not wait")
		case <-time.After(50 * time.Millisecond):
		}
		run(t, a, end.statement)
		<-done
	}
	run(t, b, "BEGIN ISOLATION LEVEL REPEATABLE READ")
	expect(t, b, "SELECT n FROM k", "21", "")
	run(t, a, "UPDATE k SET n = 5")
	expect(t, b, upsert, "", "40001")
	run(t, b, "ROLLBACK")
	expect(t, b, upsert, "15", "")
}
