package store

import (
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// numbered is a table with one column more.
type numbered struct {
	*Table
	positions func() []*runtime.Chunk // by block
}

// Numbered is the table with one more column behind its own: the positions of
// the rows from 0, of type bigint. They are what Picks name rows by.
func (t *Table) Numbered() runtime.Relation {
	return &numbered{Table: t, positions: sync.OnceValue(t.rowPositions)}
}

// rowPositions makes the column of positions.
func (t *Table) rowPositions() []*runtime.Chunk {
	chunks := make([]*runtime.Chunk, len(t.blocks))
	var first int64
	for i, b := range t.blocks {
		chunks[i] = &runtime.Chunk{
			Type: kernel.I64, Enc: runtime.EncU32, Rows: b.rows, Base: first, U32: counting()[:b.rows],
			HasRange: true, Min: first, Max: first + int64(b.rows) - 1,
		}
		first += int64(b.rows)
	}
	return chunks
}

// counting is 0, 1, …, for as many rows as a block can have.
var counting = sync.OnceValue(func() []uint32 {
	return lists.Upto[uint32](runtime.BlockRows)
})

// Types implements runtime.Relation.
func (n *numbered) Types() []kernel.Type { return append(n.Table.Types(), kernel.I64) }

// Load implements runtime.Relation.
func (n *numbered) Load(i int, ordinals []int) (runtime.Block, error) {
	own := make([]int, 0, len(ordinals))
	for _, o := range ordinals {
		if o < len(n.cols) {
			own = append(own, o)
		}
	}
	b, err := n.Table.Load(i, own)
	if err != nil {
		return b, err
	}
	b.Cols = append(b.Cols[:len(b.Cols):len(b.Cols)], n.positions()[i])
	return b, nil
}

// Range implements runtime.Relation.
func (n *numbered) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	if ordinal < len(n.cols) {
		return n.Table.Range(i, ordinal)
	}
	c := n.positions()[i]
	return c.Min, c.Max, true, true
}
