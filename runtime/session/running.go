package session

import (
	"context"
	goruntime "runtime"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
)

// Parse parses the statements between the semicolons of a text, and charges their memory to
// the session while it does. An error fails the session's transaction.
func (s *Session) Parse(ctx context.Context, text string) ([]*Statement, error) {
	ctx, cancel := s.Limited(ctx)
	defer cancel()
	account := s.DB.Memory.Below(s.Settings.MemoryLimit)
	defer account.Close()
	looks, each := int64(0), min(parsedBytes, tokenBytes*int64(len(text)))
	list, err := sql.ParseScript(text, func() error {
		// Each look but the first stands for some thousand tokens, and what becomes of them.
		if err := account.Grow(min(looks, 1) * each); err != nil {
			return err
		}
		looks++
		goruntime.Gosched() // short statements of others need not wait for a long text
		return ctx.Err()
	})
	if err != nil {
		s.Fail()
		return nil, UserError(ctx, err)
	}
	statements := make([]*Statement, len(list))
	for i := range list {
		statements[i] = &Statement{Parsed: list[i]}
	}
	return statements, nil
}

// Enter makes ctx that of the running statement, whose account the session has, until
// leave is called.
func (s *Session) Enter(ctx context.Context) (leave func()) {
	own := s.Account == nil
	if own { // no statement runs: one is parsed or described
		s.Account = s.DB.Memory.Below(s.Settings.MemoryLimit)
	}
	s.Ctx = runtime.WithAccount(ctx, s.Account)
	s.Meter = runtime.NewMeter(s.Ctx)
	return func() {
		s.Meter.Release()
		if own {
			s.Account.Close()
			s.Account = nil
		}
		s.Ctx, s.Meter = nil, nil
	}
}

// Limited is ctx until the session's time limit of a statement is over.
func (s *Session) Limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if limit := s.Settings.StatementTimeout; limit > 0 {
		return context.WithTimeout(ctx, limit)
	}
	return ctx, func() {}
}

// Hold makes a result the owner of what its statement has left charged. Where it has
// no rows, or those of a cursor, nothing is left to own.
func (s *Session) Hold(result *result.Result) {
	if result.Rows == nil || result.Held != nil || s.Account.Used() == 0 {
		s.Account.Close()
		return
	}
	result.Held = s.Account.Keep()
}
