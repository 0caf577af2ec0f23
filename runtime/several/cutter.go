package several

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Cuts are between blocks, unless the next such place is further away than a part of a
// share, and then at multiples of rows that leave bitmaps whole.
const (
	cutPart = 16
	cutRows = 64
)

// cutter finds where the rows of a relation are cut.
type cutter struct {
	rel     runtime.Relation
	starts  []int64 // the first row of each block, and the number of rows
	columns []int   // by which its rows may be in order
	block   runtime.Block
	loaded  int // which block that is, plus one; 0: none
}

// newCut finds where the rows of a relation, which may be in the order of some columns, are cut for n devices: of the
// places that are near enough where the values of the most of these change.
func newCut(rel runtime.Relation, n int, columns []int) *cut {
	c := &cutter{rel: rel, starts: sqlstate.Must(runtime.BlockStarts(rel)), columns: columns}
	rows := c.starts[len(c.starts)-1]
	share := rows / int64(n)
	made := &cut{starts: c.starts, at: []int64{0}, apart: columns}
	for i := 1; i < n; i++ {
		at := c.near(share*int64(i), share/cutPart)
		made.at, made.apart = append(made.at, at), c.apart(at, made.apart)
	}
	made.at = append(made.at, rows)
	return made
}

// near finds where to cut no further away from a row than that, unless there is no such place.
func (c *cutter) near(at, far int64) int64 {
	places := c.places(at, far)
	best, most := places[0], -1
	for _, place := range places {
		if n := len(c.apart(place, c.columns)); n > most {
			best, most = place, n
		}
		if most == len(c.columns) {
			break
		}
	}
	return best
}

// places are where to cut near a row: between blocks and then within one, each from the nearest on.
func (c *cutter) places(at, far int64) []int64 {
	first, _ := slices.BinarySearch(c.starts, at-far)
	end, _ := slices.BinarySearch(c.starts, at+far+1)
	between := slices.Clone(c.starts[first:end])
	k, found := slices.BinarySearch(c.starts, at)
	if !found {
		k--
	}
	from := at - (at-c.starts[k])%cutRows
	within := []int64{from}
	for d := int64(cutRows); d <= far; d += cutRows {
		if from-d > c.starts[k] {
			within = append(within, from-d)
		}
		if k+1 < len(c.starts) && from+d < c.starts[k+1] {
			within = append(within, from+d)
		}
	}
	slices.SortStableFunc(between, func(x, y int64) int { return cmp.Compare(max(x-at, at-x), max(y-at, at-y)) })
	return append(between, within...)
}

// apart are those of some columns, in whose order blocks are, of which no value is before and behind a cut.
func (c *cutter) apart(at int64, of []int) (apart []int) {
	k, between := slices.BinarySearch(c.starts, at)
	if at == 0 || at == c.starts[len(c.starts)-1] {
		return of
	}
	for _, o := range of {
		if between && c.isBetween(k, o) || !between && changes(c.column(k-1, o), int(at-c.starts[k-1])) {
			apart = append(apart, o)
		}
	}
	return apart
}

// column is a column of a block.
func (c *cutter) column(block, ordinal int) *runtime.Chunk {
	if c.loaded != block+1 {
		c.block, c.loaded = sqlstate.Must(c.rel.Load(block, c.columns)), block+1
	}
	return c.block.Cols[ordinal]
}

// isBetween reports whether all values of block k of a column are greater than those of the one before.
func (c *cutter) isBetween(k, ordinal int) bool {
	_, last, _, _ := c.rel.Range(k-1, ordinal)
	next, _, _, _ := c.rel.Range(k, ordinal)
	return last < next
}

// changes reports whether a column is in order, and row i of it has a greater value than the one before.
func changes(c *runtime.Chunk, i int) bool {
	return c.Order != runtime.Unordered && c.Int(i-1) < c.Int(i)
}

// ascending are the columns of integers without NULLs of which no block has less than the one before, and that are not
// the same in all rows.
func ascending(rel runtime.Relation) (columns []int) {
	for o, t := range rel.Types() {
		if (t == kernel.I32 || t == kernel.I64) && isAscending(rel, o) {
			columns = append(columns, o)
		}
	}
	return columns
}

func isAscending(rel runtime.Relation, ordinal int) bool {
	var first, last int64
	for i := range rel.Blocks() {
		lo, hi, all, ok := rel.Range(i, ordinal)
		switch {
		case !ok || !all || i > 0 && lo < last:
			return false
		case i == 0:
			first = lo
		}
		last = hi
	}
	return first < last
}
