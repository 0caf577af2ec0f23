package store

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Storage keeps the states of a catalog beyond the life of the process.
type Storage interface {
	// Save makes next durable, whole or not at all, and returns it as it is
	// to be read from now on. It is called for one state after the other.
	Save(next *State) (*State, error)
	// SpillBytes is how much an appender holds in memory before it calls Spill.
	SpillBytes() int64
	// Spill moves blocks of a table that is not committed yet out of memory.
	Spill(blocks []StoredBlock) ([]StoredBlock, error)
	// Close ends the use of the storage; tables in use stay readable.
	Close() error
}

// Catalog maps names to tables and views. It is safe for concurrent use:
// readers take a State and are never blocked, writers work in a Tx.
type Catalog struct {
	state  atomic.Pointer[State]
	commit sync.Mutex // one commit at a time
	locks  lockTable
	serial serializer
	// numbered is the number of the transaction that got one last. The first is a time, in
	// microseconds, so that numbers grow from one run of the program to the next, too.
	numbered atomic.Int64
	storage  Storage // nil: in memory only
	memory   *runtime.Account
}

// Charge has the memory of tables charged to a shared account from now on: blocks that
// are in no file, and dictionaries, for as long as anybody has them. It is called
// before the catalog is used.
func (c *Catalog) Charge(account *runtime.Account) { c.memory = account }

// NewCatalog makes a catalog that starts with a state, kept by storage; nil:
// in memory only.
func NewCatalog(initial *State, storage Storage) *Catalog {
	c := &Catalog{storage: storage}
	c.numbered.Store(time.Now().UnixMicro())
	c.state.Store(initial)
	return c
}

// State is the last committed state.
func (c *Catalog) State() *State { return c.state.Load() }

// Close closes the storage. What commits after it fails.
func (c *Catalog) Close() error {
	c.commit.Lock()
	defer c.commit.Unlock()
	if c.storage == nil {
		return nil
	}
	if err := c.saveExactly(); err != nil {
		return errors.Join(err, c.storage.Close())
	}
	return c.storage.Close()
}

// saveExactly stores where sequences stand that are stored to be ahead.
func (c *Catalog) saveExactly() error {
	state := c.State()
	ahead := false
	for _, o := range state.Objects() {
		if q, ok := o.(*Sequence); ok {
			ahead = q.settle() || ahead
		}
	}
	if !ahead {
		return nil
	}
	_, err := c.storage.Save(state)
	return err
}

// publish commits the changes of a transaction. What the serializer watches is told
// at the same moment as all others.
func (c *Catalog) publish(made *changes, watched *serial) error {
	c.commit.Lock()
	defer c.commit.Unlock()
	next := overlay(c.State(), made)
	if err := checkRoles(next, made); err != nil {
		return err
	}
	if c.storage != nil {
		saved, err := c.storage.Save(next)
		if err != nil {
			return err
		}
		next = saved
	}
	c.serial.mu.Lock()
	defer c.serial.mu.Unlock()
	c.state.Store(next)
	if watched != nil {
		c.serial.finish(watched, true)
	}
	return nil
}

// checkRoles fails where a transaction gives something to a role that another one has
// dropped, or drops one that another one has given something to.
func checkRoles(next *State, made *changes) error {
	objects := made.access.Grants
	check := func(o access.Object) error {
		if oid, gone := next.access.Missing(o); gone {
			return value.Errorf(value.CodeUndefinedObject, "role %d was concurrently dropped", oid)
		}
		return nil
	}
	for o := range objects {
		if err := check(o); err != nil {
			return err
		}
	}
	if made.access.Roles == nil {
		return nil
	}
	for _, o := range next.access.Objects() {
		if err := check(o); err != nil {
			return err
		}
	}
	return nil
}
