package write

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// readersLocks are the modes of LOCK that do not keep others from writing. Readers take
// no locks, and read what was committed when they began: to them every mode is one of
// these.
var readersLocks = map[string]bool{"access share": true, "row share": true}

// Lock runs LOCK TABLE. The modes that keep others from writing, or that announce
// writing, are the lock that a writer has until its transaction ends.
func Lock(ctx context.Context, s *session.Session, stmt *sql.Lock) *result.Result {
	if !s.InBlock() {
		panic(value.Errorf(value.CodeNoActiveTransaction, "LOCK TABLE can only be used in transaction blocks"))
	}
	for _, n := range stmt.Names {
		name, err := s.TargetName(n.Name)
		if err == nil {
			err = lockRelation(ctx, s, name, stmt)
		}
		sqlstate.Check(value.WithoutPos(err))
	}
	return &result.Result{Tag: "LOCK TABLE"}
}

// lockRelation locks one table or view.
func lockRelation(ctx context.Context, s *session.Session, name string, stmt *sql.Lock) error {
	o := s.State().Lookup(name)
	if o == nil {
		return value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", store.NameOf(name))
	}
	enough := access.Update | access.Delete | access.Truncate
	switch stmt.Mode {
	case "access share":
		enough |= access.Select
	case "row exclusive":
		enough |= access.Insert
	}
	if rights, _ := s.Access().Rights(s.User(), session.RelationObject(name)); rights&enough == 0 {
		return session.Denied("permission denied for %s %s", store.KindOf(o), o.Name())
	}
	if store.IsKind(o, store.KindMaterialized) {
		e := value.Errorf(value.CodeWrongObjectType, "cannot lock relation %q", o.Name())
		e.Detail = "This operation is not supported for materialized views."
		return e
	}
	if readersLocks[stmt.Mode] {
		return nil
	}
	tx := s.Tx()
	tx.LockTimeout = s.LockTimeout()
	if stmt.NoWait {
		tx.LockTimeout = store.NoWait
	}
	err := tx.Lock(ctx, s.State().RootKey(name))
	if stmt.NoWait && session.IsLockNotAvailable(err) {
		return value.Errorf(value.CodeLockNotAvailable, "could not obtain lock on relation %q", o.Name())
	}
	return err
}
