package cpu

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime"
)

// partitionedStrategy divides rows into radix partitions of their keys from the start, and
// aggregates one partition after the other, whose groups fit the cache.
type partitionedStrategy struct{}

// Name implements aggStrategy.
func (partitionedStrategy) Name() string { return "partitioned" }

func (partitionedStrategy) refuses(a *grouping) string {
	if why := a.unpartitionable(); why != "" {
		return why
	}
	switch {
	case a.keepsRows():
		return ""
	case a.dense == nil:
		return "that the groups outgrow the cache shows when rows come"
	case a.dense.cells*a.width() <= caches().DenseBytes:
		return "the arrays of groups fit the cache"
	}
	return ""
}

func (partitionedStrategy) part(a *grouping) (aggPart, error) {
	g, err := a.newGroups(0)
	return &partitionedPart{groups: g, radix: newRadixPartitions(a)}, err
}

func (partitionedStrategy) finish(a *grouping, list []aggPart) ([]runtime.Block, string, error) {
	taken := "rows radix-partitioned, hash tables filled by partition"
	if a.dense != nil {
		taken = fmt.Sprintf("rows radix-partitioned, an array of %d groups filled by partition", a.dense.cells)
	}
	blocks, err := finishPartitioned(a, partsAs[*partitionedPart](list))
	return blocks, taken, err
}

// partitionedPart is one worker's part: its rows, and the groups that rows were put to
// before.
type partitionedPart struct {
	groups *groups
	radix  *radixPartitions // nil: none yet
}

func (p *partitionedPart) add(n int, views []view) error { return p.radix.add(p.groups, n, views) }

// takeGroups returns an empty set of groups for a partition.
func takeGroups(a *grouping, free chan *groups) (*groups, error) {
	select {
	case g := <-free:
		g.reset()
		return g, nil
	default:
	}
	if a.dense != nil {
		return a.newGroups(min(a.dense.cells, 1<<a.dense.shift()))
	}
	return a.newGroups(0)
}

// partitionBlocks writes the groups of partition p.
func partitionBlocks(a *grouping, g *groups, p int) ([]runtime.Block, error) {
	if a.dense == nil {
		var blocks []runtime.Block
		for lo := 0; lo < g.table.len(); lo += runtime.BlockRows {
			block, err := a.tableBlock(g, lo, min(lo+runtime.BlockRows, g.table.len()))
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, block)
		}
		return blocks, nil
	}
	list := g.present(identityGroups(g.n))
	if len(list) == 0 {
		return nil, nil
	}
	first := uint32(p) << a.dense.shift()
	cells := make([]uint32, len(list))
	for i, c := range list {
		cells[i] = first + c
	}
	block, err := a.block(g, list, a.dense.decode(cells, g.dicts))
	return []runtime.Block{block}, err
}

// partitions is how many partitions rows are divided into.
func partitions(a *grouping) int {
	if a.dense != nil {
		return (a.dense.cells-1)>>a.dense.shift() + 1
	}
	return 1 << partitionBits
}
