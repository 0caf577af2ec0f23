package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// long is a statement that does not end by itself.
const long = "SELECT count(*) FROM n a, n b, n c WHERE a.i + b.i + c.i < 0"

// background runs a statement and returns its error. The test does not end before it,
// and uses the connection no more until then.
func background(t *testing.T, conn *pgx.Conn, text string) <-chan error {
	result, ended := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(ended)
		_, err := simple(conn, text)
		result <- err
	}()
	t.Cleanup(func() { <-ended })
	return result
}

// eventually waits until a query gives an answer.
func eventually(t *testing.T, conn *pgx.Conn, query, want string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		got, err := simple(conn, query)
		if err != nil {
			t.Fatal(err)
		}
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: got %q, want %q", query, got, want)
		}
	}
}

func TestSessionsSeeAndEndEachOther(t *testing.T) {
	address, _ := start(t, nil)
	watcher, worker := connect(t, address, ""), connect(t, address, "&application_name=worker")
	fill(t, worker, 1200)
	pid := worker.PgConn().PID()
	running := background(t, worker, long)
	eventually(t, watcher, "SELECT state, query FROM pg_stat_activity WHERE application_name = 'worker'", "active|"+long+"\nSELECT 1\n")
	eventually(t, watcher, fmt.Sprintf("SELECT pg_cancel_backend(%d)", pid), "t\nSELECT 1\n")
	wantCode(t, <-running, "57014")
	if _, err := simple(worker, "BEGIN"); err != nil {
		t.Fatal(err)
	}
	eventually(t, watcher, "SELECT state, usename FROM pg_stat_activity WHERE application_name = 'worker'", "idle in transaction|ana\nSELECT 1\n")
	var ended bool
	if err := watcher.QueryRow(context.Background(), "SELECT pg_terminate_backend($1)", int32(pid)).Scan(&ended); err != nil || !ended {
		t.Error(ended, err)
	}
	eventually(t, watcher, "SELECT count(*) FROM pg_stat_activity", "1\nSELECT 1\n")
	_, err := simple(worker, "SELECT 1")
	wantCode(t, err, "57P01")
	eventually(t, watcher, "SELECT client_addr, client_port > 0, xact_start = query_start, state_change >= query_start, backend_type FROM pg_stat_activity",
		"127.0.0.1|t|t|t|client backend\nSELECT 1\n")
	if got, err := simple(watcher, "SELECT pg_cancel_backend(NULL) AS a, pg_terminate_backend(x) FROM (VALUES (-1), (NULL)) v(x) ORDER BY x"); got != "|f\n|\nSELECT 2\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	_, err = simple(watcher, "SELECT 1 WHERE pg_cancel_backend(1)")
	wantCode(t, err, "0A000")
	if got, err := simple(watcher, "SELECT pg_cancel_backend(99999), pg_backend_pid() > 0"); got != "f|t\nSELECT 1\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestProgress watches a statement from another session, and by notices.
func TestProgress(t *testing.T) {
	address, _ := start(t, nil)
	watcher := connect(t, address, "")
	config, err := pgx.ParseConfig("postgres://ana@" + address + "/db?sslmode=disable&application_name=worker")
	if err != nil {
		t.Fatal(err)
	}
	notices := make(chan string, 1000)
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notices <- n.Message }
	worker, err := pgx.ConnectConfig(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer worker.Close(context.Background())
	fill(t, worker, 1200)
	if got, err := simple(worker, "SET progress_interval = '20ms'; SHOW progress_interval"); err != nil || got != "SET\n20ms\nSHOW\n" {
		t.Fatal(got, err)
	}
	running := background(t, worker, long)
	eventually(t, watcher, "SELECT phase, rows_total > 0, rows_done BETWEEN 0 AND rows_total, elapsed_ms > 20, query FROM cubeloom_progress "+
		"WHERE application_name = 'worker' AND pid = "+fmt.Sprint(worker.PgConn().PID()), "running|t|t|t|"+long+"\nSELECT 1\n")
	for notice := range notices {
		if strings.Contains(notice, " rows read (") {
			break
		}
	}
	worker.PgConn().CancelRequest(context.Background())
	wantCode(t, <-running, "57014")
	eventually(t, watcher, "SELECT count(*) FROM cubeloom_progress WHERE application_name = 'worker'", "0\nSELECT 1\n")
	if got, err := simple(worker, "SELECT 1"); got != "1\nSELECT 1\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestClientGoesAway ends the statement of a client that has closed its
// connection, and not one of a client that has sent more.
func TestClientGoesAway(t *testing.T) {
	address, _ := start(t, func(c *server.Config) {
		var err error
		if c.TLS, err = server.SelfSigned(t.TempDir()); err != nil {
			t.Fatal(err)
		}
	})
	watcher := connect(t, address, "")
	fill(t, watcher, 1200)
	for _, mode := range []string{"disable", "require"} {
		config, err := pgconn.ParseConfig("postgres://ana@" + address + "/db?application_name=worker&sslmode=" + mode)
		if err != nil {
			t.Fatal(err)
		}
		worker, err := pgconn.ConnectConfig(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		worker.Frontend().Send(&pgproto3.Query{String: long})
		worker.Frontend().Flush()
		eventually(t, watcher, "SELECT state FROM pg_stat_activity WHERE application_name = 'worker'", "active\nSELECT 1\n")
		worker.Conn().Close()
		eventually(t, watcher, "SELECT count(*) FROM pg_stat_activity", "1\nSELECT 1\n")
	}
	pipelined := connect(t, address, "&application_name=worker")
	frontend := pipelined.PgConn().Frontend()
	frontend.Send(&pgproto3.Query{String: "SET statement_timeout = '900ms'"})
	frontend.Send(&pgproto3.Query{String: long})
	frontend.Send(&pgproto3.Query{String: "SELECT 'next'"})
	frontend.Flush()
	var got []string
	for len(got) < 3 {
		msg, err := frontend.Receive()
		if err != nil {
			t.Fatal(err)
		}
		switch msg := msg.(type) {
		case *pgproto3.CommandComplete:
			got = append(got, string(msg.CommandTag))
		case *pgproto3.ErrorResponse:
			got = append(got, msg.Message)
		}
	}
	if got[0] != "SET" || !strings.Contains(got[1], "statement timeout") || got[2] != "SELECT 1" {
		t.Errorf("got %q", got)
	}
}

// TestTerminateWhileSending ends the session of a client that asked for more
// rows than the network holds and reads none.
func TestTerminateWhileSending(t *testing.T) {
	address, _ := start(t, nil)
	watcher, worker := connect(t, address, ""), connect(t, address, "&application_name=worker")
	fill(t, worker, 1500)
	pid := worker.PgConn().PID()
	rows, err := worker.Query(context.Background(), "SELECT a.i, repeat('x', 20) FROM n a, n b")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	eventually(t, watcher, "SELECT state FROM pg_stat_activity WHERE application_name = 'worker'", "active\nSELECT 1\n")
	eventually(t, watcher, fmt.Sprintf("SELECT pg_terminate_backend(%d)", pid), "t\nSELECT 1\n")
	eventually(t, watcher, "SELECT count(*) FROM pg_stat_activity", "1\nSELECT 1\n")
}

func TestIdleSessionsEnd(t *testing.T) {
	address, _ := start(t, nil)
	for setting, code := range map[string]string{"idle_session_timeout": "57P05", "idle_in_transaction_session_timeout": "25P03"} {
		conn := connect(t, address, "")
		if _, err := simple(conn, "SET "+setting+" = '60ms'"); err != nil {
			t.Fatal(err)
		}
		if code == "25P03" {
			time.Sleep(120 * time.Millisecond) // does not count outside a transaction
			if _, err := simple(conn, "BEGIN"); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(250 * time.Millisecond)
		_, err := simple(conn, "SELECT 1")
		wantCode(t, err, code)
	}
}

// metric waits until /metrics has a line.
func metric(t *testing.T, srv *server.Server, line string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		text := page(srv, "/metrics")
		if strings.Contains(text, line+"\n") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %q in\n%s", line, text)
		}
	}
}

func page(srv *server.Server, path string) string {
	w := httptest.NewRecorder()
	srv.Monitor().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	text, _ := io.ReadAll(w.Body)
	return fmt.Sprintf("%d\n%s", w.Code, text)
}

func TestMonitor(t *testing.T) {
	address, srv := start(t, nil)
	conn := connect(t, address, "")
	simple(conn, "SELECT 1; SELECT 2")
	simple(conn, "SELECT 1/0")
	for _, line := range []string{
		"cubeloom_sessions 1", "cubeloom_connections_total 1", "cubeloom_statements_failed_total 1", "cubeloom_rows_sent_total 2",
		"cubeloom_statement_seconds_count 3", `cubeloom_statement_seconds_bucket{le="+Inf"} 3`, "# TYPE cubeloom_sessions gauge", "cubeloom_memory_bytes 0",
	} {
		metric(t, srv, line)
	}
	if got := page(srv, "/health"); got != "200\nok\n" {
		t.Errorf("got %q", got)
	}
	srv.Shutdown(context.Background())
	if got := page(srv, "/health"); got != "503\nstopping\n" {
		t.Errorf("got %q", got)
	}
}

func TestMemoryOfAllQueries(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{MemoryLimit: -1, TotalMemory: 1 << 20, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	digits := "(VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9))"
	all := "SELECT a.v + 10*b.v + 100*c.v + 1000*d.v + 10000*e.v + 100000*f.v AS i FROM " +
		digits + " a(v), " + digits + " b(v), " + digits + " c(v), " + digits + " d(v), " + digits + " e(v), " + digits + " f(v)"
	_, err = s.Query(context.Background(), "SELECT i, count(*) FROM ("+all+") x GROUP BY i")
	if err == nil || !strings.Contains(err.Error(), "for all of them (SQLSTATE 53200)") {
		t.Errorf("got %v", err)
	}
	if _, err := s.Query(context.Background(), "SELECT 1"); err != nil {
		t.Error(err)
	}
	if n := db.MemoryInUse(); n != 0 {
		t.Errorf("%d bytes are left", n)
	}
}
