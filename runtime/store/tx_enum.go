package store

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// LockEnum locks a type to define it, and the tables with columns of it, which it returns. It fails with
// 42704 where there is no such type.
func (tx *Tx) LockEnum(ctx context.Context, key string) (e *algebra.EnumType, tables []*Table, err error) {
	defer sqlstate.Catch(&err)
	tx.mustBe(ctx, KindType, key)
	e = tx.State().Enum(key)
	tx.State().TypedBy(e, func(t *Table, _ int) { sqlstate.Check(tx.LockToDefine(ctx, KeyOf(t))) })
	e = tx.State().Enum(key)
	tx.State().TypedBy(e, func(t *Table, _ int) {
		if !slices.Contains(tables, t) {
			tables = append(tables, t)
		}
	})
	return e, tables, nil
}

// ReplaceEnum gives a type that LockEnum has locked another definition, and its columns that. It fails
// with 42710 where there is a type of the name.
func (tx *Tx) ReplaceEnum(ctx context.Context, old, next *algebra.EnumType, tables []*Table) (err error) {
	defer sqlstate.Catch(&err)
	from, to := EnumKey(old), EnumKey(next)
	if from != to {
		sqlstate.Check(tx.lockSchema(ctx, next.Schema))
		sqlstate.Check(tx.Lock(ctx, to))
		if tx.State().Lookup(to) != nil {
			return errTypeTaken(next.Name)
		}
		sqlstate.Check(tx.State().typeTaken(&Enum{next}))
		tx.moveGrants(ctx, AccessTo(KindType, from), AccessTo(KindType, to))
		tx.set(from, nil)
	}
	tx.set(to, &Enum{next})
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
