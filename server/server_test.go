package server_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// failingLog fails the test for every error that the server logs: its own
// defects.
type failingLog struct{ t testing.TB }

func (l failingLog) Write(p []byte) (int, error) {
	l.t.Errorf("the server logged: %s", p)
	return len(p), nil
}

// start serves a new database on a free port until the test ends.
func start(t testing.TB, change func(*server.Config)) (address string, srv *server.Server) {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	cfg := server.Config{DB: db, Log: slog.New(slog.NewTextHandler(failingLog{t}, &slog.HandlerOptions{Level: slog.LevelError}))}
	if change != nil {
		change(&cfg)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv = server.New(cfg)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := srv.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, server.ErrClosed) {
			t.Error(err)
		}
		db.Close()
	})
	return l.Addr().String(), srv
}

// connect opens a connection of pgx.
func connect(t testing.TB, address, more string) *pgx.Conn {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, "postgres://ana@"+address+"/db?sslmode=disable"+more)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(ctx) })
	return conn
}

// wantCode checks the SQLSTATE of an error.
func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

// simple runs a text in the simple protocol and returns its results as lines.
func simple(conn *pgx.Conn, text string) (string, error) {
	results, err := conn.PgConn().Exec(context.Background(), text).ReadAll()
	var out strings.Builder
	for _, r := range results {
		for _, row := range r.Rows {
			for i, cell := range row {
				if i > 0 {
					out.WriteByte('|')
				}
				out.Write(cell)
			}
			out.WriteByte('\n')
		}
		if tag := r.CommandTag.String(); tag != "" {
			out.WriteString(tag + "\n")
		}
	}
	return out.String(), err
}

func TestSimpleQueries(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	for _, c := range []struct{ text, want, code string }{
		{"", "", ""},
		{" ; -- nothing", "", ""},
		{"SELECT 1; SELECT 'a', NULL", "1\nSELECT 1\na|\nSELECT 1\n", ""},
		{"CREATE TABLE t (a int)", "CREATE TABLE\n", ""},
		// Several statements are one transaction …
		{"INSERT INTO t VALUES (1); SELECT 1/0; INSERT INTO t VALUES (2)", "INSERT 0 1\n", "22012"},
		{"SELECT count(*) FROM t", "0\nSELECT 1\n", ""},
		// … that COMMIT ends early, and BEGIN makes the client's.
		{"INSERT INTO t VALUES (1); COMMIT; INSERT INTO t VALUES (2); SELECT 1/0", "INSERT 0 1\nCOMMIT\nINSERT 0 1\n", "22012"},
		{"SELECT count(*) FROM t", "1\nSELECT 1\n", ""},
		{"INSERT INTO t VALUES (3); BEGIN; INSERT INTO t VALUES (4)", "INSERT 0 1\nBEGIN\nINSERT 0 1\n", ""},
		{"ROLLBACK", "ROLLBACK\n", ""},
		{"SELECT count(*) FROM t", "1\nSELECT 1\n", ""},
		{"SAVEPOINT s; SELECT 1", "", "25P01"},
		// An error of any statement's syntax is an error before all.
		{"INSERT INTO t VALUES (5); SELEC", "", "42601"},
		{"BEGIN", "BEGIN\n", ""},
		{"SELEC", "", "42601"},
		{"SELECT 1", "", "25P02"},
		{"COMMIT", "ROLLBACK\n", ""},
		{"SELECT \x80", "", "22021"},
	} {
		got, err := simple(conn, c.text)
		if c.code != "" {
			wantCode(t, err, c.code)
		} else if err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestErrorPositionsAreCharacters(t *testing.T) {
	address, _ := start(t, nil)
	_, err := simple(connect(t, address, ""), "SELECT 'äöü€', nope")
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Position != 16 || e.Severity != "ERROR" {
		t.Errorf("got %+v", e)
	}
}

func TestParameterStatus(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "&application_name=me&options=-c%20datestyle%3Diso%5C,dmy%20--extra-float-digits%3D2")
	for name, want := range map[string]string{
		"application_name": "me", "DateStyle": "ISO, DMY", "server_encoding": "UTF8", "integer_datetimes": "on",
		"session_authorization": "ana", "standard_conforming_strings": "on",
	} {
		if got := conn.PgConn().ParameterStatus(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"SET application_name = 'you'", "you"},
		{"BEGIN; SET application_name = 'he'", "he"},
		{"ROLLBACK", "you"},
		{"BEGIN; SET LOCAL application_name = 'she'", "she"},
		{"COMMIT", "you"},
		{"RESET application_name", "me"},
	} {
		if _, err := simple(conn, c.text); err != nil {
			t.Fatal(err)
		}
		if got := conn.PgConn().ParameterStatus("application_name"); got != c.want {
			t.Errorf("after %s: %q, want %q", c.text, got, c.want)
		}
	}
	_, err := pgx.Connect(context.Background(), "postgres://ana@"+address+"/db?sslmode=disable&client_encoding=latin1")
	wantCode(t, err, "22023")
}

func TestSelfSignedCertificateIsKept(t *testing.T) {
	dir := t.TempDir()
	first, err := server.SelfSigned(dir)
	if err != nil {
		t.Fatal(err)
	}
	second, err := server.SelfSigned(dir)
	if err != nil {
		t.Fatal(err)
	}
	if string(first.Certificates[0].Certificate[0]) != string(second.Certificates[0].Certificate[0]) {
		t.Error("the certificate changed")
	}
}

func TestTooManyConnections(t *testing.T) {
	address, _ := start(t, func(c *server.Config) { c.MaxConnections = 2 })
	first := connect(t, address, "")
	connect(t, address, "")
	ctx := context.Background()
	target := "postgres://ana@" + address + "/db?sslmode=disable"
	_, err := pgx.Connect(ctx, target)
	wantCode(t, err, "53300")
	first.Close(ctx)
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		conn, err := pgx.Connect(ctx, target)
		if err == nil {
			conn.Close(ctx)
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the place of a closed connection is not free: %v", err)
		}
	}
}

func TestLoginTakesTooLong(t *testing.T) {
	address, _ := start(t, func(c *server.Config) { c.StartupTimeout = 50 * time.Millisecond })
	for _, sent := range []string{"", "\x00\x00\x00\x08\x00", "\x00\x00\x00\x08\x04\xd2\x16\x2f"} {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		io.WriteString(nc, sent)
		nc.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, err := io.ReadAll(nc); err != nil {
			t.Errorf("after %q: the connection was not closed: %v", sent, err)
		}
	}
}

func TestCancel(t *testing.T) {
	address, _ := start(t, nil)
	conn := connect(t, address, "")
	fill(t, conn, 1200)
	for _, text := range []string{
		"SELECT count(*) FROM n a, n b, n c WHERE a.i + b.i + c.i < 0",
		"SELECT a.i, b.i FROM n a, n b", // ends while rows are sent
	} {
		began := make(chan time.Time, 1)
		go func() {
			time.Sleep(100 * time.Millisecond)
			began <- time.Now()
			conn.PgConn().CancelRequest(context.Background())
		}()
		if strings.Contains(text, "count") {
			_, err := conn.Exec(context.Background(), text)
			wantCode(t, err, "57014")
			if took := time.Since(<-began); took > time.Second {
				t.Errorf("the statement went on for %v", took)
			}
		} else {
			rows, err := conn.Query(context.Background(), text)
			if err != nil {
				t.Fatal(err)
			}
			rows.Next()
			time.Sleep(300 * time.Millisecond) // the client is slow
			for rows.Next() {
			}
			<-began
			if rows.Err() != nil {
				wantCode(t, rows.Err(), "57014")
			}
		}
		if got, err := simple(conn, "SELECT 1"); got != "1\nSELECT 1\n" || err != nil {
			t.Errorf("the session did not go on: %q, %v", got, err)
		}
	}
	if _, err := simple(conn, "SET statement_timeout = '50ms'"); err != nil {
		t.Fatal(err)
	}
	_, err := simple(conn, "SELECT count(*) FROM n a, n b, n c WHERE a.i + b.i + c.i < 0")
	wantCode(t, err, "57014")
	if !strings.Contains(fmt.Sprint(err), "statement timeout") {
		t.Errorf("got %v", err)
	}
}

// fill makes a table n of n rows.
func fill(t testing.TB, conn *pgx.Conn, n int) {
	t.Helper()
	var text strings.Builder
	text.WriteString("CREATE TABLE n (i bigint); INSERT INTO n VALUES (0)")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&text, ",(%d)", i)
	}
	if _, err := simple(conn, text.String()); err != nil {
		t.Fatal(err)
	}
}

func TestShutdown(t *testing.T) {
	address, srv := start(t, nil)
	idle, busy := connect(t, address, ""), connect(t, address, "")
	fill(t, busy, 1200)
	result := make(chan error, 1)
	go func() {
		_, err := simple(busy, "SELECT count(*) FROM n a, n b, n c WHERE a.i + b.i + c.i < 0")
		result <- err
	}()
	time.Sleep(100 * time.Millisecond)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if err := srv.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("shutdown gave %v", err)
	}
	wantCode(t, <-result, "57014") // and not the end of the connection
	_, err := simple(idle, "SELECT 1")
	if err == nil {
		t.Error("the idle session was not ended")
	}
	if _, err := net.Dial("tcp", address); err == nil {
		t.Error("the server still listens")
	}
}
