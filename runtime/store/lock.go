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
	owners   []*Tx
	shared   bool
	released chan struct{} // closed when an owner ends
}

// acquire waits until tx holds name, alone or shared with others. It fails with 40P01
// where the wait would never end, with 55P03 when it lasts longer than tx.LockTimeout,
// and with ctx's error when ctx ends.
func (t *lockTable) acquire(ctx context.Context, tx *Tx, name string, shared bool) error {
	var late <-chan time.Time
	if tx.LockTimeout > 0 {
		timer := time.NewTimer(tx.LockTimeout)
		defer timer.Stop()
		late = timer.C
	}
	for {
		released, err := t.try(tx, name, shared)
		if released == nil || err != nil {
			return err
		}
		select {
		case <-released:
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

// try takes name, or gives what is closed when it is worth another try.
func (t *lockTable) try(tx *Tx, name string, shared bool) (released <-chan struct{}, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	tx.waits = nil
	l := t.held[name]
	if l == nil {
		if t.held == nil {
			t.held = map[string]*nameLock{}
		}
		t.held[name] = &nameLock{owners: []*Tx{tx}, shared: shared, released: make(chan struct{})}
		return nil, nil
	}
	own := slices.Contains(l.owners, tx)
	switch {
	case own && len(l.owners) == 1:
		l.shared = l.shared && shared
		return nil, nil
	case l.shared && shared:
		if !own {
			l.owners = append(l.owners, tx)
		}
		return nil, nil
	}
	for _, owner := range l.owners {
		if owner != tx && owner.waitsFor(tx) {
			return nil, value.Errorf(value.CodeDeadlock, "deadlock detected")
		}
	}
	tx.waits = l
	return l.released, nil
}

// waitsFor reports whether a transaction waits for the end of another one.
func (tx *Tx) waitsFor(other *Tx) bool {
	return tx.waits != nil && slices.ContainsFunc(tx.waits.owners, func(owner *Tx) bool {
		return owner != tx && (owner == other || owner.waitsFor(other))
	})
}

// release gives back all that tx holds.
func (t *lockTable) release(tx *Tx) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, l := range t.held {
		at := slices.Index(l.owners, tx)
		if at < 0 {
			continue
		}
		close(l.released)
		if l.owners = slices.Delete(l.owners, at, at+1); len(l.owners) == 0 {
			delete(t.held, name)
		} else {
			l.released = make(chan struct{})
		}
	}
}

// definitionLock stands before the name of a relation where its definition is locked:
// by those who change it, each alone, and by those who make views of it.
const definitionLock = "\x00definition\x00"

// LockDefinition keeps other transactions from changing how a relation is defined, and
// from dropping it, until this one ends. With shared others may do the same, and not
// without: then none may make a view of it either. It fails with 40001 where another
// has changed the definition, or made or dropped a view of it, after Pin.
func (tx *Tx) LockDefinition(ctx context.Context, name string, shared bool) error {
	if IsTemporary(name) {
		return nil // there are no others
	}
	if err := tx.cat.locks.acquire(ctx, tx, definitionLock+name, shared); err != nil {
		return err
	}
	if tx.pinned == nil {
		return nil
	}
	before, now := tx.pinned, tx.cat.State()
	was, is := before.Lookup(name), now.Lookup(name)
	if was != is && !sameDefinition(was, is) || !slices.Equal(before.Dependents(name), now.Dependents(name)) {
		return value.Errorf(codeSerialization, "could not serialize access due to concurrent update")
	}
	return nil
}
