package cpu

import (
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
)

// finishPartitioned aggregates partition by partition: what workers had in tables
// before they began to partition, and the rows of their runs.
func finishPartitioned(a *grouping, parts []*partitionedPart) ([]runtime.Block, error) {
	split := make([]keyPartitions, len(parts))
	err := a.run.each(len(parts), func(i int) error {
		part := parts[i]
		if err := part.groups.finalize(); err != nil {
			return err
		}
		if part.groups.table != nil {
			split[i] = partition(part.groups.table, partitionBits)
		}
		if part.radix != nil {
			return part.radix.flush()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return eachPartition(a, partitions(a), func(g *groups, p int) error {
		for i, part := range parts {
			if part.groups.table != nil {
				err = a.mergeTable(g, part.groups, split[i].of(p))
			} else {
				err = g.combine(part.groups)
			}
			if err != nil {
				return err
			}
		}
		for _, part := range parts {
			if part.radix == nil {
				continue
			}
			if err := part.radix.addTo(g, p); err != nil {
				return err
			}
		}
		return g.finalize()
	})
}

// eachPartition has fill put the groups of each of n partitions into an empty set of them,
// and returns all of their blocks.
func eachPartition(a *grouping, n int, fill func(g *groups, p int) error) ([]runtime.Block, error) {
	free := make(chan *groups, a.run.threads)
	blocks := make([][]runtime.Block, n)
	err := a.run.each(n, func(p int) error {
		g, err := takeGroups(a, free)
		if err != nil {
			return err
		}
		if err := fill(g, p); err != nil {
			return err
		}
		if blocks[p], err = partitionBlocks(a, g, p); err != nil {
			return err
		}
		free <- g
		return nil
	})
	return slices.Concat(blocks...), err
}

// addTo adds the rows of partition p of all runs to g.
func (s *radixPartitions) addTo(g *groups, p int) error {
	views := make([]view, len(s.cols))
	for i := range s.runs {
		run := &s.runs[i]
		lo, hi := 0, int(run.ends[p])
		if p > 0 {
			lo = int(run.ends[p-1])
		}
		if lo == hi {
			continue
		}
		for c := range run.cols {
			if s.cols[c].used {
				views[c] = run.cols[c].slice(lo, hi)
			}
		}
		if err := run.addTo(g, lo, hi, views); err != nil {
			return err
		}
	}
	return nil
}

// addTo adds rows lo … hi−1 of a run.
func (run *radixRun) addTo(g *groups, lo, hi int, views []view) error {
	if run.local != nil {
		return g.addCells(run.local[lo:hi], views)
	}
	return g.addKeys(hi-lo, sliceOf(run.words, lo, hi), sliceOf(run.pairs, lo, hi), views)
}
