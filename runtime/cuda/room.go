package cuda

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cubeloom/cubeloom/runtime"
)

// run runs a kernel. Where the device has no room because of what other queries have
// there, it waits for some, for RoomWait at most; where that does not help the source is
// streamed.
func (q *request) run() (runtime.Output, runtime.Metrics, error) {
	b := q.backend
	defer releaseSent(q.loaded)
	var waited time.Duration
	out, metrics, err := q.attempt(false)
	limit := time.Now().Add(b.opts.RoomWait)
	var failure *noRoom
	for better := true; better && errors.As(err, &failure); {
		since := time.Now()
		var stop error
		if better, stop = b.mem.awaitRoom(q.ctx, q.opts.Account, failure.others, limit); stop != nil {
			return nil, runtime.Metrics{}, stop
		}
		waited += time.Since(since)
		if !better {
			releaseSent(q.loaded)
		}
		if better || canStream(q.f, q.loaded) {
			out, metrics, err = q.attempt(!better)
		}
	}
	if metrics.RoomWait = waited; errors.Is(err, ErrOutOfMemory) && waited >= time.Millisecond {
		err = fmt.Errorf("%w, after %v of waiting for what other queries have there", err, waited.Round(time.Millisecond))
	}
	return out, metrics, err
}

// awaitRoom waits until queries other than that of an account have less than they had, or until
// a limit, and reports whether they have.
func (m *memory) awaitRoom(ctx context.Context, account *runtime.Account, had int64, limit time.Time) (better bool, err error) {
	m.lock.Lock()
	have := m.ofOthers(account)
	if m.room == nil {
		m.room = make(chan struct{})
	}
	room := m.room
	m.lock.Unlock()
	left := time.Until(limit)
	if left <= 0 || have == 0 || have < had {
		return left > 0 && have < had, nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-room:
		return true, nil
	case <-timer.C:
		return false, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}
