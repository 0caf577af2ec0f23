// Package single aggregates all rows into one group.
package single

import (
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// Strategy aggregates all rows into one group: there are no keys.
type Strategy struct{}

// Name implements group.Strategy.
func (Strategy) Name() string { return "single" }

func (Strategy) Refuses(a *group.Grouping) string {
	if len(a.Keys) > 0 {
		return "there are keys"
	}
	return ""
}

func (Strategy) Part(a *group.Grouping, _ *exec.Worker) group.Part { return a.NewGroups(1) }

func (Strategy) Finish(a *group.Grouping, list []group.Part) ([]group.Piece, string) {
	parts := group.Finalized(list)
	all, one := parts[0], []uint32{0}
	for _, part := range parts[1:] {
		all.Combine(part)
		all.Merge(part, one, one)
	}
	return []group.Piece{a.ReadAccs(all, one)}, ""
}
