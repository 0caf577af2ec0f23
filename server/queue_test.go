package server_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/server"
	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
)

// oneAtATime starts a server on which one statement runs and one may wait, with one
// that runs until the connection first is cancelled.
func oneAtATime(t *testing.T) (address string, srv *server.Server, first *pgx.Conn, running <-chan error) {
	t.Helper()
	address, srv = start(t, func(c *server.Config) { c.MaxRunning, c.MaxQueued = 1, 1 })
	first = connect(t, address, "&application_name=first")
	fill(t, first, 1200)
	running = background(t, first, long)
	t.Cleanup(func() { first.PgConn().CancelRequest(context.Background()) })
	metric(t, srv, "cubeloom_statements_running 1")
	return address, srv, first, running
}

// brief is a statement that waits for its turn.
const brief = "SELECT count(*) FROM n"

func TestStatementsWaitForTheirTurn(t *testing.T) {
	address, srv, first, running := oneAtATime(t)
	second, third := connect(t, address, ""), connect(t, address, "")
	waiting := background(t, second, brief)
	metric(t, srv, "cubeloom_statements_waiting 1")
	for _, text := range []string{brief, "BEGIN", "SELECT 1 FROM generate_series(1, 2)", "SELECT (SELECT max(i) FROM n)"} {
		_, err := simple(third, text)
		wantCode(t, err, "53000")
	}
	second.PgConn().CancelRequest(context.Background())
	wantCode(t, <-waiting, "57014")
	metric(t, srv, "cubeloom_statements_waiting 0")
	waiting = background(t, second, brief)
	metric(t, srv, "cubeloom_statements_waiting 1")
	first.PgConn().CancelRequest(context.Background())
	wantCode(t, <-running, "57014")
	if err := <-waiting; err != nil {
		t.Error(err)
	}
	metric(t, srv, "cubeloom_statements_running 0")
}

// TestWaitingEnds has statements leave the queue when their time is over, and when
// their client is gone.
func TestWaitingEnds(t *testing.T) {
	address, srv, _, _ := oneAtATime(t)
	second := connect(t, address, "&statement_timeout=60")
	_, err := simple(second, brief)
	wantCode(t, err, "57014")
	if !strings.Contains(err.Error(), "statement timeout") {
		t.Errorf("got %v", err)
	}
	third := connect(t, address, "")
	background(t, third, brief)
	metric(t, srv, "cubeloom_statements_waiting 1")
	third.PgConn().Conn().Close()
	metric(t, srv, "cubeloom_statements_waiting 0")
}

// TestOperatorsDoNotWait looks at a server that is full, and ends what fills it.
func TestOperatorsDoNotWait(t *testing.T) {
	address, srv, _, running := oneAtATime(t)
	background(t, connect(t, address, ""), brief)
	metric(t, srv, "cubeloom_statements_waiting 1")
	operator := connect(t, address, "")
	for _, c := range []struct{ text, want string }{
		{"SHOW transaction_isolation", "read committed\nSHOW\n"},
		{"SET application_name = 'x'", "SET\n"},
		{"WITH a AS (SELECT * FROM pg_stat_activity) SELECT phase FROM cubeloom_progress JOIN a USING (pid) WHERE a.application_name = 'first'",
			"running\nSELECT 1\n"},
		{"SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'first'", "t\nSELECT 1\n"},
	} {
		if got, err := simple(operator, c.text); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", c.text, got, err)
		}
	}
	wantCode(t, <-running, "57014")
}

// TestLocksDoNotWaitForTurns has the only turn taken by a statement that waits for
// a lock of a pipeline which has not ended.
func TestLocksDoNotWaitForTurns(t *testing.T) {
	address, srv := start(t, func(c *server.Config) { c.MaxRunning, c.MaxQueued = 1, 1 })
	other := connect(t, address, "&statement_timeout=20000")
	fill(t, other, 2)
	r := dial(t, address)
	insert := []pgproto3.FrontendMessage{&pgproto3.Parse{Query: "INSERT INTO n VALUES (2)"}, &pgproto3.Bind{}, &pgproto3.Execute{}}
	r.say(append(insert, &pgproto3.Flush{})...)
	r.until("C")
	result := background(t, other, "INSERT INTO n VALUES (3)")
	metric(t, srv, "cubeloom_statements_running 1")
	r.say(append(insert, &pgproto3.Sync{})...)
	if got := r.until("Z"); got != "1 2 C(INSERT_0_1) ZI" {
		t.Errorf("got %s", got)
	}
	if err := <-result; err != nil {
		t.Error(err)
	}
}

// TestTimeOfSending ends a statement whose client does not read its rows in time.
func TestTimeOfSending(t *testing.T) {
	address, _ := start(t, nil)
	fill(t, connect(t, address, ""), 1200)
	r := dial(t, address)
	r.say(&pgproto3.Query{String: "SET statement_timeout = '600ms'"})
	r.until("Z")
	for _, text := range []string{"SELECT a.i, repeat('x', 20) FROM n a, n b", "COPY (SELECT a.i, repeat('x', 20) FROM n a, n b) TO STDOUT", "COPY n FROM STDIN"} {
		r.say(&pgproto3.Query{String: text})
		time.Sleep(700 * time.Millisecond)
		if got := r.last(); got != "E57014" {
			t.Errorf("%s ended with %s", text, got)
		}
	}
}

// last reads messages up to ReadyForQuery and returns the one before it.
func (r *raw) last() (word string) {
	r.t.Helper()
	for {
		msg, err := r.Receive()
		if err != nil {
			r.t.Fatal(err)
		}
		if _, ready := msg.(*pgproto3.ReadyForQuery); ready {
			return word
		}
		word = short(msg)
	}
}

// TestSettingsOfTheServer gives sessions settings that clients can still change.
func TestSettingsOfTheServer(t *testing.T) {
	address, _ := start(t, func(c *server.Config) {
		c.Settings = map[string]string{"statement_timeout": "7s", "timezone": "Asia/Tokyo"}
	})
	conn := connect(t, address, "&timezone=Europe/Rome")
	for _, c := range []struct{ text, want string }{
		{"SHOW statement_timeout", "7s\nSHOW\n"},
		{"SHOW timezone", "Europe/Rome\nSHOW\n"},
		{"SET statement_timeout = 0; SHOW statement_timeout", "SET\n0\nSHOW\n"},
		{"RESET ALL; SHOW statement_timeout", "RESET\n7s\nSHOW\n"},
	} {
		if got, err := simple(conn, c.text); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", c.text, got, err)
		}
	}
}
