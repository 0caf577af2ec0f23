//go:build device

package kernels

import (
	"math/rand/v2"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// sortedTable makes the relation that a probe merges with, of up to twice as many rows
// and one more. The rows that look for theirs come in no order, which is right too.
func sortedTable(f *kernel.Func, p *kernel.Probe, rows int, rnd *rand.Rand) *memoryTable {
	keys := make([]int64, 1+rnd.IntN(2*rows+1))
	for i := range keys {
		keys[i] = randomInt(&f.Values[p.Keys[0].Val], rnd)
	}
	slices.Sort(keys)
	if p.Sorted.Unique {
		keys = slices.Compact(keys)
	}
	m := &memoryTable{rows: int64(len(keys)), types: make([]kernel.Type, 8), sorted: true}
	m.types[p.Sorted.Ordinal] = f.Values[p.Keys[0].Val].Type
	var dict *runtime.Dictionary
	for _, c := range p.Payload {
		v := &f.Values[c.Dst]
		m.types[c.Ordinal] = v.Type
		if v.Type == kernel.Code {
			dict = randomDictionary(v, rnd)
		}
	}
	for left := keys; len(left) > 0; {
		n := min(len(left), 1+rnd.IntN(900))
		block := runtime.Block{Rows: n, Cols: make([]*runtime.Chunk, len(m.types))}
		for _, c := range p.Payload {
			v := &f.Values[c.Dst]
			block.Cols[c.Ordinal] = randomChunk(v, n, rnd)
			if v.Type == kernel.Code {
				block.Cols[c.Ordinal].Dict = dict
			}
		}
		block.Cols[p.Sorted.Ordinal] = store.EncodeInts(m.types[p.Sorted.Ordinal], slices.Clone(left[:n]), nil, 0)
		m.blocks = append(m.blocks, block)
		left = left[n:]
	}
	return m
}
