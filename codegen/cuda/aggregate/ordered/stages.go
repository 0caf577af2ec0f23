package ordered

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/cuda"
)

// stage is a step of grouping runs of rows (Saxena et al., code fusion of prefix sum with
// ordered aggregation).
type stage int

// The stages, in their order.
const (
	mask        stage = iota // which rows begin a run, within their tile
	partial                  // how many runs of the tile begin up to each row
	offsets                  // how many runs there are before each tile
	propagation              // to which of all runs each row belongs
	aggregation              // rows are added to their groups
	end
)

// span are the stages of one kernel: from one up to another.
type span struct{ from, to stage }

func (s span) has(x stage) bool { return s.from <= x && x < s.to }

// passes reports whether the kernel goes over the rows of the source.
func (s span) passes() bool { return s.has(mask) || s.has(aggregation) }

// placesTiles reports whether tiles are placed by looking back at those before.
func (s span) placesTiles() bool { return s.has(partial) && s.has(offsets) }

// numbers are how many kernels there may be.
var numbers = []int{1, 2, 3, 5}

// forms are where the list of the stages is cut, by the number of kernels.
var forms = map[int][]span{
	5: {{mask, partial}, {partial, offsets}, {offsets, propagation}, {propagation, aggregation}, {aggregation, end}},
	3: {{mask, propagation}, {propagation, aggregation}, {aggregation, end}},
	2: {{mask, propagation}, {propagation, end}},
	1: {{mask, end}},
}

// carried is what one stage leaves to others of a tile's rows. Where these are in another
// kernel, it is kept in an array.
type carried struct {
	cuda.Arg
	bytes       int // of a row
	ctype       string
	by          stage
	readBy      []stage
	load, store string // code of a tile
}

// All that is carried. A thread's mask is a word, for four rows at least.
var all = []carried{
	{
		cuda.Arg{Kind: "run_begins"}, 1, "u32", mask, []stage{partial, aggregation},
		"const u32 begins = %s[tile / R + threadIdx.x];", "%s[tile / R + threadIdx.x] = begins;",
	},
	{cuda.Arg{Kind: "run_ranks"}, 2, "u16", partial, []stage{propagation}, "load_rows(%s, first, cell);", "store_rows(%s, first, cell);"},
	{cuda.Arg{Kind: "run_cells"}, 4, "u32", propagation, []stage{aggregation}, "load_rows(%s, first, cell);", "store_rows(%s, first, cell);"},
}

// needs reports whether a kernel reads what an earlier one has left.
func (s span) needs(c *carried) bool { return !s.has(c.by) && slices.ContainsFunc(c.readBy, s.has) }

// leaves reports whether a kernel leaves it to a later one.
func (s span) leaves(c *carried) bool {
	return s.has(c.by) && slices.ContainsFunc(c.readBy, func(x stage) bool { return x >= s.to })
}
