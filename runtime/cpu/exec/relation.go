package exec

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// relation is what the sinks that give rows make: blocks in memory. It is a
// runtime.Relation and a runtime.Output.
type relation struct {
	runtime.Relation
	charge *Charge
}

// NewRelation makes the result of a sink. Its blocks have been charged to r.mem
// with blockBytes each.
func NewRelation(r *Run, types []kernel.Type, blocks []runtime.Block) Result {
	rel := &relation{Relation: runtime.NewBlocks(types, blocks)}
	var bytes int64
	for i := range blocks {
		bytes += BlockBytes(&blocks[i])
	}
	rel.charge = r.Mem.HandOver(bytes, r.WithinOutput())
	return Result{Out: rel, Rows: rel.Rows(), Bytes: bytes}
}

// WithinOutput are the arrays of the run where they are there as long as its output is, nil elsewhere.
func (r *Run) WithinOutput() *spare.Arrays {
	if r.Opts.Intermediate {
		return r.Mem.Arrays
	}
	return nil
}

// Life is how long the output is read.
func (r *Run) Life() vector.Lifetime {
	if r.WithinOutput() != nil {
		return vector.Within
	}
	return vector.Lasting
}

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
