package write

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// change stores what DELETE or UPDATE makes of rows, and returns their number and what RETURNING
// returns of them.
func (c *changes) change(key string, plan *planner.Statement, res *result.Result) (int64, *result.Result) {
	sqlstate.Check(c.s.TakeHeld(res.Count()))
	picks := c.untouched(key, sqlstate.Must(store.Picks(res.Rows, 0, c.s.Meter)))
	c.rewrite(key, plan.Set, 1, picks, res.Rows)
	c.checkKeys(key, plan.Set)
	if plan.Returns {
		res = returned(res, picks, plan.Own)
	}
	return int64(len(picks)), res
}

// rewrite changes the rows of a table that picks name: rel has the new values of the columns
// set from its column first on; without any the rows are removed. Keys and references are not checked.
func (c *changes) rewrite(key string, set []int, first int, picks []store.Pick, rel runtime.Relation) {
	if len(picks) == 0 {
		return
	}
	table := sqlstate.Must(c.tx.Table(c.ctx, key))
	change := &store.Change{Picks: c.moved(key, picks)}
	if len(set) > 0 {
		change.Rel, change.Set = rel, set
		for i := range set {
			change.From = append(change.From, first+i)
		}
	}
	next := sqlstate.Must(c.tx.Rewrite(c.ctx, table, change, c.s.Settings.Threads))
	if len(set) > 0 {
		sqlstate.Check(CheckRows(c.ctx, c.s, c.tx.State(), c.target, next, table, change.Picks))
	}
	c.tx.Update(next)
	c.written = append(c.written, written{old: table, next: next, picks: change.Picks, set: set, removed: len(set) == 0})
	c.touch(key, picks, len(set) == 0)
}

// checkKeys checks those keys of a table that have one of the columns set.
func (c *changes) checkKeys(key string, set []int) {
	if len(set) > 0 {
		checkKeys(c.ctx, c.s, c.tx, sqlstate.Must(c.tx.Table(c.ctx, key)), func(key []int) bool {
			return slices.ContainsFunc(key, func(c int) bool { return slices.Contains(set, c) })
		})
	}
}

// returned is what RETURNING returns: the columns behind the first own ones, one
// row for each row of the table that was changed.
func returned(res *result.Result, picks []store.Pick, own int) *result.Result {
	if int64(len(picks)) == res.Count() {
		return res.Behind(own, "")
	}
	return pickedBehind(res, picks, own)
}

// pickedBehind is the rows that picks name, in their order, without the first own columns.
func pickedBehind(res *result.Result, picks []store.Pick, own int) *result.Result {
	out := res.Behind(own, "")
	types := make([]algebra.Type, len(out.Columns))
	ordinals := make([]int, len(out.Columns))
	for i, c := range out.Columns {
		types[i], ordinals[i] = result.StoredType(c.Type.Type), own+i
	}
	out.Rows = sqlstate.Must(store.Picked(res.Rows, picks, types, ordinals))
	return out
}
