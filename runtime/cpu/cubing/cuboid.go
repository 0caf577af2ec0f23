package cubing

import (
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// cuboid is the groups of a set that one refiner has found.
type cuboid struct {
	keys   []int // of the set
	n      int
	codes  [][]uint32    // by key of the set, by group
	counts []int64       // by group: rows
	groups *group.Groups // what is accumulated beside; nil for nothing, or without groups
	// Rows that are still to be accumulated, and their groups.
	rows    []int32
	numbers []uint32
	picked  []vector.View
	bufs    []vector.ViewBuffer
}

// pendingRows is how many rows are accumulated at a time.
const pendingRows = 256

// init makes the cuboid of a set.
func (c *cuboid) init(set uint64) {
	for ; set != 0; set &= set - 1 {
		c.keys = append(c.keys, bits.TrailingZeros64(set))
	}
	c.codes = make([][]uint32, len(c.keys))
}

// add adds the group with the codes of a path, by key, which has so many rows.
func (c *cuboid) add(in *input, path []uint32, rows int64) (number uint32) {
	mem := &in.run.Mem
	if c.groups == nil && len(in.accs.Specs) > 0 {
		c.groups = in.accs.NewGroups(0)
		sqlstate.Check(mem.Grow(pendingRows * int64(8+9*len(in.args))))
		c.picked, c.bufs = make([]vector.View, len(in.args)), make([]vector.ViewBuffer, len(in.args))
		c.rows, c.numbers = make([]int32, 0, pendingRows+1), make([]uint32, 0, pendingRows+1)
	}
	n := c.n
	c.n++
	c.counts = exec.Grown(mem, c.counts, c.n)
	c.counts[n] = rows
	for i, key := range c.keys {
		c.codes[i] = exec.Grown(mem, c.codes[i], c.n)
		c.codes[i][n] = path[key]
	}
	return uint32(n)
}

// addRows accumulates rows, whose groups are numbered by code.
func (c *cuboid) addRows(in *input, dim *dimension, rows []int32, number []uint32) {
	if len(in.accs.Specs) == 0 {
		return
	}
	for len(rows) > 0 {
		n := min(len(rows), pendingRows-len(c.rows))
		c.rows, c.numbers = dim.number(rows[:n], number, c.rows, c.numbers)
		rows = rows[n:]
		if len(c.rows) == pendingRows {
			c.flush(in)
		}
	}
}

// addGroup accumulates rows of one group.
func (c *cuboid) addGroup(in *input, rows []int32, number uint32) {
	if len(in.accs.Specs) == 0 {
		return
	}
	for len(rows) > 0 {
		n := min(len(rows), pendingRows-len(c.rows))
		c.rows = append(c.rows, rows[:n]...)
		for range n {
			c.numbers = append(c.numbers, number)
		}
		rows = rows[n:]
		if len(c.rows) == pendingRows {
			c.flush(in)
		}
	}
}

// flush accumulates the pending rows.
func (c *cuboid) flush(in *input) {
	if len(c.rows) == 0 {
		return
	}
	c.groups.Reserve(c.n)
	for i := range in.args {
		if in.keeps[i] == nothing {
			continue
		}
		c.picked[i] = in.args[i].Pick(c.rows, &c.bufs[i])
	}
	c.groups.AddNumbered(c.numbers, c.picked)
	c.rows, c.numbers = c.rows[:0], c.numbers[:0]
}

// finish ends the adding of rows.
func (c *cuboid) finish(in *input) {
	if c.groups == nil {
		return
	}
	c.flush(in)
	c.groups.Reserve(c.n)
	c.groups.Finalize()
}

// block makes a block of the result of groups lo … hi−1.
func (c *cuboid) block(in *input, lo, hi int) runtime.Block {
	list := vector.Upwards(make([]uint32, hi-lo), uint32(lo))
	b := runtime.Block{Rows: hi - lo, Cols: make([]*runtime.Chunk, len(in.types))}
	for i, id := range in.plan.in.Keys {
		b.Cols[i] = absent(in.run.Kernel.Values[id].Type, hi-lo)
	}
	for i, key := range c.keys {
		b.Cols[key] = in.dims[key].decode(c.codes[i][lo:hi])
	}
	sqlstate.Check(in.run.Mem.Grow(exec.BlockBytes(&runtime.Block{Rows: b.Rows, Cols: b.Cols[:len(in.plan.in.Keys)]})))
	var accs runtime.Block
	if c.groups != nil {
		accs = in.accs.Columns(c.groups, list)
	}
	at := len(in.plan.in.Keys)
	for i, from := range in.counts {
		if from < 0 {
			b.Cols[at] = vector.NarrowGather(kernel.I64, c.counts, list, nil, 0, nil)
			sqlstate.Check(in.run.Mem.Grow(vector.StoredBytes(b.Cols[at], b.Rows)))
			at++
			continue
		}
		at += copy(b.Cols[at:], accs.Cols[from:from+len(in.plan.in.Accs[i].Dst)])
	}
	return b
}
