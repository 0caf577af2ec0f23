package cpu

import "github.com/cubeloom/cubeloom/runtime"

// block makes a block of the result: keys are the key columns, nil for those
// that an accumulator keeps.
func (a *grouping) block(g *groups, list []uint32, keys []*runtime.Chunk) (runtime.Block, error) {
	cols := make([][]*runtime.Chunk, len(g.accs))
	for i, acc := range g.accs {
		var err error
		if cols[i], err = acc.chunks(list); err != nil {
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
	return b, a.run.mem.grow(blockBytes(&b))
}

// tableBlock makes a block of the groups lo … hi−1 of a table.
func (a *grouping) tableBlock(g *groups, lo, hi int) (runtime.Block, error) {
	list := make([]uint32, hi-lo)
	for i := range list {
		list[i] = uint32(lo + i)
	}
	var k keyBatch
	g.table.get(list, &k)
	return a.block(g, list, a.layout.decode(&k, g.dicts))
}

// mergeTable merges the listed groups of a part into all.
func (a *grouping) mergeTable(all, part *groups, list []uint32) error {
	if err := all.combine(part); err != nil {
		return err
	}
	to := make([]uint32, len(list))
	for lo := 0; lo < len(list); lo += DefaultVectorRows {
		hi := min(lo+DefaultVectorRows, len(list))
		part.table.get(list[lo:hi], &all.batch)
		if err := all.table.assign(&all.batch, to[lo:hi]); err != nil {
			return err
		}
	}
	if err := all.reserve(all.table.len()); err != nil {
		return err
	}
	return all.merge(part, list, to)
}
