package several

import (
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// maxCuts is how many tables are remembered.
const maxCuts = 1024

func newCuts() *cuts { return &cuts{known: make(map[any][]int64), taken: make(map[column]int64)} }

// starts returns the first row of each block of a relation, and the number of its rows.
func (c *cuts) starts(rel runtime.Relation) []int64 {
	v, ok := rel.(runtime.Versioned)
	if !ok {
		return sqlstate.Must(runtime.BlockStarts(rel))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if starts, ok := c.known[v.Version()]; ok {
		return starts
	}
	starts := sqlstate.Must(runtime.BlockStarts(rel))
	if len(c.known) >= maxCuts {
		clear(c.known)
	}
	c.known[v.Version()] = starts
	return starts
}

// maxColumns is of how many columns it is remembered what they take.
const maxColumns = 16 * maxCuts

// bytes returns what a column takes, which find finds where it is not known.
func (c *cuts) bytes(of column, find func() int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	bytes, ok := c.taken[of]
	if !ok {
		if bytes = find(); len(c.taken) >= maxColumns {
			clear(c.taken)
		}
		c.taken[of] = bytes
	}
	return bytes
}
