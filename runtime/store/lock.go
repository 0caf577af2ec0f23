package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom/sql/value"
)

// lockTable gives each name of the catalog to one writing transaction, or to several
// that share it. Readers take no locks.
type lockTable struct {
	mu   sync.Mutex
	held map[string]*nameLock
}

// nameLock is a name that transactions hold until they end: one alone, or those that
// share it.
type nameLock struct {
	owners   []*lockOwner
	shared   bool
	released chan struct{} // closed when an owner ends
}

// lockOwner is a transaction as the lock table knows it.
type lockOwner struct {
	waits *nameLock  // what it waits for; guarded by the lock table
	peer  *lockOwner // who is of the same session, if anybody is; likewise
}

// wanted is a name that a transaction is to hold, alone or shared with others.
type wanted struct {
	name   string
	shared bool
}

// acquire waits until o holds all of some names, and takes none of them before. It fails with 40P01
// where the wait would never end, with 55P03 when it lasts longer than
// timeout (0: as long as it takes), and with ctx's error when ctx ends.
func (t *lockTable) acquire(ctx context.Context, o *lockOwner, wants []wanted, timeout time.Duration) error {
	var late <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		late = timer.C
	}
	for {
		released, err := t.try(o, wants)
		if released == nil || err != nil {
			return err
		}
		select {
		case <-released:
		case <-late:
			t.giveUp(o)
			return value.Errorf(value.CodeLockNotAvailable, "canceling statement due to lock timeout")
		case <-ctx.Done():
			t.giveUp(o)
			return context.Cause(ctx)
		}
	}
}

// giveUp ends the wait of o.
func (t *lockTable) giveUp(o *lockOwner) {
	t.mu.Lock()
	defer t.mu.Unlock()
	o.waits = nil
}

// try takes all names, or returns what is closed when it is worth another try.
func (t *lockTable) try(o *lockOwner, wants []wanted) (released <-chan struct{}, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	o.waits = nil
	for _, w := range wants {
		l := t.held[w.name]
		if l == nil || l.shared && w.shared || len(l.owners) == 1 && l.owners[0] == o {
			continue
		}
		for _, owner := range l.owners {
			if owner != o && owner.blockedBy(o) {
				return nil, value.Errorf(value.CodeDeadlock, "deadlock detected")
			}
		}
		o.waits = l
		return l.released, nil
	}
	for _, w := range wants {
		t.take(o, w)
	}
	return nil, nil
}

// take has o hold a name that nobody keeps from it.
func (t *lockTable) take(o *lockOwner, w wanted) {
	if t.held == nil {
		t.held = map[string]*nameLock{}
	}
	l := t.held[w.name]
	if l == nil {
		l = &nameLock{shared: true, released: make(chan struct{})}
		t.held[w.name] = l
	}
	if l.shared = l.shared && w.shared; !slices.Contains(l.owners, o) {
		l.owners = append(l.owners, o)
	}
}

// waitsFor reports whether a transaction waits for the end of another one.
func (o *lockOwner) waitsFor(other *lockOwner) bool {
	return o.waits != nil && slices.ContainsFunc(o.waits.owners, func(owner *lockOwner) bool {
		return owner != o && (owner == other || owner == other.peer || owner.blockedBy(other))
	})
}

// blockedBy is waitsFor of a transaction or its peer.
func (o *lockOwner) blockedBy(other *lockOwner) bool {
	return o.waitsFor(other) || o.peer != nil && o.peer != other && o.peer.waitsFor(other)
}

// releaseName releases one lock of o.
func (t *lockTable) releaseName(o *lockOwner, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.held[name]; l != nil {
		t.leave(o, name, l)
	}
}

// leave takes o off the owners of a lock.
func (t *lockTable) leave(o *lockOwner, name string, l *nameLock) {
	at := slices.Index(l.owners, o)
	if at < 0 {
		return
	}
	close(l.released)
	if l.owners = slices.Delete(l.owners, at, at+1); len(l.owners) == 0 {
		delete(t.held, name)
	} else {
		l.released = make(chan struct{})
	}
}

// release releases all locks that o holds.
func (t *lockTable) release(o *lockOwner) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, l := range t.held {
		t.leave(o, name, l)
	}
	if o.peer != nil && o.peer.peer == o {
		o.peer.peer, o.peer = nil, nil
	}
}
