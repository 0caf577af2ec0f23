// Package partitioned divides rows by their keys and aggregates one partition after the
// other.
package partitioned

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// Strategy divides rows into radix partitions of their keys from the start, and
// aggregates one partition after the other, whose groups fit the cache.
type Strategy struct{}

// Name implements group.Strategy.
func (Strategy) Name() string { return "partitioned" }

func (Strategy) Refuses(a *group.Grouping) string {
	if !a.In.Partitioned {
		return "the plan does not divide rows"
	}
	return a.Unpartitionable()
}

func (Strategy) Part(a *group.Grouping, _ *exec.Worker) group.Part {
	return &Part{Groups: a.NewGroups(0), Rows: NewRows(a)}
}

func (Strategy) Finish(a *group.Grouping, list []group.Part) ([]group.Piece, string) {
	taken := "rows radix-partitioned, hash tables filled by partition"
	if a.Dense != nil {
		taken = fmt.Sprintf("rows radix-partitioned, an array of %d groups filled by partition", a.Dense.Cells)
	}
	return Finish(a, group.PartsAs[*Part](list)), taken
}
