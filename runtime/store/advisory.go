package store

import (
	"context"
	"time"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Advisory is the advisory locks of a session: names that mean something to clients alone.
// It is used by one goroutine at a time.
type Advisory struct {
	lockOwner
	cat  *Catalog
	held map[advisoryName]*advisoryCount
}

// advisoryName is a lock and the way in which it is held.
type advisoryName struct {
	name   string
	shared bool
}

// advisoryCount says how often a lock was taken: until the session ends or gives it back,
// and until the transaction ends.
type advisoryCount struct{ session, transaction int }

// maxAdvisory is how many advisory locks a session may hold.
const maxAdvisory = 10000

// advisoryLock stands before the names of advisory locks in the lock table.
const advisoryLock = "\x00advisory\x00"

// NewAdvisory makes the advisory locks of a session.
func (c *Catalog) NewAdvisory() *Advisory {
	return &Advisory{cat: c, held: map[advisoryName]*advisoryCount{}}
}

// Join has the lock table know that a transaction is one of the session's: who waits for
// the one waits for the other.
func (a *Advisory) Join(tx *Tx) {
	a.cat.locks.mu.Lock()
	defer a.cat.locks.mu.Unlock()
	a.peer, tx.peer = &tx.lockOwner, &a.lockOwner
}

// Lock takes a lock, until the transaction ends or until Unlock. It waits as
// lockTable.acquire does. It fails with 53200 where the session holds too many.
func (a *Advisory) Lock(ctx context.Context, name string, shared, transaction bool, timeout time.Duration) error {
	key := advisoryName{name, shared}
	count := a.held[key]
	if count == nil {
		if len(a.held) >= maxAdvisory {
			e := value.Errorf(value.CodeOutOfMemory, "out of shared memory")
			e.Hint = "A session may hold 10000 advisory locks."
			return e
		}
		if err := a.cat.locks.acquire(ctx, &a.lockOwner, []wanted{{advisoryLock + name, shared}}, timeout); err != nil {
			return err
		}
		count = &advisoryCount{}
		a.held[key] = count
	}
	if transaction {
		count.transaction++
	} else {
		count.session++
	}
	return nil
}

// Unlock gives a lock back that was taken until then, and reports whether there was one.
func (a *Advisory) Unlock(name string, shared bool) bool {
	key := advisoryName{name, shared}
	count := a.held[key]
	if count == nil || count.session == 0 {
		return false
	}
	count.session--
	a.drop(key, count)
	return true
}

// UnlockAll releases all locks but those of the transaction.
func (a *Advisory) UnlockAll() {
	for key, count := range a.held {
		count.session = 0
		a.drop(key, count)
	}
}

// EndTransaction releases the locks of the transaction.
func (a *Advisory) EndTransaction() {
	for key, count := range a.held {
		count.transaction = 0
		a.drop(key, count)
	}
}

// drop releases a lock that is not held any more in either way.
func (a *Advisory) drop(key advisoryName, count *advisoryCount) {
	if count.session+count.transaction > 0 {
		return
	}
	delete(a.held, key)
	if a.held[advisoryName{key.name, !key.shared}] == nil {
		a.cat.locks.releaseName(&a.lockOwner, advisoryLock+key.name)
	}
}
