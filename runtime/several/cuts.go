package several

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// maxCuts is how many tables are remembered.
const maxCuts = 1024

func newCuts() *cuts {
	return &cuts{known: make(map[cutOf]*cut), taken: make(map[column]int64), made: make(map[*kernel.Func]float64)}
}

// of returns where the rows of a relation are cut for n devices.
func (c *cuts) of(rel runtime.Relation, n int) *cut {
	v, ok := rel.(runtime.Versioned)
	if !ok {
		return newCut(rel, n, nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	of := cutOf{v.Version(), n}
	if known := c.known[of]; known != nil {
		return known
	}
	made := newCut(rel, n, ascending(rel))
	if len(c.known) >= maxCuts {
		clear(c.known)
	}
	c.known[of] = made
	return made
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

// groups is how many groups a kernel made when it ran last; 0: it is not known.
func (c *cuts) groups(f *kernel.Func) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made[f]
}

// note remembers how many groups a kernel has made.
func (c *cuts) note(f *kernel.Func, groups float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.made) >= maxCuts {
		clear(c.made)
	}
	c.made[f] = groups
}
