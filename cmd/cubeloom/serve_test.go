package main

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// runCommand runs the program's command line until stop has been called, which
// gives its error.
func runCommand(out, errs io.Writer, in string, args ...string) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(strings.NewReader(in))
	root.SetOut(out)
	root.SetErr(errs)
	go func() { done <- root.ExecuteContext(ctx) }()
	return func() error {
		cancel()
		return <-done
	}
}

// TestServe runs the server as a user does: with a role that has a password, a
// certificate that the first start made, a second address for the pages, a log, and to
// its end.
func TestServe(t *testing.T) {
	data := filepath.Join(t.TempDir(), "db")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := runCommand(io.Discard, io.Discard, "a sécret\n", "user", "ana", "--data", data)(); err != nil {
		t.Fatal(err)
	}
	cert := []string{}
	for range 2 {
		serveOnce(t, append([]string{"serve", "--data", data}, cert...), filepath.Join(data, "server.crt"))
		cert = []string{"--tls-cert", filepath.Join(data, "server.crt"), "--tls-key", filepath.Join(data, "server.key")}
	}
}

func serveOnce(t *testing.T, args []string, cert string) {
	var out, errs safeText
	stop := runCommand(&out, &errs, "", append(args, "--listen", "127.0.0.1:0", "--monitor", "127.0.0.1:0",
		"--slow-query", "1ns", "--set", "statement_timeout=90s", "--stop-timeout", "20s")...)
	address, pages := out.find(t, `listening at (\S+)`), out.find(t, `monitor at (\S+)`)
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, "postgres://ana:a%20s%C3%A9cret@"+address+"/db?sslmode=verify-full&sslrootcert="+cert)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := conn.PgConn().Conn().(*tls.Conn); !ok {
		t.Error("the connection is not secured")
	}
	var limit string
	if err := conn.QueryRow(ctx, "SHOW statement_timeout").Scan(&limit); err != nil || limit != "90s" {
		t.Errorf("%q, %v", limit, err)
	}
	if got := errs.find(t, `(level=WARN msg="slow statement" .* statement="SHOW statement_timeout")`); !strings.Contains(got, "user=ana duration=") {
		t.Error(got)
	}
	if _, err := conn.Exec(ctx, "SELECT 'nobody else''s', 17"); err != nil {
		t.Error(err)
	}
	errs.find(t, `(statement="SELECT \?, \?")`)
	if _, err := pgx.Connect(ctx, "postgres://ana:wrong@"+address+"/db?sslmode=disable"); err == nil || !strings.Contains(err.Error(), "28P01") {
		t.Errorf("got %v", err)
	}
	for _, page := range []struct{ path, want string }{{"/health", "ok"}, {"/metrics", "cubeloom_logins_failed_total 1"}} {
		res, err := http.Get(pages + page.path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || !strings.Contains(string(body), page.want) {
			t.Errorf("%s: %s, %v", page.path, body, err)
		}
	}
	// A statement that runs when the server is stopped ends as it would have.
	data, feed := io.Pipe()
	result := make(chan error, 1)
	if _, err := conn.Exec(ctx, "CREATE TABLE IF NOT EXISTS t (a int)"); err != nil {
		t.Fatal(err)
	}
	go func() {
		_, err := conn.PgConn().CopyFrom(ctx, data, "COPY t FROM STDIN")
		result <- err
	}()
	io.WriteString(feed, "1\n")
	metricOf(t, pages, "cubeloom_statements_running 1\n")
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	out.find(t, `(stopping)`)
	io.WriteString(feed, strings.Repeat("2\n", 1000))
	feed.Close()
	if err := <-result; err != nil {
		t.Error(err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// metricOf waits until /metrics has a line.
func metricOf(t *testing.T, pages, line string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		res, err := http.Get(pages + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(body), line) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %s in\n%s", line, body)
		}
	}
}

func TestServeFlags(t *testing.T) {
	for _, args := range [][]string{
		{"--max-running", "-1"}, {"--max-queued", "0"}, {"--max-connections", "0"}, {"--tls-cert", "x"}, {"--users", "/does/not/exist"},
		{"--rules", "/does/not/exist"}, {"--config", "/does/not/exist"}, {"--superuser", "pg_x"}, {"--superuser-password-file", "/does/not/exist"},
		{"--tls-client-ca", "/does/not/exist"}, {"--listen", "0.0.0.0:0"}, {"--listen", ":0"},
		{"--set", "statement_timeout"}, {"--set", "nope=1"}, {"--set", "statement_timeout=x"}, {"--memory-limit", "x"}, {"--listen", "nowhere:x"},
	} {
		root := newRoot()
		root.SetArgs(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...))
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		if err := root.ExecuteContext(context.Background()); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
