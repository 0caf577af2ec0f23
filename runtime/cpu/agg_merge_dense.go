package cpu

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime"
)

// denseStrategy gives each worker arrays with a place for every combination of the keys'
// values, and adds them up range by range.
type denseStrategy struct{}

// Name implements aggStrategy.
func (denseStrategy) Name() string { return "dense" }

func (denseStrategy) refuses(a *grouping) string {
	if a.dense == nil {
		return "a key has no known range"
	}
	return ""
}

func (denseStrategy) part(a *grouping) (aggPart, error) { return a.newGroups(a.dense.cells) }

// finish merges the parts range by range and returns the cells that have rows.
func (denseStrategy) finish(a *grouping, list []aggPart) ([]runtime.Block, string, error) {
	taken := fmt.Sprintf("arrays of %d groups for %d workers, merged", a.dense.cells, len(list))
	parts, err := finalized(list)
	if err != nil {
		return nil, "", err
	}
	all := parts[0]
	for _, part := range parts[1:] {
		if err := all.combine(part); err != nil {
			return nil, "", err
		}
	}
	step := runtime.BlockRows
	if a.mergesOnce() {
		step = a.dense.cells
	}
	tasks := (a.dense.cells + step - 1) / step
	blocks := make([]runtime.Block, tasks)
	err = a.run.each(tasks, func(task int) error {
		lo := task * step
		list := identityGroups(min(step, a.dense.cells-lo))
		for i := range list {
			list[i] += uint32(lo)
		}
		for _, part := range parts[1:] {
			if err := mergeCells(all, part, list); err != nil {
				return err
			}
		}
		list = all.present(list)
		if len(list) == 0 {
			return nil
		}
		var err error
		blocks[task], err = a.block(all, list, a.dense.decode(list, all.dicts))
		return err
	})
	return withRows(blocks), taken, err
}

// mergeCells merges the listed cells of a part.
func mergeCells(all, part *groups, list []uint32) error {
	list = part.present(list)
	if all.seen != nil {
		all.seen.merge(part.seen, list, list)
	}
	return all.merge(part, list, list)
}

// withRows drops the blocks that have none.
func withRows(blocks []runtime.Block) []runtime.Block {
	kept := blocks[:0]
	for _, b := range blocks {
		if b.Rows > 0 {
			kept = append(kept, b)
		}
	}
	return kept
}
