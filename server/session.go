package server

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom"
)

// dropPortal forgets a portal, if there is one of that name.
func (s *session) dropPortal(name string) {
	if p := s.portals[name]; p != nil {
		p.close()
		s.db.Account().Shrink(p.bytes)
		delete(s.portals, name)
	}
}

// dropPortals forgets all portals.
func (s *session) dropPortals() {
	for name := range s.portals {
		s.dropPortal(name)
	}
}

// The phases of a statement, as cubeloom_progress shows them.
const (
	phaseWaiting = "waiting" // for its turn
	phaseRunning = "running"
	phaseSending = "sending" // its rows
)

// enterPhase notes the phase of the statement that runs.
func (s *session) enterPhase(phase string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.activity.Phase = phase
}

// farewell is how long a session that ends by force tries to tell its client so.
const farewell = time.Second

// session is one logged-in connection. Its goroutine alone uses it, but for
// cancel.
type session struct {
	shared         *shared
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

// clientLeft ends the statement that runs, and the session behind it, when the client has
// gone away.
func (s *session) clientLeft() {
	s.gone.Store(true)
	s.cancel()
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

// close ends the session; what its transaction changed is taken back.
func (s *session) close() {
	s.dropPortals()
	s.db.Close()
}
