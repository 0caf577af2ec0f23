package cpu

import "github.com/cubeloom/cubeloom/runtime"

// finishPartitioned aggregates partition by partition: what workers had in tables
// before they began to partition, and the rows of their runs.
func (a *aggregate) finishPartitioned(parts []*groups) ([]runtime.Block, error) {
	split := make([]keyPartitions, len(parts))
	err := a.run.each(len(a.workers), func(i int) error {
		if i < len(parts) && parts[i].table != nil {
			split[i] = partition(parts[i].table, partitionBits)
		}
		if s := a.workers[i].radix; s != nil {
			return s.flush()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	free := make(chan *groups, a.run.threads)
	blocks := make([][]runtime.Block, a.partitions())
	err = a.run.each(len(blocks), func(p int) error {
		g, err := a.takeGroups(free)
		if err != nil {
			return err
		}
		for i, part := range parts {
			if part.table != nil {
				err = a.mergeTable(g, part, split[i].of(p))
			} else {
				err = g.combine(part)
			}
			if err != nil {
				return err
			}
		}
		if err := a.addRuns(g, p); err != nil {
			return err
		}
		if blocks[p], err = a.partitionBlocks(g, p); err != nil {
			return err
		}
		free <- g
		return nil
	})
	var flat []runtime.Block
	for _, b := range blocks {
		flat = append(flat, b...)
	}
	return withRows(flat), err
}

// addRuns adds the rows of partition p of all runs.
func (a *aggregate) addRuns(g *groups, p int) error {
	views := make([]view, len(a.ids))
	for _, aw := range a.workers {
		if aw.radix == nil {
			continue
		}
		for i := range aw.radix.runs {
			run := &aw.radix.runs[i]
			lo, hi := 0, int(run.ends[p])
			if p > 0 {
				lo = int(run.ends[p-1])
			}
			if lo == hi {
				continue
			}
			for c := range run.cols {
				if aw.radix.cols[c].used {
					views[c] = run.cols[c].slice(lo, hi)
				}
			}
			if err := g.addRun(run, lo, hi, views); err != nil {
				return err
			}
		}
	}
	return g.finalize()
}

// addRun adds rows lo … hi−1 of a run.
func (g *groups) addRun(run *radixRun, lo, hi int, views []view) error {
	n := hi - lo
	switch {
	case run.local != nil:
		g.cells.form, g.cells.n, g.cells.off, g.cells.u16 = formU16, n, 0, run.local[lo:hi]
		if g.seen != nil {
			g.seen.mark(&g.cells, len(g.seen.set))
		}
	default:
		g.batch.n, g.batch.miss = n, nil
		g.batch.words = sliceOf(run.words, lo, hi)
		g.batch.pairs = sliceOf(run.pairs, lo, hi)
		if err := g.findBatch(); err != nil {
			return err
		}
	}
	return g.accumulate(n, views)
}
