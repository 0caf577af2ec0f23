package cpu

import (
	"context"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom/runtime"
)

// turns share the cores among the queries that run: so many workers compute at a
// time, the others wait. Those of queries that have computed little come first,
// the others one after the other, so that a short query does not wait for long
// ones. Safe for concurrent use.
type turns struct {
	mu      sync.Mutex
	free    int
	owed    int                // turns that were lent, and are to be given back by who has one next
	passed  int                // turns that were handed on
	queues  [2][]chan struct{} // of short and of long queries; closed when it is one's turn
	waiting [2]atomic.Int32    // the lengths of queues
}

// The queues.
const (
	shortQuery = iota
	longQuery
)

// A query is short until its workers have computed for shortWork. A worker of a
// long one goes on for longTurn while other long ones wait, and for shortTurn
// while short ones do.
const (
	shortWork = 10 * time.Millisecond
	shortTurn = time.Millisecond
	longTurn  = 5 * time.Millisecond
)

// newTurns lets so many workers compute at a time.
func newTurns(cores int) *turns { return &turns{free: cores} }

// turn is one worker's right to compute. One goroutine uses it.
type turn struct {
	of     *turns
	worked *atomic.Int64 // of the query, nanoseconds; nil: nobody counts
	held   bool
	began  time.Time // where held
	rested time.Time // when other goroutines of the process last had the core
}

// take waits for a turn of a query; give or an error ends it.
func (t *turns) take(ctx context.Context, progress *runtime.Progress) (*turn, error) {
	h := &turn{of: t}
	if progress != nil {
		h.worked = &progress.Worked
	}
	return h, h.wait(ctx)
}

// queue says in which queue the query stands.
func (h *turn) queue() int {
	if h.worked != nil && h.worked.Load() >= int64(shortWork) {
		return longQuery
	}
	return shortQuery
}

// wait waits for the turn.
func (h *turn) wait(ctx context.Context) error {
	t, queue := h.of, h.queue()
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		h.start()
		return nil
	}
	granted := make(chan struct{})
	t.queues[queue] = append(t.queues[queue], granted)
	t.waiting[queue].Add(1)
	t.mu.Unlock()
	select {
	case <-granted:
		h.start()
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.queues[queue], granted); i >= 0 {
		t.queues[queue] = slices.Delete(t.queues[queue], i, i+1)
		t.waiting[queue].Add(-1)
	} else {
		t.pass() // it came together with the end of ctx
	}
	return canceled(ctx)
}

// start begins the turn.
func (h *turn) start() {
	h.held, h.began = true, time.Now()
	h.rested = h.began
}

// longShare is how many turns are handed on for each one that a long query has
// before short ones, so that it does not wait for ever.
const longShare = 4

// lend hands a turn on for as long as a worker that has one does not compute, since it
// waits for something else than the queries that run. After back, which ends that, it
// computes again at once, and somebody's next turn is left out.
func (t *turns) lend() (back func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pass()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.free > 0 {
			t.free--
		} else {
			t.owed++
		}
	}
}

// pass gives a turn to who is to have it next.
func (t *turns) pass() {
	if t.owed > 0 {
		t.owed--
		return
	}
	t.passed++
	for i := range t.queues {
		queue := i
		if t.passed%longShare == 0 {
			queue = longQuery - i
		}
		if q := t.queues[queue]; len(q) > 0 {
			close(q[0])
			t.queues[queue] = q[1:]
			t.waiting[queue].Add(-1)
			return
		}
	}
	t.free++
}

// give ends the turn, where it has not ended.
func (h *turn) give() {
	if !h.held {
		return
	}
	h.held = false
	if h.worked != nil {
		h.worked.Add(int64(time.Since(h.began)))
	}
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	h.of.pass()
}

// share lets others have their turn when this one has been long. With an error
// the turn has ended. Outside a turn it does nothing.
func (h *turn) share(ctx context.Context) error {
	if h == nil || !h.held {
		return nil
	}
	now := time.Now()
	if now.Sub(h.rested) < shortTurn {
		return nil
	}
	h.rested = now
	limit := longTurn
	if h.of.waiting[shortQuery].Load() > 0 {
		limit = shortTurn
	}
	if h.of.waiting[shortQuery].Load()+h.of.waiting[longQuery].Load() == 0 || now.Sub(h.began) < limit {
		// Whoever reads, plans and sends for other sessions waits for a core too,
		// and the scheduler alone would take it from here only after 10 ms.
		goruntime.Gosched()
		return nil
	}
	h.give()
	return h.wait(ctx)
}
