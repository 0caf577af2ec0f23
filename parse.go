package cubeloom

import (
	"context"
	goruntime "runtime"

	"github.com/cubeloom/cubeloom/sql"
)

// parse parses the statements between the semicolons of a text, and charges their memory to
// the session while it does. An error fails the session's transaction.
func (s *Session) parse(ctx context.Context, text string) ([]*Statement, error) {
	ctx, cancel := s.limited(ctx)
	defer cancel()
	account := s.db.memory.Below(s.settings.MemoryLimit)
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
		s.fail()
		return nil, userError(ctx, err)
	}
	statements := make([]*Statement, len(list))
	for i := range list {
		statements[i] = &Statement{parsed: list[i]}
	}
	return statements, nil
}
