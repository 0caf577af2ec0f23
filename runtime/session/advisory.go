package session

import (
	"context"
	"fmt"

	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// advisoryLocks are the session's, made when it takes the first.
func (s *Session) advisoryLocks() *store.Advisory {
	if s.advisory == nil {
		s.advisory = s.DB.Tables.NewAdvisory()
		s.advisory.Join(s.tx.tx)
	}
	return s.advisory
}

// AdvisoryLock takes the lock of one number or of two, shared with others or alone, until
// the transaction ends or until AdvisoryUnlock. It fails as the lock of a table does.
func (s *Session) AdvisoryLock(ctx context.Context, args []value.Value, shared, transaction bool) error {
	return s.advisoryLocks().Lock(ctx, advisoryName(args), shared, transaction, s.LockTimeout())
}

// TryAdvisoryLock is AdvisoryLock that does not wait; it reports whether it has the lock.
func (s *Session) TryAdvisoryLock(ctx context.Context, args []value.Value, shared, transaction bool) (bool, error) {
	return tried(s.advisoryLocks().Lock(ctx, advisoryName(args), shared, transaction, store.NoWait))
}

// AdvisoryUnlock gives back a lock, and reports whether the session had it.
func (s *Session) AdvisoryUnlock(args []value.Value, shared bool) bool {
	return s.advisoryLocks().Unlock(advisoryName(args), shared)
}

// AdvisoryUnlockAll gives back all advisory locks but those of the transaction.
func (s *Session) AdvisoryUnlockAll() {
	if s.advisory != nil {
		s.advisory.UnlockAll()
	}
}

// advisoryName is the name of a lock: those of two numbers are others than those of one.
func advisoryName(args []value.Value) string {
	name := ""
	for _, arg := range args {
		name += fmt.Sprintf("/%d", arg.I)
	}
	return name
}

// tried reports whether an attempt to lock succeeded at once.
func tried(err error) (bool, error) {
	if IsLockNotAvailable(err) {
		return false, nil
	}
	return err == nil, err
}
