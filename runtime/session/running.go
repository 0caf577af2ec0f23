package session

import (
	"context"
	goruntime "runtime"
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
)

// Parse returns the statements between the semicolons of a text. An error fails the session's
// transaction.
func (s *Session) Parse(ctx context.Context, text string) ([]*Statement, error) {
	if kept, ok := s.DB.texts.Get(text).([]*Statement); ok {
		return kept, nil
	}
	statements, err := s.parse(ctx, text)
	if err == nil && len(text) <= MaxKeptText && !slices.ContainsFunc(statements, (*Statement).writes) {
		s.DB.texts.Put(text, statements, keptTextBytes*int64(len(text)))
	}
	return statements, err
}

// MaxKeptText is the length in bytes of the longest text of which something is kept for when it comes again, and
// keptTextBytes about what its statements take for each byte.
const (
	MaxKeptText   = 8 << 10
	keptTextBytes = 64
)

// parse parses a text, and charges the session with what that takes while it does.
func (s *Session) parse(ctx context.Context, text string) ([]*Statement, error) {
	ctx, cancel := s.limited(ctx)
	defer cancel()
	account := s.NewAccount()
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

// Enter begins a statement: it has ctx until its time limit is over, an account, and a meter
// of planning it. Leave ends it, and frees the memory that the statement has not kept.
func (s *Session) Enter(ctx context.Context) (_ context.Context, leave func()) {
	s.Account = s.NewAccount()
	ctx, cancel := s.limited(runtime.WithAccount(ctx, s.Account))
	s.ctx, s.Meter = ctx, runtime.NewMeter(ctx)
	return ctx, func() {
		s.Meter.Release()
		cancel()
		s.Account.Close()
		s.ctx, s.Meter, s.Account = nil, nil, nil
	}
}

// limited is ctx until the session's time limit of a statement is over.
func (s *Session) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if limit := s.Settings.StatementTimeout; limit > 0 {
		return context.WithTimeout(ctx, limit)
	}
	return ctx, func() {}
}

// Describe notes that the statement is planned and not run, until restore is called.
func (s *Session) Describe() (restore func()) {
	s.Describing = true
	return func() { s.Describing = false }
}

// Hold makes the statement's result the owner of what the statement has charged. Where it
// has no rows, or those of a cursor, there is nothing to own.
func (s *Session) Hold(res *result.Result) {
	if res.Rows != nil && res.Held == nil && s.Account.Used() > 0 {
		s.keep(res)
	}
}

// Declare keeps a cursor, which becomes the owner of what the statement has charged.
func (s *Session) Declare(name string, c *Cursor) {
	s.keep(c.Result)
	c.tx = s.tx
	s.Cursors[name] = c
}

// keep makes a result the owner of what the statement has charged so far.
func (s *Session) keep(res *result.Result) {
	res.Held = s.Account.Keep()
	s.Account = s.NewAccount()
}
