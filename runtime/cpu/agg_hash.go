package cpu

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/runtime"
)

// hashStrategy gives each worker a hash table. A table that outgrows the cache takes no
// further rows: they are partitioned.
type hashStrategy struct{}

// Name implements aggStrategy.
func (hashStrategy) Name() string { return "hash" }

func (hashStrategy) refuses(a *grouping) string {
	if a.layout == nil {
		return "the keys are not hashed"
	}
	return ""
}

func (hashStrategy) part(a *grouping) (aggPart, error) {
	g, err := a.newGroups(0)
	return &hashPart{partitionedPart: partitionedPart{groups: g}, plan: a, limit: groupLimit(a)}, err
}

// groupLimit is how many groups a worker's table has, before rows are partitioned.
func groupLimit(a *grouping) int {
	return max(caches().SparseGroups, caches().TableBytes/(wordGroupBytes+a.width()))
}

// wordGroupBytes is what a group takes in the table of keys of one word.
const wordGroupBytes = 4*4 + 8

// hashPart is one worker's table, and the rows that came after it was full.
type hashPart struct {
	partitionedPart
	plan  *grouping
	rows  int // that the table has had
	limit int
}

func (p *hashPart) add(n int, views []view) error {
	if p.radix != nil {
		return p.partitionedPart.add(n, views)
	}
	if err := p.groups.add(n, views); err != nil {
		return err
	}
	p.rows += n
	if p.outgrown() {
		p.radix = newRadixPartitions(p.plan)
	}
	return nil
}

// outgrown reports whether the worker's table has so many groups that further rows
// are better partitioned, or is going to have: keys drawn at random from as many
// as it may have are n different ones after −limit·ln(1−n/limit) rows, and fewer
// rows mean more keys.
func (p *hashPart) outgrown() bool {
	if p.groups.table.len() <= caches().SparseGroups {
		return false
	}
	n, limit := float64(p.groups.table.len()), float64(p.limit)
	return (n >= limit || float64(p.rows) < -limit*math.Log1p(-n/limit)) && p.plan.unpartitionable() == ""
}

// finish brings the workers' tables together.
func (hashStrategy) finish(a *grouping, list []aggPart) ([]runtime.Block, string, error) {
	parts := make([]*partitionedPart, len(list))
	tables := make([]*groups, len(list))
	total, outgrown := 0, false
	for i, p := range partsAs[*hashPart](list) {
		parts[i], tables[i] = &p.partitionedPart, p.groups
		total += p.groups.table.len()
		outgrown = outgrown || p.radix != nil
	}
	if outgrown {
		blocks, err := finishPartitioned(a, parts)
		return blocks, fmt.Sprintf("hash tables until they outgrew the cache at %d groups a worker, then rows radix-partitioned", groupLimit(a)), err
	}
	for _, g := range tables {
		if err := g.finalize(); err != nil {
			return nil, "", err
		}
	}
	switch {
	case len(tables) > 1 && total > caches().SerialGroups:
		blocks, err := mergePartitions(a, tables, total)
		return blocks, fmt.Sprintf("hash tables of %d workers, merged by partitions", len(tables)), err
	case len(tables) > 1:
		blocks, err := mergeAll(a, tables)
		return blocks, fmt.Sprintf("hash tables of %d workers, merged by one", len(tables)), err
	}
	blocks, err := mergeAll(a, tables)
	return blocks, "one hash table", err
}

// mergeAll merges small tables one after the other.
func mergeAll(a *grouping, parts []*groups) ([]runtime.Block, error) {
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
func mergePartitions(a *grouping, parts []*groups, total int) ([]runtime.Block, error) {
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
	return eachPartition(a, 1<<n, func(all *groups, p int) error {
		for i, part := range parts {
			if err := a.mergeTable(all, part, split[i].of(p)); err != nil {
				return err
			}
		}
		return nil
	})
}
