package server

import (
	"context"
	"encoding/binary"
	"io"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/jackc/pgproto3/v2"
)

// copyIn runs COPY FROM STDIN with what the client sends.
func (s *session) copyIn(ctx context.Context, st *cubeloom.Statement) (_ *cubeloom.Result, err error) {
	defer sqlstate.Catch(&err)
	format := sqlstate.Must(s.db.DescribeCopy(st))
	s.shared.setCopying(s.conn, true)
	defer s.shared.setCopying(s.conn, false)
	if s.terminated.Load() {
		return nil, errShutdown()
	}
	overall, columns := copyFormats(format)
	s.conn.send(&pgproto3.CopyInResponse{OverallFormat: overall, ColumnFormatCodes: columns})
	s.conn.flush()
	in := &copyReader{ctx: ctx, conn: s.conn, watch: &s.watch}
	defer s.watch.begin()
	res := sqlstate.Must(s.db.Copy(ctx, st, in, nil))
	// A client may send more than was read, up to the end that it announces.
	sqlstate.Must(io.Copy(io.Discard, in))
	return res, nil
}

// copyFormats are the formats that the responses to COPY announce.
func copyFormats(f cubeloom.CopyFormat) (overall byte, columns []uint16) {
	columns = make([]uint16, f.Columns)
	if f.Binary {
		overall = pgproto3.BinaryFormat
		for i := range columns {
			columns[i] = pgproto3.BinaryFormat
		}
	}
	return overall, columns
}

// copyReader reads the data of COPY FROM STDIN. It is the only reader of the
// connection while COPY runs.
type copyReader struct {
	ctx   context.Context
	conn  *conn
	watch *watched
	rest  []byte // of the last message
	err   error  // io.EOF behind the last one
}

// Read implements io.Reader.
func (r *copyReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 && r.err == nil {
		r.rest, r.err = r.next()
	}
	if len(r.rest) == 0 {
		return 0, r.err
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// next waits for the next data.
func (r *copyReader) next() ([]byte, error) {
	r.watch.end()
	if err := r.conn.wait(r.ctx); err != nil {
		return nil, err
	}
	msg, err := r.conn.receive()
	if err != nil {
		return nil, r.broken(err)
	}
	switch msg := msg.(type) {
	case *pgproto3.CopyData:
		return msg.Data, nil
	case *pgproto3.CopyDone:
		return nil, io.EOF
	case *pgproto3.CopyFail:
		return nil, value.Errorf(value.CodeQueryCanceled, "COPY from stdin failed: %s", msg.Message)
	case *pgproto3.Flush, *pgproto3.Sync:
		return nil, nil
	}
	return nil, r.broken(errProtocol("unexpected message %T during COPY from stdin", msg))
}

// broken ends a connection on which the two sides do not agree any more.
func (r *copyReader) broken(err error) error {
	r.conn.sendFatal(err)
	r.conn.fail(err)
	return err
}

// copyOut runs COPY TO STDOUT.
func (s *session) copyOut(ctx context.Context, st *cubeloom.Statement) (_ *cubeloom.Result, err error) {
	defer sqlstate.Catch(&err)
	format := sqlstate.Must(s.db.DescribeCopy(st))
	out := &copyWriter{session: s, format: format}
	res := sqlstate.Must(s.db.Copy(ctx, st, nil, out))
	out.begin()
	s.conn.send(&pgproto3.CopyDone{})
	return res, nil
}

// copyWriter sends the rows of COPY TO STDOUT, one message for each call.
type copyWriter struct {
	session *session
	format  cubeloom.CopyFormat
	begun   bool
}

// begin announces the rows, once.
func (w *copyWriter) begin() {
	if !w.begun {
		w.begun = true
		overall, columns := copyFormats(w.format)
		w.session.conn.send(&pgproto3.CopyOutResponse{OverallFormat: overall, ColumnFormatCodes: columns})
	}
}

// Write implements io.Writer.
func (w *copyWriter) Write(row []byte) (int, error) {
	w.begin()
	c := w.session.conn
	c.out = append(c.out, 'd')
	c.out = binary.BigEndian.AppendUint32(c.out, uint32(len(row)+4))
	if w.session.sendPart(row) {
		if err := w.session.interrupted(); err != nil {
			return 0, err
		}
	}
	return len(row), c.err
}
