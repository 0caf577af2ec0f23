package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ForeignKeys are the FOREIGN KEY constraints; the caller must not change the slices.
func (t *Table) ForeignKeys() []algebra.ForeignKey { return t.def.ForeignKeys }

// WithForeignKeys is the same rows under a definition of other FOREIGN KEY constraints. Who calls
// it has checked that the rows keep to them.
func (t *Table) WithForeignKeys(keys []algebra.ForeignKey) *Table {
	next := *t
	next.def.ForeignKeys = keys
	return &next
}

// Reference is a FOREIGN KEY constraint of a table, by its number.
type Reference struct {
	Table *Table
	Index int
}

// Key is the constraint.
func (r Reference) Key() *algebra.ForeignKey { return &r.Table.def.ForeignKeys[r.Index] }

// ReferencesTo are the FOREIGN KEY constraints that refer to a table, by its key. Nobody is told
// that they were looked up.
func (s *State) ReferencesTo(key string) (refs []Reference) {
	for _, o := range s.objects {
		t, ok := o.(*Table)
		if !ok {
			continue
		}
		for i := range t.def.ForeignKeys {
			if t.def.ForeignKeys[i].Table == key {
				refs = append(refs, Reference{t, i})
			}
		}
	}
	slices.SortFunc(refs, func(a, b Reference) int {
		return cmp.Or(strings.Compare(KeyOf(a.Table), KeyOf(b.Table)), a.Index-b.Index)
	})
	return refs
}

// DropReferences drops FOREIGN KEY constraints.
func (tx *Tx) DropReferences(ctx context.Context, refs []Reference) (err error) {
	defer sqlstate.Catch(&err)
	for _, r := range refs {
		key := KeyOf(r.Table)
		sqlstate.Check(tx.LockToDefine(ctx, key))
		t := sqlstate.Must(tx.Table(ctx, key))
		tx.Update(t.WithForeignKeys(slices.DeleteFunc(slices.Clone(t.def.ForeignKeys), func(k algebra.ForeignKey) bool { return k.Name == r.Key().Name })))
	}
	return nil
}

// editReferences changes the FOREIGN KEY constraints that refer to a table.
func (tx *Tx) editReferences(ctx context.Context, key string, edit func(*algebra.ForeignKey)) error {
	for _, r := range tx.Latest().ReferencesTo(key) {
		t, err := tx.Table(ctx, KeyOf(r.Table))
		if err != nil {
			return err
		}
		keys := slices.Clone(t.def.ForeignKeys)
		edit(&keys[r.Index])
		tx.Update(t.WithForeignKeys(keys))
	}
	return nil
}

// DropColumn removes column i of a table, with the keys and constraints that it is part of. It fails
// as withoutColumn does.
func (tx *Tx) DropColumn(ctx context.Context, t *Table, i int) error {
	next, err := t.withoutColumn(i)
	if err != nil {
		return err
	}
	tx.Update(next)
	return tx.editReferences(ctx, KeyOf(t), func(k *algebra.ForeignKey) { k.Referenced = withoutOrdinal(k.Referenced, i) })
}

// referrers are the FOREIGN KEY constraints of tables that stay, and refer to some that go.
func (tx *Tx) referrers(gone map[string]bool) (refs []Reference) {
	state := tx.Latest()
	for _, key := range slices.Sorted(maps.Keys(gone)) {
		for _, r := range state.ReferencesTo(key) {
			if !gone[KeyOf(r.Table)] {
				refs = append(refs, r)
			}
		}
	}
	return refs
}

// alikeOnCommit fails with 0A000 where tables that refer to a temporary one, which loses its rows now,
// keep theirs.
func (tx *Tx) alikeOnCommit(key string) error {
	for _, r := range tx.Latest().ReferencesTo(key) {
		if r.Table.def.OnCommit != DeleteRows {
			e := value.Errorf(value.CodeFeatureNotSupported, "unsupported ON COMMIT and foreign key combination")
			e.Detail = fmt.Sprintf("Table %q references %q, but they do not have the same ON COMMIT setting.", r.Table.Name(), NameOf(key))
			return e
		}
	}
	return nil
}

// leftReferences says of each constraint of referrers on what it depends.
func (tx *Tx) leftReferences(gone map[string]bool) (lines []string) {
	for _, r := range tx.referrers(gone) {
		lines = append(lines, tx.DependsOn(r, "table "+tx.written(tx.State().Lookup(r.Key().Table))))
	}
	return lines
}

// DependsOn says of a FOREIGN KEY constraint that it depends on something.
func (tx *Tx) DependsOn(r Reference, what string) string {
	return fmt.Sprintf("constraint %s on table %s depends on %s", r.Key().Name, tx.written(r.Table), what)
}
