package write

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// deferredBytes is about what a check takes that waits, beside the keys.
const deferredBytes = 4 << 10

// keep checks now or at the end of the transaction that rows that were written refer to others.
func (r *references) keep(w *written, k *algebra.ForeignKey) {
	child := store.KeyOf(w.next)
	if !r.tx.Defers(child, k) {
		r.refer(w, k)
		return
	}
	n, later := len(k.Columns), &keysLater{}
	if w.picks == nil {
		later.keys, later.names = sqlstate.Must(w.next.Written(w.old, nil, k.Columns, r.s.Meter)), numbered(0, n)
	} else {
		later.keys, later.names = sqlstate.Must(w.old.Changed(w.next, w.picks, k.Columns, r.s.Meter)), numbered(n, n)
		later.also = differs("w", n)
	}
	r.putOff(child, k, child, later.keys, later.refer)
}

// putOff has the transaction run a check at its end, of rows of a table that were changed: of keys that rows of
// a child refer by, or by which they are referred to.
func (r *references) putOff(child string, k *algebra.ForeignKey, table string, keys *store.Table, check func(*references, *store.Table, *algebra.ForeignKey)) {
	s, tx := r.s, r.tx
	held := sqlstate.Must(s.DB.Memory.Hold(keys.Bytes() + deferredBytes))
	tx.Defer(store.Deferred{Child: child, Key: k, Table: table, Held: held, Check: func(ctx context.Context) (err error) {
		defer sqlstate.Catch(&err)
		later := &references{ctx: ctx, s: s, state: tx.Latest, tx: tx}
		t, _ := tx.Latest().Lookup(child).(*store.Table)
		if t == nil {
			return nil // the constraint is gone with the table
		}
		if i := slices.IndexFunc(t.ForeignKeys(), func(other algebra.ForeignKey) bool { return other.Name == k.Name }); i >= 0 {
			check(later, t, &t.ForeignKeys()[i])
		}
		return nil
	}})
}

// keysLater are keys that rows had when they were written, in columns of these names.
type keysLater struct {
	keys  *store.Table
	names []string
	also  string // the condition that a key has changed
}

// refer is references.refer of the keys, at the end of the transaction. Of rows that are gone by then, or have other
// keys, nothing is asked; whether they are there is looked up only where a key is that of no row.
func (l *keysLater) refer(r *references, table *store.Table, k *algebra.ForeignKey) {
	if r.orphan(l.keys, table, k, l.names, l.also) == nil {
		return
	}
	there := each(columnNames(table, k.Columns), " AND ", func(i int, name string) string { return "c." + name + " IS NOT DISTINCT FROM w." + l.names[i] })
	sqlstate.Check(r.orphan(l.keys, table, k, l.names, l.also+" AND EXISTS (SELECT 1 FROM "+keysOf(referencing)+" c WHERE "+there+")"))
}

// SetConstraints runs SET CONSTRAINTS.
func SetConstraints(ctx context.Context, s *session.Session, stmt *sql.SetConstraints) (_ *result.Result, err error) {
	defer sqlstate.Catch(&err)
	res, tx := &result.Result{Tag: "SET CONSTRAINTS"}, s.Tx()
	if !s.InBlock() {
		res.Notices = []result.Notice{result.NewWarning(value.CodeNoActiveTransaction, "SET CONSTRAINTS can only be used in transaction blocks")}
	}
	if stmt.Names == nil {
		tx.SetConstraints(stmt.Deferred)
	}
	var refs []store.Reference
	for _, name := range stmt.Names {
		refs = append(refs, deferrable(s, name, stmt.Deferred)...)
	}
	for _, ref := range refs {
		tx.SetConstraint(store.KeyOf(ref.Table), ref.Key(), stmt.Deferred)
	}
	if !stmt.Deferred {
		sqlstate.Check(tx.CheckDeferred(ctx, false))
	}
	return res, nil
}

// deferrable are the deferrable constraints of a name, in the first schema that has constraints of it. With mustBe it fails
// with 42809 where one is not.
func deferrable(s *session.Session, name sql.Name, mustBe bool) (refs []store.Reference) {
	parts := sqlstate.Must(s.LocalName(name.Parts()))
	schemas, last := s.SearchPath(), parts[len(parts)-1]
	if len(parts) == 2 {
		if schemas = parts[:1]; parts[0] != store.TemporarySchema && !s.Access().HasSchema(parts[0]) {
			panic(session.NoSchema(parts[0]))
		}
	}
	for _, schema := range schemas {
		found := false
		for _, o := range s.State().Objects() {
			t, ok := o.(*store.Table)
			if !ok || t.Schema() != schema || !catalog.HasConstraint(t, last) {
				continue
			}
			found = true
			i := slices.IndexFunc(t.ForeignKeys(), func(k algebra.ForeignKey) bool { return k.Name == last && k.Deferrable })
			switch {
			case i >= 0:
				refs = append(refs, store.Reference{Table: t, Index: i})
			case mustBe:
				panic(value.Errorf(value.CodeWrongObjectType, "constraint %q is not deferrable", last))
			}
		}
		if found {
			return refs
		}
	}
	panic(value.Errorf(value.CodeUndefinedObject, "constraint %q does not exist", last))
}
