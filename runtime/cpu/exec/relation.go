package exec

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// relation is what the sinks that give rows make: blocks in memory. It is a
// runtime.Relation and a runtime.Output.
type relation struct {
	types  []kernel.Type
	blocks []runtime.Block
	rows   int64
	charge *Charge
}

// NewRelation makes the result of a sink. Its blocks have been charged to r.mem
// with blockBytes each.
func NewRelation(r *Run, types []kernel.Type, blocks []runtime.Block) Result {
	rel := &relation{types: types, blocks: blocks}
	var bytes int64
	for i := range blocks {
		rel.rows += int64(blocks[i].Rows)
		bytes += BlockBytes(&blocks[i])
	}
	rel.charge = r.Mem.HandOver(bytes)
	return Result{Out: rel, Rows: rel.rows, Bytes: bytes}
}

// Types implements runtime.Relation.
func (rel *relation) Types() []kernel.Type { return rel.types }

// Blocks implements runtime.Relation.
func (rel *relation) Blocks() int { return len(rel.blocks) }

// Load implements runtime.Relation.
func (rel *relation) Load(i int, _ []int) (runtime.Block, error) { return rel.blocks[i], nil }

// Range implements runtime.Relation.
func (rel *relation) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	c := rel.blocks[i].Cols[ordinal]
	return c.Min, c.Max, c.Nulls == 0, c.HasRange
}

// Rows implements runtime.Relation.
func (rel *relation) Rows() int64 { return rel.rows }

// Release implements runtime.Output.
func (rel *relation) Release() { rel.charge.Release() }

// BlockBytes is the memory of a block's columns.
func BlockBytes(b *runtime.Block) int64 {
	var n int64
	for _, c := range b.Cols {
		n += vector.StoredBytes(c, c.Rows)
	}
	return n
}

// ShareDictionaries has the chunks of each column of codes refer to the longest of
// their dictionaries, which are snapshots of one.
func ShareDictionaries(blocks []runtime.Block) {
	if len(blocks) == 0 {
		return
	}
	for col, c := range blocks[0].Cols {
		if c.Type != kernel.Code {
			continue
		}
		var dict *runtime.Dictionary
		for i := range blocks {
			dict = vector.Longer(dict, blocks[i].Cols[col].Dict)
		}
		for i := range blocks {
			blocks[i].Cols[col].Dict = dict
		}
	}
}
