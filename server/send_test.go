package server_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/server"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// secured starts a server with TLS and connects over it.
func secured(t *testing.T) *pgx.Conn {
	t.Helper()
	address, _ := start(t, func(c *server.Config) {
		var err error
		if c.TLS, err = server.SelfSigned(t.TempDir()); err != nil {
			t.Fatal(err)
		}
	})
	conn, err := pgx.Connect(context.Background(), "postgres://ana@"+address+"/db?sslmode=require")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func TestLargeRowsArriveWhole(t *testing.T) {
	conn := secured(t)
	text := `SELECT i, repeat('x', i * 300000) AS a, CASE WHEN i < 9 THEN NULL ELSE 'nine' END AS n, repeat('y', i * 100000) AS b FROM generate_series(1, 9) g(i)`
	rows, err := conn.Query(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for rows.Next() {
		var i int
		var a, b string
		var n *string
		if err := rows.Scan(&i, &a, &n, &b); err != nil {
			t.Fatal(err)
		}
		if count++; i != count || len(a) != i*300000 || len(b) != i*100000 || (n != nil) != (i == 9) {
			t.Errorf("row %d has texts of %d and %d bytes, and %v", i, len(a), len(b), n)
		}
	}
	if rows.Err() != nil || count != 9 {
		t.Errorf("%d rows, %v", count, rows.Err())
	}
	var out bytes.Buffer
	if _, err := conn.PgConn().CopyTo(context.Background(), &out, "COPY ("+text+") TO STDOUT"); err != nil || out.Len() < 45*400000 {
		t.Errorf("COPY has sent %d bytes, %v", out.Len(), err)
	}
}

// TestEndOfAStatementThatIsNotRead cancels statements whose client does not read, over
// TLS, and goes on with the connection.
func TestEndOfAStatementThatIsNotRead(t *testing.T) {
	conn := secured(t).PgConn()
	for _, text := range []string{
		"SELECT repeat('x', 1000) FROM generate_series(1, 100000)",
		"COPY (SELECT repeat('x', 1000) FROM generate_series(1, 100000)) TO STDOUT",
	} {
		front := conn.Frontend()
		front.Send(&pgproto3.Query{String: text})
		if err := front.Flush(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		if err := conn.CancelRequest(context.Background()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
		var failure error
		for done := false; !done; {
			msg, err := front.Receive()
			if err != nil {
				t.Fatal(err)
			}
			switch msg := msg.(type) {
			case *pgproto3.ErrorResponse:
				failure = pgconn.ErrorResponseToPgError(msg)
			case *pgproto3.ReadyForQuery:
				done = true
			}
		}
		wantCode(t, failure, "57014")
	}
}

// TestResultsOfClientsThatDoNotRead has the memory of a result given back when its
// statement is cancelled, whatever the client reads.
func TestResultsOfClientsThatDoNotRead(t *testing.T) {
	address, srv := start(t, nil)
	conn := connect(t, address, "").PgConn()
	front := conn.Frontend()
	front.Send(&pgproto3.Query{String: "SELECT repeat('x', 1000) FROM generate_series(1, 50000)"})
	if err := front.Flush(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	if err := conn.CancelRequest(context.Background()); err != nil {
		t.Fatal(err)
	}
	metric(t, srv, "cubeloom_memory_bytes 0")
}
