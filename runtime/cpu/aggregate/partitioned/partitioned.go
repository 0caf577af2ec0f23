// Package partitioned divides rows by their keys and aggregates one partition after the
// other.
package partitioned

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Strategy divides rows into radix partitions of their keys from the start, and
// aggregates one partition after the other, whose groups fit the cache.
type Strategy struct{}

// Name implements group.Strategy.
func (Strategy) Name() string { return "partitioned" }

func (Strategy) Refuses(a *group.Grouping) string {
	if why := a.Unpartitionable(); why != "" {
		return why
	}
	switch {
	case a.KeepsRows():
		return ""
	case a.Dense == nil:
		return "that the groups outgrow the cache shows when rows come"
	case a.Dense.Cells*a.Width() <= exec.Caches().DenseBytes:
		return "the arrays of groups fit the cache"
	}
	return ""
}

func (Strategy) Part(a *group.Grouping) (group.Part, error) {
	g, err := a.NewGroups(0)
	return &Part{Groups: g, Rows: NewRows(a)}, err
}

func (Strategy) Finish(a *group.Grouping, list []group.Part) ([]runtime.Block, string, error) {
	taken := "rows radix-partitioned, hash tables filled by partition"
	if a.Dense != nil {
		taken = fmt.Sprintf("rows radix-partitioned, an array of %d groups filled by partition", a.Dense.Cells)
	}
	blocks, err := Finish(a, group.PartsAs[*Part](list))
	return blocks, taken, err
}

// Part is one worker's part: its rows, and the groups that rows were put to
// before.
type Part struct {
	Groups *group.Groups
	Rows   *Rows // nil: none yet
}

func (p *Part) Add(n int, views []vector.View) error { return p.Rows.add(p.Groups, n, views) }

// takeGroups returns an empty set of groups for a partition.
func takeGroups(a *group.Grouping, free chan *group.Groups) (*group.Groups, error) {
	select {
	case g := <-free:
		g.Reset()
		return g, nil
	default:
	}
	if a.Dense != nil {
		return a.NewGroups(min(a.Dense.Cells, 1<<a.Dense.Shift()))
	}
	return a.NewGroups(0)
}

// partitionBlocks writes the groups of partition p.
func partitionBlocks(a *group.Grouping, g *group.Groups, p int) ([]runtime.Block, error) {
	if a.Dense == nil {
		var blocks []runtime.Block
		for lo := 0; lo < g.Table.Len(); lo += runtime.BlockRows {
			block, err := a.TableBlock(g, lo, min(lo+runtime.BlockRows, g.Table.Len()))
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, block)
		}
		return blocks, nil
	}
	list := g.Present(vector.IdentityGroups(g.N))
	if len(list) == 0 {
		return nil, nil
	}
	first := uint32(p) << a.Dense.Shift()
	cells := make([]uint32, len(list))
	for i, c := range list {
		cells[i] = first + c
	}
	block, err := a.Block(g, list, a.Dense.Decode(cells, g.Dicts))
	return []runtime.Block{block}, err
}

// partitions is how many partitions rows are divided into.
func partitions(a *group.Grouping) int {
	if a.Dense != nil {
		return (a.Dense.Cells-1)>>a.Dense.Shift() + 1
	}
	return 1 << keytable.PartitionBits
}
