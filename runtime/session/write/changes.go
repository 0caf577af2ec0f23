package write

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// changes is a statement that changes rows while it runs, with those in its WITH. All of them see
// the tables as they were before.
type changes struct {
	ctx     context.Context
	s       *session.Session
	tx      *store.Tx
	with    *sql.With
	writes  []*sql.CTE // that change rows
	targets []target
	cat     *catalog.Catalog
	opts    planner.Options
	begun   map[*sql.CTE]bool
	touched map[string]*touched // by the key of a table
	target  string              // the key of the table that the part that runs names
	written []written           // so far, of which references are to be kept
}

// target is a statement that changes rows, the key of the table, and the one of the table that has its rows.
type target struct {
	stmt       sql.Change
	named, key string
}

// touched are the rows of a table that parts of a statement have changed so far, by the positions that
// all parts see, in order.
type touched struct{ all, removed []int64 }

// touchedBytes is what a row takes in both lists.
const touchedBytes = 16

// touch notes that rows were changed, where other parts of the statement are to come.
func (c *changes) touch(key string, picks []store.Pick, removed bool) {
	if len(c.writes) == 0 {
		return
	}
	sqlstate.Check(c.s.Meter.Grow(touchedBytes * len(picks)))
	t := c.touched[key]
	if t == nil {
		t = &touched{}
		c.touched[key] = t
	}
	for _, p := range picks {
		t.all = append(t.all, p.Row)
		if removed {
			t.removed = append(t.removed, p.Row)
		}
	}
	slices.Sort(t.all)
	slices.Sort(t.removed)
}

// untouched are those rows of a table that no other part of the statement has changed, as of the
// changes of one row only the first takes place.
func (c *changes) untouched(key string, picks []store.Pick) []store.Pick {
	t := c.touched[key]
	if t == nil {
		return picks
	}
	return slices.DeleteFunc(picks, func(p store.Pick) bool {
		_, found := slices.BinarySearch(t.all, p.Row)
		return found
	})
}

// moved are rows of a table at the positions where they stand by now.
func (c *changes) moved(key string, picks []store.Pick) []store.Pick {
	t := c.touched[key]
	if t == nil || len(t.removed) == 0 {
		return picks
	}
	moved := slices.Clone(picks)
	for i := range moved {
		before, _ := slices.BinarySearch(t.removed, moved[i].Row)
		moved[i].Row -= int64(before)
	}
	return moved
}
