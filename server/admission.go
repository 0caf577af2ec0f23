package server

import (
	"context"
	"sync"

	"github.com/cubeloom/cubeloom/sql/value"
)

// admission lets a number of statements run at a time; others wait in a queue of
// limited length, first come, first served. It is safe for concurrent use.
type admission struct {
	mu      sync.Mutex
	running int // at most
	queued  int
	active  int
	waiting []chan struct{} // closed when it is the statement's turn
}

// limit sets how many may run and wait.
func (a *admission) limit(running, queued int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running, a.queued = running, queued
	for a.active < running && len(a.waiting) > 0 {
		a.active++
		close(a.waiting[0])
		a.waiting = a.waiting[1:]
	}
}

// enter lets a statement in where there is room, or where it must not wait; leave
// ends its turn.
func (a *admission) enter(mustNotWait bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.active >= a.running && !mustNotWait {
		return false
	}
	a.active++
	return true
}

// wait waits for a statement's turn; leave ends it. It fails with 53000 where the
// queue is full, and with 57014 where ctx ends first.
func (a *admission) wait(ctx context.Context) error {
	a.mu.Lock()
	if a.active < a.running {
		a.active++
		a.mu.Unlock()
		return nil
	}
	if len(a.waiting) >= a.queued {
		a.mu.Unlock()
		e := value.Errorf(value.CodeInsufficientResources, "too many statements are running and waiting")
		e.Hint = "Try again later."
		return e
	}
	turn := make(chan struct{})
	a.waiting = append(a.waiting, turn)
	a.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, w := range a.waiting {
		if w == turn {
			a.waiting = append(a.waiting[:i], a.waiting[i+1:]...)
			return endOf(ctx)
		}
	}
	// The turn came together with the end of ctx: it goes to the next.
	a.pass()
	return endOf(ctx)
}

// leave ends a statement's turn.
func (a *admission) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pass()
}

// pass gives a turn to the statement that has waited longest, unless more run than
// should since some did not wait.
func (a *admission) pass() {
	if len(a.waiting) == 0 || a.active > a.running {
		a.active--
		return
	}
	close(a.waiting[0])
	a.waiting = a.waiting[1:]
}

// counts returns how many statements run and wait.
func (a *admission) counts() (running, waiting int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.active, len(a.waiting)
}
