package write

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// mergedBytes is what a row of MERGE takes while it is sorted out.
const mergedBytes = 24

// merge stores what MERGE makes of rows, and returns their number.
func (c *changes) merge(key string, plan *planner.Statement, res *result.Result) int64 {
	sqlstate.Check(c.s.Meter.Grow(mergedBytes * int(res.Count())))
	updated, deleted, inserted := sortMerged(plan.Merge, res.Rows)
	all := slices.Concat(updated, deleted)
	byRow := func(a, b store.Pick) int { return cmp.Compare(a.Row, b.Row) }
	for _, picks := range [][]store.Pick{all, updated, deleted} {
		slices.SortFunc(picks, byRow)
	}
	for i := 1; i < len(all); i++ {
		if all[i].Row == all[i-1].Row {
			panic(errMergedTwice())
		}
	}
	if len(c.untouched(key, all)) < len(updated)+len(deleted) {
		panic(errMergedTwice())
	}
	c.rewrite(key, plan.Set, 2, updated, res.Rows)
	c.rewrite(key, nil, 0, deleted, nil)
	if len(inserted) == 0 {
		c.checkKeys(key, plan.Set)
	} else {
		sqlstate.Check(c.s.TakeHeld(int64(len(inserted))))
		c.appendPicked(plan.Target, inserted, res.Rows, 2+len(plan.Set))
	}
	return res.Count()
}

// sortMerged tells the rows of a MERGE apart by what becomes of them.
func sortMerged(m *planner.Merge, rel runtime.Relation) (updated, deleted, inserted []store.Pick) {
	var actions, rows []int64
	for i := range rel.Blocks() {
		b := sqlstate.Must(rel.Load(i, []int{0, 1}))
		actions = store.DecodeInts(actions[:0], b.Cols[0], 0, b.Rows)
		rows = store.DecodeInts(rows[:0], b.Cols[1], 0, b.Rows)
		for at, action := range actions {
			p := store.Pick{Row: rows[at], Block: int32(i), At: int32(at)}
			switch m.Actions[action] {
			case planner.MergeUpdate:
				updated = append(updated, p)
			case planner.MergeDelete:
				deleted = append(deleted, p)
			case planner.MergeInsert:
				inserted = append(inserted, p)
			}
		}
	}
	return updated, deleted, inserted
}

// errMergedTwice is the error of a MERGE that changes a row more than once.
func errMergedTwice() error {
	e := value.Errorf(value.CodeCardinalityViolation, "MERGE command cannot affect row a second time")
	e.Hint = "Ensure that not more than one source row matches any one target row."
	return e
}
