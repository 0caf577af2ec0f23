package several

import (
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// maxCuts is how many tables are remembered.
const maxCuts = 1024

func newCuts() *cuts {
	return &cuts{known: make(map[cutOf]*cut), taken: make(map[column]int64), made: make(map[string]float64), keys: make(map[*kernel.Func]string), times: make(map[timed]times)}
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
	return c.made[c.key(f)]
}

// note remembers how many groups a kernel has made.
func (c *cuts) note(f *kernel.Func, groups float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.made) >= maxCuts {
		clear(c.made)
	}
	c.made[c.key(f)] = groups
}

// key is the same for kernels of the same statement, whenever it is planned. The lock is held.
func (c *cuts) key(f *kernel.Func) string {
	key, ok := c.keys[f]
	if !ok {
		all := cudagen.AppendConstants(cudagen.AppendKey(nil, undecided(f), nil), f.Params)
		for _, in := range f.Inputs {
			all = append(append(all, in.Name...), 0)
		}
		if key = string(all); len(c.keys) >= maxCuts {
			clear(c.keys)
		}
		c.keys[f] = key
	}
	return key
}

// undecided is a kernel without what has been chosen of a device's strategies for it.
func undecided(f *kernel.Func) *kernel.Func {
	agg, groups := f.Sink.(*kernel.Aggregate)
	if !groups {
		return f
	}
	of, sink := *f, *agg
	sink.Device, sink.Preaggregate, sink.Replicas, sink.Threads, sink.ThreadRows, sink.RunForm = "", "", 0, 0, 0, kernel.RunForm{}
	of.Sink = &sink
	return &of
}
