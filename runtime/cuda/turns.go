package cuda

import "context"

// turns lets one goroutine after the other do something.
type turns chan struct{}

func newTurns() turns { return make(turns, 1) }

// take waits for a turn, or until the context ends.
func (t turns) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// done ends a turn.
func (t turns) done() { <-t }
