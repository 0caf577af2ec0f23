package cubeloom

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime"
)

// enter makes ctx that of the running statement, whose account the session has, until
// leave is called.
func (s *Session) enter(ctx context.Context) (leave func()) {
	own := s.account == nil
	if own { // no statement runs: one is parsed or described
		s.account = s.db.memory.Below(s.settings.MemoryLimit)
	}
	s.ctx = runtime.WithAccount(ctx, s.account)
	s.meter = runtime.NewMeter(s.ctx)
	return func() {
		s.meter.Release()
		if own {
			s.account.Close()
			s.account = nil
		}
		s.ctx, s.meter = nil, nil
	}
}

// limited is ctx until the session's time limit of a statement is over.
func (s *Session) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if limit := s.settings.StatementTimeout; limit > 0 {
		return context.WithTimeout(ctx, limit)
	}
	return ctx, func() {}
}

// hold makes a result the owner of what its statement has left charged. Where it has
// no rows, or those of a cursor, nothing is left to own.
func (s *Session) hold(result *answer) {
	if result.rows == nil || result.held != nil || s.account.Used() == 0 {
		s.account.Close()
		return
	}
	result.held = s.account.Keep()
}
