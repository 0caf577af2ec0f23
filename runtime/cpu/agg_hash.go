package cpu

import (
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
)

// serialGroups is how many groups are merged on one core: beyond, merging in
// parallel pays. mergedGroups is about how many a partition then has.
const (
	serialGroups = 1 << 14
	mergedGroups = 1 << 12
)

// finishHash brings the workers' tables together.
func (a *aggregate) finishHash(parts []*groups) ([]runtime.Block, error) {
	total := 0
	for _, part := range parts {
		total += part.table.len()
	}
	if len(parts) > 1 && total > serialGroups {
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

// tableBlock makes a block of the groups lo … hi−1 of a table.
func (a *aggregate) tableBlock(g *groups, lo, hi int) (runtime.Block, error) {
	list := make([]uint32, hi-lo)
	for i := range list {
		list[i] = uint32(lo + i)
	}
	var k keyBatch
	g.table.get(list, &k)
	return a.block(g, list, a.layout.decode(&k, g.dicts))
}

// mergeTable merges the listed groups of a part into all.
func (a *aggregate) mergeTable(all, part *groups, list []uint32) error {
	if err := all.absorb(part); err != nil {
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

// mergePartitions merges large tables, of total groups, partition by partition.
func (a *aggregate) mergePartitions(parts []*groups, total int) ([]runtime.Block, error) {
	n := min(uint(bits.Len(uint(total/mergedGroups))), partitionBits)
	if a.hasDistinct() {
		n = 1
	}
	split := make([]partitioned, len(parts))
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

// partitioned is the keys of a table, brought into the order of their
// partitions.
type partitioned struct {
	numbers []uint32
	ends    []int
}

// of lists the keys of partition p.
func (s *partitioned) of(p int) []uint32 {
	lo := 0
	if p > 0 {
		lo = s.ends[p-1]
	}
	return s.numbers[lo:s.ends[p]]
}

// partition sorts the keys of a table by their partitions.
func partition(t keyTable, bits uint) partitioned {
	at := make([]int, 1<<bits)
	for n := range t.len() {
		at[partitionOf(t.hash(uint32(n)), bits)]++
	}
	sum := 0
	for p, n := range at {
		at[p] = sum
		sum += n
	}
	s := partitioned{numbers: make([]uint32, t.len()), ends: at}
	for n := range t.len() {
		p := partitionOf(t.hash(uint32(n)), bits)
		s.numbers[at[p]] = uint32(n)
		at[p]++
	}
	return s
}
