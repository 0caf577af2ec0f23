package group

import (
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Block makes a block of the result: keys are the key columns, nil for those
// that an accumulator keeps.
func (a *Grouping) Block(g *Groups, list []uint32, keys []*runtime.Chunk) (runtime.Block, error) {
	cols := make([][]*runtime.Chunk, len(g.accs))
	for i, acc := range g.accs {
		var err error
		if cols[i], err = acc.Chunks(list); err != nil {
			return runtime.Block{}, err
		}
	}
	b := runtime.Block{Rows: len(list)}
	for i, c := range keys {
		if s := a.shown[i]; s >= 0 {
			c = cols[s][0]
		}
		b.Cols = append(b.Cols, c)
	}
	for _, s := range a.results {
		b.Cols = append(b.Cols, cols[s]...)
	}
	return b, a.Run.Mem.Grow(exec.BlockBytes(&b))
}

// TableBlock makes a block of the groups lo … hi−1 of a table.
func (a *Grouping) TableBlock(g *Groups, lo, hi int) (runtime.Block, error) {
	list := make([]uint32, hi-lo)
	for i := range list {
		list[i] = uint32(lo + i)
	}
	var k keytable.Batch
	g.Table.Get(list, &k)
	return a.Block(g, list, a.Layout.Decode(&k, g.Dicts))
}

// MergeTable merges the listed groups of a part into all.
func (a *Grouping) MergeTable(all, part *Groups, list []uint32) error {
	if err := all.Combine(part); err != nil {
		return err
	}
	to := make([]uint32, len(list))
	for lo := 0; lo < len(list); lo += vector.DefaultRows {
		hi := min(lo+vector.DefaultRows, len(list))
		part.Table.Get(list[lo:hi], &all.Batch)
		if err := all.Table.Assign(&all.Batch, to[lo:hi]); err != nil {
			return err
		}
	}
	if err := all.Reserve(all.Table.Len()); err != nil {
		return err
	}
	return all.Merge(part, list, to)
}
