package main

import (
	"context"
	"crypto/tls"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
)

// endless is a statement that does not end by itself.
const endless = "SELECT count(*) FROM n a, n b, n c, n d WHERE a.i + b.i + c.i + d.i < 0"

// departures are what clients send in one piece before they go away.
var departures = [][]pgproto3.FrontendMessage{
	{&pgproto3.Query{String: endless}},
	{&pgproto3.Parse{Query: endless}, &pgproto3.Bind{}, &pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}, &pgproto3.Sync{}},
	{&pgproto3.Query{String: endless}, &pgproto3.Query{String: endless}},
	{&pgproto3.Query{String: endless}, &pgproto3.Terminate{}},
	{&pgproto3.Query{String: endless}, &truncated{}},
	// More than is read ahead.
	{&pgproto3.Query{String: endless}, &pgproto3.Query{String: "SELECT '" + strings.Repeat("x", 1<<20) + "'"}, &pgproto3.Query{String: endless}},
	{&pgproto3.Query{String: "COPY (" + endless + ") TO STDOUT"}, &pgproto3.Sync{}},
}

// truncated is the beginning of a message.
type truncated struct{ pgproto3.Sync }

func (*truncated) Encode(dst []byte) ([]byte, error) { return append(dst, 'Q', 0, 0, 1, 0, 'x'), nil }

// TestClientGoes ends the statement of a client that is gone within a second,
// whatever it had sent before, in the clear, under TLS and at a Unix socket.
func TestClientGoes(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "socket")
	_, address := serveProcess(t, "--listen", socket)
	ctx := context.Background()
	watcher, err := pgx.Connect(ctx, "postgres://watcher@"+address+"/db")
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Close(ctx)
	if _, err := watcher.Exec(ctx, "CREATE TABLE n AS SELECT i FROM generate_series(1, 1000) s(i); GRANT SELECT ON n TO PUBLIC"); err != nil {
		t.Fatal(err)
	}
	if _, err := watcher.Exec(ctx, "GRANT SELECT ON n TO PUBLIC"); err != nil {
		t.Fatal(err)
	}
	for _, over := range []string{"tcp", "tls", "unix"} {
		t.Run(over, func(t *testing.T) {
			conns := make([]net.Conn, len(departures))
			for i, messages := range departures {
				conns[i] = logIn(t, over, address, socket)
				var text []byte
				for _, m := range messages {
					text, _ = m.Encode(text)
				}
				go func() { // for more than the network holds is not taken
					conns[i].SetWriteDeadline(time.Now().Add(400 * time.Millisecond))
					conns[i].Write(text)
				}()
			}
			time.Sleep(450 * time.Millisecond)
			if pids := workers(t, watcher); len(pids) != len(departures) {
				t.Fatalf("%d sessions", len(pids))
			}
			for _, nc := range conns {
				nc.Close()
			}
			closed := time.Now()
			for pids := workers(t, watcher); len(pids) > 0; pids = workers(t, watcher) {
				if time.Since(closed) > time.Second {
					t.Fatalf("after %v statements still run, with %v", time.Since(closed), pids)
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
}

// workers are the sessions of the user worker, by the statement that they run.
func workers(t *testing.T, watcher *pgx.Conn) []string {
	t.Helper()
	rows, _ := watcher.Query(context.Background(), "SELECT pid || ': ' || query FROM pg_stat_activity WHERE usename = 'worker'")
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// logIn opens a connection of the user worker, up to the first ReadyForQuery.
func logIn(t *testing.T, over, address, socket string) net.Conn {
	t.Helper()
	network := "tcp"
	if over == "unix" {
		network, address = "unix", socket
	}
	nc, err := net.Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	if over == "tls" {
		nc.Write([]byte("\x00\x00\x00\x08\x04\xd2\x16\x2f"))
		if _, err := nc.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		nc = tls.Client(nc, &tls.Config{InsecureSkipVerify: true})
	}
	frontend := pgproto3.NewFrontend(pgproto3.NewChunkReader(nc), nc)
	frontend.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "worker", "database": "db"}})
	for {
		msg, err := frontend.Receive()
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := msg.(*pgproto3.ReadyForQuery); ok {
			return nc
		}
	}
}
