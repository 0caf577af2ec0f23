package store

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// LockType locks a type to define it, and the tables with columns of it, which it returns. It fails with
// 42704 where there is no such type.
func (tx *Tx) LockType(ctx context.Context, key string) (t algebra.UserType, tables []*Table, err error) {
	defer sqlstate.Catch(&err)
	tx.mustBe(ctx, KindType, key)
	t = typeOf(tx.State().Lookup(key))
	tx.State().TypedBy(t, func(t *Table, _ int) { sqlstate.Check(tx.LockToDefine(ctx, KeyOf(t))) })
	t = typeOf(tx.State().Lookup(key))
	tx.State().TypedBy(t, func(t *Table, _ int) {
		if !slices.Contains(tables, t) {
			tables = append(tables, t)
		}
	})
	return t, tables, nil
}

// ReplaceEnum gives a type that LockType has locked another definition, and its columns that. It fails
// with 42710 where there is a type of the name.
func (tx *Tx) ReplaceEnum(ctx context.Context, old, next *algebra.EnumType, tables []*Table) (err error) {
	defer sqlstate.Catch(&err)
	sqlstate.Check(tx.renameType(ctx, old, next))
	for _, t := range tables {
		columns := slices.Clone(t.def.Columns)
		for i := range columns {
			if columns[i].Type.Enum == old {
				columns[i].Type.Enum = next
			}
		}
		tx.Update(t.Redefined(columns))
	}
	return nil
}

// renameType puts a type in the place of another one, perhaps with another name.
func (tx *Tx) renameType(ctx context.Context, old, next algebra.UserType) error {
	from, to, made := UserTypeKey(old), UserTypeKey(next), &UserType{next}
	if from != to {
		sqlstate.Check(tx.lockSchema(ctx, made.Schema()))
		sqlstate.Check(tx.Lock(ctx, to))
		if tx.State().Lookup(to) != nil {
			return errTypeTaken(made.Name())
		}
		sqlstate.Check(tx.State().typeTaken(made))
		tx.moveGrants(ctx, AccessTo(KindType, from), AccessTo(KindType, to))
		tx.set(from, nil)
	}
	tx.set(to, made)
	return nil
}
