package server

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/jackc/pgproto3/v2"
)

// session is one logged-in connection. Its goroutine alone uses it, but for
// cancel.
type session struct {
	server         *Server
	conn           *conn
	db             *cubeloom.Session
	user, database string
	role           uint32 // its number
	pid, secret    uint32

	reported []cubeloom.Parameter // what the client was last told
	portals  map[string]*portal
	cells    []cubeloom.Cells // the rows that are sent, of whatever portal
	skipping bool             // after an error of an extended query: up to Sync
	inBlock  bool             // a statement of the messages so far has run, and may have locked tables

	terminated atomic.Bool // by pg_terminate_backend
	gone       atomic.Bool // the client has closed the connection
	watch      watched

	mu       sync.Mutex
	running  context.CancelFunc // of the statement that runs; nil: none does
	ctx      context.Context    // of the statement that runs
	activity cubeloom.Activity
}

// currentActivity is what pg_stat_activity shows. Any goroutine may call it.
func (s *session) currentActivity() cubeloom.Activity {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.activity
	if now.Phase == phaseRunning || now.Phase == phaseSending {
		now.RowsDone, now.RowsTotal = s.db.Progress()
	}
	return now
}

// states are the names of the states between statements.
var states = map[cubeloom.TransactionStatus]string{
	cubeloom.Idle: "idle", cubeloom.InTransaction: "idle in transaction", cubeloom.FailedTransaction: "idle in transaction (aborted)",
}

// cancel ends the statement that runs, if one does. Any goroutine may call it.
func (s *session) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil {
		s.running()
	}
}

// start makes the context of a statement, which lasts until stop: while its rows
// are sent, too.
func (s *session) start(text string) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	if limit := s.db.StatementTimeout(); limit > 0 {
		ctx, cancel = context.WithTimeout(context.Background(), limit)
	}
	s.mu.Lock()
	s.running, s.ctx = cancel, ctx
	if s.gone.Load() {
		cancel()
	}
	s.activity.Query, s.activity.Queried = text, time.Now()
	s.enterState("active", s.activity.Queried)
	s.mu.Unlock()
	await := s.conn.sender.endWith(ctx)
	return ctx, func() {
		await()
		if s.terminated.Load() {
			s.conn.raw.SetWriteDeadline(time.Now().Add(farewell))
		}
		s.mu.Lock()
		s.running, s.ctx = nil, nil
		s.activity.Phase = ""
		s.enterState(states[s.db.TransactionStatus()], time.Time{})
		s.mu.Unlock()
		cancel()
	}
}

// enterState notes what the session does, and in which transaction: where there is
// none, in one that begins at the given time. It is for the session's goroutine,
// which holds mu.
func (s *session) enterState(state string, began time.Time) {
	s.activity.State, s.activity.StateChanged, s.activity.TransactionStarted = state, time.Now(), began
	if tx := s.db.TransactionStarted(); !tx.IsZero() {
		s.activity.TransactionStarted = tx
	}
}

// interrupted is the error of a statement whose time is over, or that was
// cancelled, while its rows were sent.
func (s *session) interrupted() error {
	if s.ctx != nil && s.ctx.Err() != nil {
		return endOf(s.ctx)
	}
	return nil
}

// endOf is the error of a statement whose context has ended.
func endOf(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return value.Errorf(value.CodeQueryCanceled, "canceling statement due to statement timeout")
	}
	return value.Errorf(value.CodeQueryCanceled, "canceling statement due to user request")
}

// close ends the session; what its transaction changed is taken back.
func (s *session) close() {
	s.dropPortals()
	s.db.Close()
}

// serve reads messages and answers them until the client goes.
func (s *session) serve() {
	s.portals = map[string]*portal{}
	s.watch.session = s
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
		if s.server.isClosing() || s.terminated.Load() {
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
		return value.Errorf("25P03", "terminating connection due to idle-in-transaction timeout")
	}
	return value.Errorf("57P05", "terminating connection due to idle-session timeout")
}

func errShutdown() error {
	return value.Errorf(codeShutdown, "terminating connection due to administrator command")
}

// lost ends the session after an error of reading.
func (s *session) lost(err error) {
	var e *cubeloom.Error
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && (s.server.isClosing() || s.terminated.Load()):
		s.conn.nc.SetWriteDeadline(time.Now().Add(farewell))
		s.conn.sendFatal(errShutdown())
	case errors.As(err, &e):
		s.server.log.Info("session ended", "pid", s.pid, "error", e.Message)
		s.conn.nc.SetWriteDeadline(time.Now().Add(farewell))
		s.conn.sendFatal(e)
	case !errors.Is(err, net.ErrClosed):
		s.server.log.Debug("connection lost", "pid", s.pid, "error", err)
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

// ready tells the client that the next query may come, with the parameters that
// changed before that. Portals do not outlive their transaction.
func (s *session) ready() {
	status := s.db.TransactionStatus()
	if status == cubeloom.Idle {
		s.dropPortals()
	}
	s.reportParameters()
	s.conn.send(&pgproto3.ReadyForQuery{TxStatus: byte(status)})
	s.conn.flush()
}

// reportParameters tells the client of the settings that changed.
func (s *session) reportParameters() {
	now := s.db.Parameters()
	for i, p := range now {
		if s.reported == nil || s.reported[i] != p {
			s.noteParameter(p)
			s.conn.send(&pgproto3.ParameterStatus{Name: p.Name, Value: p.Value})
		}
	}
	s.reported = now
}

// noteParameter keeps what pg_stat_activity shows of the settings.
func (s *session) noteParameter(p cubeloom.Parameter) {
	if p.Name != "application_name" {
		return
	}
	s.mu.Lock()
	s.activity.Application = p.Value
	s.mu.Unlock()
}

// endBlock ends the implicit transaction of the messages so far.
func (s *session) endBlock() {
	s.inBlock = false
	if err := s.db.EndBlock(); err != nil {
		s.conn.sendError(err, "")
	}
}

// simpleQuery runs the statements of a Query message, as one transaction where
// there are several. The first error ends them.
func (s *session) simpleQuery(text string) {
	s.db.Deallocate("")
	s.dropPortal("")
	defer s.endBlock()
	if err := validText(text); err != nil {
		s.db.Fail()
		s.conn.sendError(err, "")
		return
	}
	text = recognize(text)
	list, err := s.parsed(text)
	if err != nil {
		s.conn.sendError(err, text)
		return
	}
	if len(list) == 0 {
		s.conn.send(&pgproto3.EmptyQueryResponse{})
		return
	}
	for _, st := range list {
		s.conn.sendNotices(st.Notices())
	}
	for _, st := range list {
		if len(list) > 1 {
			s.db.BeginBlock()
		}
		if err := s.simpleStatement(st); err != nil {
			s.db.Fail()
			s.conn.sendError(err, text)
			return
		}
		if s.conn.err != nil {
			return
		}
	}
}

// parsed parses the statements of a text, as a statement that can be cancelled.
func (s *session) parsed(text string) ([]*cubeloom.Statement, error) {
	ctx, stop := s.start(text)
	defer stop()
	return s.db.Parse(ctx, text)
}

// simpleStatement runs one statement and sends all its rows as text.
func (s *session) simpleStatement(st *cubeloom.Statement) error {
	p := &portal{prepared: &cubeloom.Prepared{Statement: st, Text: st.Text()}}
	defer p.close()
	return s.run(p, 0, true)
}

// run runs a portal, or goes on with it, and sends up to limit of its rows, all
// where that is 0. In the simple protocol the rows' description comes first.
func (s *session) run(p *portal, limit int64, describe bool) error {
	ctx, stop := s.start(p.prepared.Text)
	defer stop()
	if p.result == nil {
		began := time.Now()
		res, err := s.admitted(ctx, p)
		took := time.Since(began)
		s.server.metrics.statement(took, err)
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
			return value.Errorf("55000", "portal %q cannot be run", p.name)
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
	s.server.metrics.rows.Add(n)
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
	a := &s.server.admission
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
	return s.server.admission.wait(ctx)
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
	cfg := s.server.config()
	defect := err != nil && userError(err).IsDefect()
	if !defect && (cfg.SlowQuery <= 0 || took < cfg.SlowQuery) {
		return
	}
	if !cfg.LogLiterals {
		text = cubeloom.WithoutLiterals(text)
	}
	if defect {
		e := userError(err)
		s.server.log.Error("internal error", "pid", s.pid, "error", e.Message, "detail", e.Detail, "statement", text)
		return
	}
	s.server.log.Warn("slow statement", "pid", s.pid, "user", s.user, "duration", took, "failed", err != nil, "statement", text)
}
