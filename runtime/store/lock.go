package store

import (
	"context"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom/planner/value"
)

// lockTable gives each name of the catalog to at most one writing transaction.
// Readers take no locks.
type lockTable struct {
	mu   sync.Mutex
	held map[string]*nameLock
}

// nameLock is a name that a transaction holds until it ends.
type nameLock struct {
	owner    *Tx
	released chan struct{} // closed when the owner ends
}

// acquire waits until tx holds name. It fails with 40P01 where the wait would
// never end, with 55P03 when it lasts longer than tx.LockTimeout, and with ctx's
// error when ctx ends.
func (t *lockTable) acquire(ctx context.Context, tx *Tx, name string) error {
	var late <-chan time.Time
	if tx.LockTimeout > 0 {
		timer := time.NewTimer(tx.LockTimeout)
		defer timer.Stop()
		late = timer.C
	}
	for {
		l, err := t.try(tx, name)
		if l == nil || err != nil {
			return err
		}
		select {
		case <-l.released:
		case <-late:
			t.giveUp(tx)
			return value.Errorf(codeLockNotAvailable, "canceling statement due to lock timeout")
		case <-ctx.Done():
			t.giveUp(tx)
			return context.Cause(ctx)
		}
	}
}

// codeLockNotAvailable is the SQLSTATE of a lock that could not be had in time.
const codeLockNotAvailable = "55P03"

// giveUp ends the wait of tx.
func (t *lockTable) giveUp(tx *Tx) {
	t.mu.Lock()
	defer t.mu.Unlock()
	tx.waits = nil
}

// try takes name, or gives the lock to wait for.
func (t *lockTable) try(tx *Tx, name string) (*nameLock, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	tx.waits = nil
	l := t.held[name]
	if l == nil {
		if t.held == nil {
			t.held = map[string]*nameLock{}
		}
		t.held[name] = &nameLock{owner: tx, released: make(chan struct{})}
		return nil, nil
	}
	if l.owner == tx {
		return nil, nil
	}
	for w := l; w != nil; w = w.owner.waits {
		if w.owner == tx {
			return nil, value.Errorf(value.CodeDeadlock, "deadlock detected")
		}
	}
	tx.waits = l
	return l, nil
}

// release gives back all that tx holds.
func (t *lockTable) release(tx *Tx) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, l := range t.held {
		if l.owner == tx {
			delete(t.held, name)
			close(l.released)
		}
	}
}
