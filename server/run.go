package server

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/jackc/pgproto3/v2"
)

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// run runs a portal, or goes on with it, and sends up to limit of its rows, all
// where that is 0. In the simple protocol the rows' description comes first.
func (s *session) run(p *portal, limit int64, describe bool) error {
	ctx, stop := s.start(p.prepared.Text)
	defer stop()
	if p.result == nil {
		began := time.Now()
		res, err := s.admitted(ctx, p)
		took := time.Since(began)
		s.shared.metrics.statement(took, err)
		s.logStatement(p.prepared.Text, took, err)
		if err != nil {
			return err
		}
		if err := p.take(res, describe); err != nil {
			return err
		}
		s.conn.sendNotices(res.Notices)
	}
	if !p.rows {
		if p.done {
			return value.Errorf(value.CodeNotInState, "portal %q cannot be run", p.name)
		}
		p.done = true
		s.conn.send(&pgproto3.CommandComplete{CommandTag: []byte(p.result.Tag)})
		return nil
	}
	if describe {
		s.conn.send(rowDescription(p.result.Columns, nil))
	}
	s.enterPhase(phaseSending)
	n, end, err := s.sendRows(p, limit)
	s.shared.metrics.rows.Add(n)
	if end || err != nil {
		p.close()
	}
	switch {
	case err != nil:
		return err
	case end:
		s.conn.send(&pgproto3.CommandComplete{CommandTag: rowsTag(p.result.Tag, n)})
	default:
		s.conn.send(&pgproto3.PortalSuspended{})
	}
	return nil
}

// admitted executes a portal's statement when it is its turn.
func (s *session) admitted(ctx context.Context, p *portal) (*cubeloom.Result, error) {
	a := &s.shared.admission
	if !a.enter(false) && !a.enter(s.mustNotWait(p.prepared.Statement)) {
		if err := s.awaitTurn(ctx); err != nil {
			return nil, err
		}
	}
	defer a.leave()
	s.inBlock = true
	return s.execStatement(ctx, p)
}

// mustNotWait reports whether a statement runs however many others do: since others
// may wait for what its transaction has locked, or since it costs next to nothing
// and an operator may need it.
func (s *session) mustNotWait(st *cubeloom.Statement) bool {
	return s.inBlock || s.db.TransactionStatus() != cubeloom.Idle || s.db.IsLight(st)
}

// awaitTurn waits for the statement's turn.
func (s *session) awaitTurn(ctx context.Context) error {
	s.enterPhase(phaseWaiting)
	return s.shared.admission.wait(ctx)
}

// execStatement executes a portal's statement.
func (s *session) execStatement(ctx context.Context, p *portal) (*cubeloom.Result, error) {
	s.enterPhase(phaseRunning)
	switch p.prepared.Statement.CopyDirection() {
	case cubeloom.CopyIn:
		return s.copyIn(ctx, p.prepared.Statement)
	case cubeloom.CopyOut:
		return s.copyOut(ctx, p.prepared.Statement)
	}
	defer s.notifyProgress()()
	return s.db.Execute(ctx, p.prepared.Statement, p.params)
}

// rowsTag is the tag of a statement that sent n rows this time. Statements with
// RETURNING count the rows that they changed.
func rowsTag(tag string, n int64) []byte {
	word, _, counts := strings.Cut(tag, " ")
	if !counts || word == "INSERT" || word == "UPDATE" || word == "DELETE" {
		return []byte(tag)
	}
	return appendInt([]byte(word+" "), n)
}

// logStatement logs a statement that took long, or that failed for a reason of
// ours.
func (s *session) logStatement(text string, took time.Duration, err error) {
	cfg := s.shared.config()
	defect := err != nil && userError(err).IsDefect()
	if !defect && (cfg.SlowQuery <= 0 || took < cfg.SlowQuery) {
		return
	}
	if !cfg.LogLiterals {
		text = cubeloom.WithoutLiterals(text)
	}
	if defect {
		e := userError(err)
		s.shared.log.Error("internal error", "pid", s.pid, "error", e.Message, "detail", e.Detail, "statement", text)
		return
	}
	s.shared.log.Warn("slow statement", "pid", s.pid, "user", s.user, "duration", took, "failed", err != nil, "statement", text)
}
