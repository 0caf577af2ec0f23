//go:build costs

package costs

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// client is one connection that runs a large statement.
type client struct {
	ctx    context.Context
	server *process
	conn   *pgconn.PgConn
	name   string // of its tables
}

// newClient connects.
func newClient(ctx context.Context, p *process) (*client, error) {
	conn, err := p.connect(ctx)
	return &client{ctx: ctx, server: p, conn: conn, name: fmt.Sprintf("costs_%d", rand.Uint32())}, err
}

// close ends the connection, and drops the tables that it has made.
func (c *client) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), longestRun)
	defer cancel()
	c.conn.Close(ctx)
	conn, err := c.server.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	made := conn.ExecParams(ctx, "SELECT relname FROM pg_class WHERE relname LIKE $1", [][]byte{[]byte(c.name + "%")}, nil, nil, nil).Read()
	if made.Err != nil {
		return made.Err
	}
	for _, row := range made.Rows {
		if err := conn.Exec(ctx, "DROP TABLE "+string(row[0])).Close(); err != nil {
			return err
		}
	}
	return nil
}

// query runs a statement, in which $name is that of the client's table, and reads its
// rows without keeping them.
func (c *client) query(text string) error {
	text = strings.ReplaceAll(text, "$name", c.name)
	results := c.conn.Exec(c.ctx, text)
	for results.NextResult() {
		for reader := results.ResultReader(); reader.NextRow(); {
		}
	}
	return results.Close()
}

// copyOut reads the rows of a COPY.
func (c *client) copyOut(text string) error {
	_, err := c.conn.CopyTo(c.ctx, io.Discard, text)
	return err
}

// slowly reads a few rows of several portals, each of which holds a large result.
func (c *client) slowly() error {
	if err := c.query("BEGIN"); err != nil {
		return err
	}
	front := c.conn.Frontend()
	for i := range 12 {
		name := fmt.Sprint("p", i)
		front.Send(&pgproto3.Parse{Query: "SELECT i, i::text FROM generate_series(1, 1500000) g(i)"})
		front.Send(&pgproto3.Bind{DestinationPortal: name})
		front.Send(&pgproto3.Execute{Portal: name, MaxRows: 5})
		front.Send(&pgproto3.Flush{})
		if err := front.Flush(); err != nil {
			return err
		}
		for suspended := false; !suspended; {
			msg, err := front.Receive()
			if err != nil {
				return err
			}
			switch msg := msg.(type) {
			case *pgproto3.ErrorResponse:
				return pgconn.ErrorResponseToPgError(msg)
			case *pgproto3.PortalSuspended:
				suspended = true
			}
		}
	}
	return nil
}

// deaf asks for many rows and reads none of them; the statement is cancelled then, and
// the rows are read up to its error.
func (c *client) deaf() error {
	front := c.conn.Frontend()
	front.Send(&pgproto3.Query{String: "SELECT i, repeat('x', 100) FROM generate_series(1, 1000000) g(i)"})
	if err := front.Flush(); err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	if err := c.conn.CancelRequest(c.ctx); err != nil {
		return err
	}
	for {
		msg, err := front.Receive()
		if err != nil {
			return err
		}
		switch msg := msg.(type) {
		case *pgproto3.ErrorResponse:
			if msg.Code == "57014" {
				return nil
			}
			return pgconn.ErrorResponseToPgError(msg)
		case *pgproto3.ReadyForQuery:
			return fmt.Errorf("the statement of a client that does not read has ended before it was cancelled")
		}
	}
}

// parameters binds large values.
func (c *client) parameters() error {
	value := []byte(strings.Repeat("x", 60<<20))
	for range 3 {
		if err := c.conn.ExecParams(c.ctx, "SELECT length($1::text || $2::text)", [][]byte{value, value}, nil, nil, nil).Read().Err; err != nil {
			return err
		}
	}
	return nil
}

// longLine sends one line of 900 MB to COPY.
func (c *client) longLine() error {
	if err := c.query("CREATE TABLE " + c.name + " (t text)"); err != nil {
		return err
	}
	_, err := c.conn.CopyFrom(c.ctx, &endless{left: 900 << 20}, "COPY "+c.name+" FROM STDIN")
	return err
}

// endless is many bytes without a line end.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range n {
		p[i] = 'x'
	}
	e.left -= n
	return n, nil
}

// tables makes tables in memory until there is no room, and drops them.
func (c *client) tables() error {
	for n := range 30 {
		if err := c.query(fmt.Sprintf("CREATE TABLE $name_%d AS SELECT i, md5(i::text) AS t FROM generate_series(1, 1000000) g(i)", n)); err != nil {
			return err
		}
	}
	return nil
}
