package cpu

import "github.com/cubeloom/cubeloom/runtime"

// finishDense merges the parts range by range and returns the cells that have
// rows.
func (a *aggregate) finishDense(parts []*groups) ([]runtime.Block, error) {
	all := parts[0]
	for _, part := range parts[1:] {
		if err := all.combine(part); err != nil {
			return nil, err
		}
	}
	step := runtime.BlockRows
	if a.mergesOnce() {
		step = a.dense.cells
	}
	tasks := (a.dense.cells + step - 1) / step
	blocks := make([]runtime.Block, tasks)
	err := a.run.each(tasks, func(task int) error {
		lo := task * step
		list := identityGroups(min(step, a.dense.cells-lo))
		for i := range list {
			list[i] += uint32(lo)
		}
		for _, part := range parts[1:] {
			if err := a.mergeCells(all, part, list); err != nil {
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
	return withRows(blocks), err
}

// mergeCells merges the listed cells of a part.
func (a *aggregate) mergeCells(all, part *groups, list []uint32) error {
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
