// Package dense aggregates into arrays over all combinations of the keys' values.
package dense

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
)

// Strategy gives each worker arrays with a place for every combination of the keys'
// values, and adds them up range by range.
type Strategy struct{}

// Name implements group.Strategy.
func (Strategy) Name() string { return "dense" }

func (Strategy) Refuses(a *group.Grouping) string {
	if a.Dense == nil {
		return "a key has no known range"
	}
	return ""
}

func (Strategy) Part(a *group.Grouping, _ *exec.Worker) group.Part { return a.NewGroups(a.Dense.Cells) }

// Finish merges the parts range by range and returns the cells that have rows.
func (Strategy) Finish(a *group.Grouping, list []group.Part) ([]group.Piece, string) {
	taken := fmt.Sprintf("arrays of %d groups for %d workers, merged", a.Dense.Cells, len(list))
	parts := group.Finalized(list)
	all := parts[0]
	for _, part := range parts[1:] {
		all.Combine(part)
	}
	step := runtime.BlockRows
	if a.MergesOnce() {
		step = a.Dense.Cells
	}
	tasks := (a.Dense.Cells + step - 1) / step
	pieces := make([][]group.Piece, tasks)
	a.Run.Each(tasks, func(task int) {
		lo := task * step
		list := a.Listed(lo, min(lo+step, a.Dense.Cells))
		for _, part := range parts[1:] {
			mergeCells(a, all, part, list)
		}
		list = all.Present(list, list[:0])
		for some := range slices.Chunk(list, runtime.BlockRows) {
			pieces[task] = append(pieces[task], a.Read(all, some, func() []*runtime.Chunk { return a.Dense.Decode(some, all.Dicts, a.Run.WithinOutput()) }))
		}
	})
	return slices.Concat(pieces...), taken
}

// mergeCells merges the listed cells of a part.
func mergeCells(a *group.Grouping, all, part *group.Groups, list []uint32) {
	room := spare.New[uint32](a.Run.Mem.Arrays, len(list))
	defer spare.Release(a.Run.Mem.Arrays, room)
	list = part.Present(list, room[:0])
	if all.Seen != nil {
		all.Seen.Merge(part.Seen, list, list)
	}
	all.Merge(part, list, list)
}
