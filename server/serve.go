package server

import (
	"context"
	"errors"
	"net"
	"os"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/jackc/pgproto3/v2"
)

// serve reads messages and answers them until the client goes.
func (s *session) serve() {
	s.portals = map[string]*portal{}
	s.watch = watched{conn: s.conn, left: s.clientLeft}
	for s.conn.err == nil {
		msg, err := s.next()
		if err != nil {
			s.lost(err)
			return
		}
		if _, ok := msg.(*pgproto3.Terminate); ok {
			return
		}
		s.watch.begin()
		goOn := s.message(msg)
		s.watch.end()
		if !goOn || s.gone.Load() {
			return
		}
		if s.shared.isClosing() || s.terminated.Load() {
			s.conn.sendFatal(errShutdown())
			return
		}
	}
}

// next waits for the next message, as long as the session may be idle.
func (s *session) next() (pgproto3.FrontendMessage, error) {
	limit := s.db.IdleTimeout()
	if limit == 0 || s.conn.in.r.buffered() > 0 {
		return s.conn.receive()
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := s.conn.wait(ctx); err != nil {
		if ctx.Err() != nil {
			err = s.errIdle()
		}
		return nil, err
	}
	return s.conn.receive()
}

// errIdle is the error of a session that was idle for too long.
func (s *session) errIdle() error {
	if s.db.TransactionStatus() != cubeloom.Idle {
		return value.Errorf(value.CodeIdleInTransactionTimeout, "terminating connection due to idle-in-transaction timeout")
	}
	return value.Errorf(value.CodeIdleSessionTimeout, "terminating connection due to idle-session timeout")
}

// lost ends the session after an error of reading.
func (s *session) lost(err error) {
	var e *cubeloom.Error
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && (s.shared.isClosing() || s.terminated.Load()):
		s.conn.nc.SetWriteDeadline(time.Now().Add(farewell))
		s.conn.sendFatal(errShutdown())
	case errors.As(err, &e):
		s.shared.log.Info("session ended", "pid", s.pid, "error", e.Message)
		s.conn.nc.SetWriteDeadline(time.Now().Add(farewell))
		s.conn.sendFatal(e)
	case !errors.Is(err, net.ErrClosed):
		s.shared.log.Debug("connection lost", "pid", s.pid, "error", err)
	}
}

// message acts on one message; false ends the session.
func (s *session) message(msg pgproto3.FrontendMessage) bool {
	switch msg := msg.(type) {
	case *pgproto3.Query:
		s.skipping = false
		s.simpleQuery(msg.String)
		s.ready()
	case *pgproto3.Sync:
		s.skipping = false
		s.endBlock()
		s.ready()
	case *pgproto3.Flush:
		s.conn.flush()
	case *pgproto3.FunctionCall:
		s.conn.sendError(value.Errorf(value.CodeFeatureNotSupported, "function calls of the protocol are not supported"), "")
		s.ready()
	case *pgproto3.CopyData, *pgproto3.CopyDone, *pgproto3.CopyFail:
		// What a client had sent before it heard that COPY failed.
	case *pgproto3.Parse, *pgproto3.Bind, *pgproto3.Describe, *pgproto3.Execute, *pgproto3.Close:
		if !s.skipping {
			s.extended(msg)
		}
	default:
		s.conn.sendFatal(errProtocol("unexpected message %T", msg))
		return false
	}
	return true
}
