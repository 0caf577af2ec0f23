package aggregate

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// cells are groups that stay where they have been accumulated: a runtime.Decoded, whose blocks
// are made of the cells when they are loaded, as far as columns are asked for.
type cells struct {
	types  []kernel.Type
	pieces []group.Piece
	rows   int64
	charge *exec.Charge
}

// inCells leaves groups in their cells, and what the run holds with them.
func inCells(a *group.Grouping, pieces []group.Piece) exec.Result {
	c := &cells{types: a.ResultTypes(), pieces: pieces}
	for i := range pieces {
		c.rows += int64(pieces[i].Rows)
	}
	c.charge = a.Run.Mem.HandOverAll()
	return exec.Result{Out: c, Rows: c.rows}
}

// Types implements runtime.Relation.
func (c *cells) Types() []kernel.Type { return c.types }

// Blocks implements runtime.Relation.
func (c *cells) Blocks() int { return len(c.pieces) }

// Load implements runtime.Relation.
func (c *cells) Load(i int, ordinals []int) (runtime.Block, error) {
	return sqlstate.Try(func() runtime.Block {
		return c.pieces[i].Load(func(o int) bool { return slices.Contains(ordinals, o) })
	})
}

// LoadBytes implements runtime.Decoded.
func (c *cells) LoadBytes(i int, ordinals []int) int64 {
	return int64(c.pieces[i].Rows) * valueBytes * int64(len(ordinals))
}

// valueBytes is what a value of a loaded column takes, but for wide ones.
const valueBytes = 8

// Range implements runtime.Relation: bounds are not known before columns are made.
func (c *cells) Range(int, int) (lo, hi int64, all, ok bool) { return 0, 0, false, false }

// Rows implements runtime.Relation.
func (c *cells) Rows() int64 { return c.rows }

// Release implements runtime.Output.
func (c *cells) Release() { c.charge.Release() }
