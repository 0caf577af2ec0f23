package define

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// attach runs ATTACH PARTITION: the rows of a table become rows of the partitioned one.
func (a *alteration) attach(ctx context.Context, action *sql.AttachPartition) {
	parent := partitioned(ctx, a.tx, a.key, a.stmt)
	key := sqlstate.Must(a.TargetName(action.Part))
	sqlstate.Check(a.tx.LockToDefine(ctx, key))
	o := a.tx.State().Lookup(key)
	part, ok := o.(*store.Table)
	switch {
	case o == nil:
		panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", action.Part.Dotted()))
	case !ok || store.QueryOf(part) != nil:
		e := value.Errorf(value.CodeWrongObjectType, "ALTER action ATTACH PARTITION cannot be performed on relation %q", store.NameOf(key))
		e.Detail = fmt.Sprintf("This operation is not supported for %ss.", store.KindOf(o))
		panic(e)
	case part.Of() != nil:
		panic(value.Errorf(value.CodeWrongObjectType, "%q is already a partition", part.Name()))
	case part == a.tx.State().Root(parent):
		e := value.Errorf(value.CodeDuplicateTable, "circular inheritance not allowed")
		e.Detail = fmt.Sprintf("%q is already a child of %q.", parent.Name(), part.Name())
		panic(e)
	case len(a.tx.State().Followers(key)) > 0:
		panic(value.Errorf(value.CodeFeatureNotSupported, "hierarchies of partitions are not supported"))
	case len(part.ForeignKeys()) > 0 || len(a.tx.Latest().ReferencesTo(key)) > 0:
		panic(value.Errorf(value.CodeFeatureNotSupported, "attaching a table with foreign keys is not supported"))
	}
	sqlstate.Check(catalog.MustOwn(a.Session, key))
	alikeTemporary(a.key, key, "attach")
	ordinals := a.matching(parent, part)
	b := &bounding{s: a.Session, parent: parent, name: part.Name(), stmt: action.Bound, others: a.tx.State().Partitions(parent)}
	of := &store.PartitionOf{Parent: a.key, Bound: b.read()}
	notInDefault(ctx, a.Session, a.tx, parent, &of.Bound)
	a.take(ctx, parent, part, ordinals, of)
}

// take makes a table a partition, and its rows those of the table at the top. The columns of the parent are
// its columns of such ordinals.
func (a *alteration) take(ctx context.Context, parent, part *store.Table, ordinals []int, of *store.PartitionOf) {
	columns := lists.Map(ordinals, func(i int) store.Column { return part.Columns()[i] })
	empty := sqlstate.Must(part.Rearranged(columns, ordinals))
	next := inheriting(a.tx.State(), parent, empty.WithOf(of))
	a.tx.Update(next)
	a.follow(empty, next)
	cond := catalog.PartitionCondition(a.tx.State(), next)
	rest := store.NewState([]store.Object{part})
	if write.AnyRow(ctx, a.Session, rest, part, "("+cond+") IS FALSE") {
		e := value.Errorf(value.CodeCheckViolation, "partition constraint of relation %q is violated by some row", part.Name())
		e.Object = value.Object{Schema: part.Schema(), Table: part.Name()}
		panic(e)
	}
	sqlstate.Check(write.AppendRelation(ctx, a.Session, a.tx, store.KeyOf(next), part, ordinals))
}

// matching are the positions that the columns of a partitioned table have in one that is to be its partition.
func (a *alteration) matching(parent, part *store.Table) (ordinals []int) {
	for _, c := range part.Columns() {
		if parent.Ordinal(c.Name) < 0 {
			e := value.Errorf(value.CodeDatatypeMismatch, "table %q contains column %q not found in parent %q", part.Name(), c.Name, parent.Name())
			e.Detail = "The new partition may contain only the columns present in parent."
			panic(e)
		}
	}
	for _, c := range parent.Columns() {
		i := part.Ordinal(c.Name)
		switch {
		case i < 0:
			panic(value.Errorf(value.CodeDatatypeMismatch, "child table is missing column %q", c.Name))
		case sqltype.Name(part.Columns()[i].Type) != sqltype.Name(c.Type) || part.Columns()[i].Domain != c.Domain:
			panic(value.Errorf(value.CodeDatatypeMismatch, "child table %q has different type for column %q", part.Name(), c.Name))
		case c.NotNull && !part.Columns()[i].NotNull:
			panic(value.Errorf(value.CodeDatatypeMismatch, "column %q in child table must be marked NOT NULL", c.Name))
		}
		ordinals = append(ordinals, i)
	}
	for _, check := range parent.Checks() {
		at := findCheck(part, check.Name)
		switch {
		case at < 0:
			panic(value.Errorf(value.CodeDatatypeMismatch, "child table is missing constraint %q", check.Name))
		case part.Checks()[at].Text != check.Text:
			panic(value.Errorf(value.CodeDatatypeMismatch, "child table %q has different definition for check constraint %q", part.Name(), check.Name))
		}
	}
	return ordinals
}

// detach runs DETACH PARTITION: the rows of a partition become those of a table of its own.
func (a *alteration) detach(ctx context.Context, action *sql.DetachPartition) {
	concurrently(a.Session, "ALTER TABLE ... DETACH", action.Concurrently)
	parent := partitioned(ctx, a.tx, a.key, a.stmt)
	key := sqlstate.Must(a.TargetName(action.Part))
	sqlstate.Check(a.tx.LockToDefine(ctx, key))
	o := a.tx.State().Lookup(key)
	p, ok := o.(*store.Table)
	switch {
	case o == nil:
		panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", action.Part.Dotted()))
	case !ok || p.Of() == nil || p.Of().Parent != a.key:
		panic(value.Errorf(value.CodeUndefinedTable, "relation %q is not a partition of relation %q", store.NameOf(key), a.name))
	}
	unreferenced(a.tx, p)
	res := write.RowsOf(ctx, a.Session, a.tx.State(), p)
	defer res.Close()
	sqlstate.Check(write.RemoveRows(ctx, a.Session, a.tx, p))
	a.tx.Update(ownAll(p.WithOf(nil)))
	sqlstate.Check(write.AppendRelation(ctx, a.Session, a.tx, key, res.Rows, lists.Upto[int](len(parent.Columns()))))
}

// emptyPartition removes the rows of a partition, by its key, from the table that has them, which stays unless
// it is dropped, too.
func emptyPartition(ctx context.Context, s *session.Session, tx *store.Tx, key string, dropped []string) {
	p, ok := tx.State().Lookup(key).(*store.Table)
	if !ok || p.Of() == nil || slices.Contains(dropped, store.KeyOf(tx.State().Root(p))) {
		return
	}
	sqlstate.Check(catalog.MustOwn(s, key))
	unreferenced(tx, p)
	sqlstate.Check(write.RemoveRows(ctx, s, tx, p))
	tx.Update(p.WithOf(nil))
}

// ownAll is a table whose keys and constraints are all its own.
func ownAll(t *store.Table) *store.Table {
	keys, checks := slices.Clone(t.Keys()), slices.Clone(t.Checks())
	for i := range keys {
		keys[i].Inherited = false
	}
	for i := range checks {
		checks[i].Inherited = false
	}
	return t.Rekeyed(t.Columns(), keys).Rechecked(checks)
}

// unreferenced fails where FOREIGN KEY constraints refer to the table that has the rows of a partition, which
// loses them.
func unreferenced(tx *store.Tx, p *store.Table) {
	state := tx.Latest()
	if refs := state.ReferencesTo(store.KeyOf(state.Root(p))); len(refs) > 0 {
		e := value.Errorf(value.CodeFeatureNotSupported, "removing the partition %q from a table that foreign keys refer to is not supported", p.Name())
		e.Detail = fmt.Sprintf("Constraint %q of table %q refers to it.", refs[0].Key().Name, refs[0].Table.Name())
		panic(e)
	}
}
