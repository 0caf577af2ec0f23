package cpu

import (
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
)

// finishHash brings the workers' tables together.
func (a *aggregate) finishHash(parts []*groups) ([]runtime.Block, error) {
	total := 0
	for _, part := range parts {
		total += part.table.len()
	}
	if len(parts) > 1 && total > caches().SerialGroups {
		return a.mergePartitions(parts, total)
	}
	all := parts[0]
	for _, part := range parts[1:] {
		if err := a.mergeTable(all, part, identityGroups(part.table.len())); err != nil {
			return nil, err
		}
	}
	step := runtime.BlockRows
	blocks := make([]runtime.Block, (all.table.len()+step-1)/step)
	err := a.run.each(len(blocks), func(task int) error {
		lo := task * step
		var err error
		blocks[task], err = a.tableBlock(all, lo, min(lo+step, all.table.len()))
		return err
	})
	return blocks, err
}

// mergePartitions merges large tables, of total groups, partition by partition.
func (a *aggregate) mergePartitions(parts []*groups, total int) ([]runtime.Block, error) {
	n := min(uint(bits.Len(uint(total/caches().MergedGroups))), partitionBits)
	if a.mergesOnce() {
		n = 1
	}
	split := make([]keyPartitions, len(parts))
	err := a.run.each(len(parts), func(i int) error {
		split[i] = partition(parts[i].table, n)
		return nil
	})
	if err != nil {
		return nil, err
	}
	free := make(chan *groups, a.run.threads)
	blocks := make([][]runtime.Block, 1<<n)
	err = a.run.each(len(blocks), func(p int) error {
		all, err := a.takeGroups(free)
		if err != nil {
			return err
		}
		for i, part := range parts {
			if err := a.mergeTable(all, part, split[i].of(p)); err != nil {
				return err
			}
		}
		if blocks[p], err = a.partitionBlocks(all, p); err != nil {
			return err
		}
		free <- all
		return nil
	})
	return slices.Concat(blocks...), err
}
