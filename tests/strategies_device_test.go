//go:build device

package tests

import (
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
)

// TestDeviceForcedStrategies forces each strategy of aggregations on a device for some
// queries of the benchmarks: where it applies the answers are the same, else the error
// says what EXPLAIN says.
func TestDeviceForcedStrategies(t *testing.T) {
	t.Parallel()
	var all []forcing
	for _, name := range aggregate.Names() {
		if name != "wide" { // the cells of these queries have slots in a block of the usual size: see tests/kernels
			all = append(all, forcing{"aggregate_strategy", "aggregate on the device", name})
		}
	}
	applied := map[forcing]int{}
	for _, b := range []benchmark{
		{"ssb", workload.SSB{SF: 0.01}, workload.SSBQueries()},
		{"cube", workload.Cube{Name: "cells", Rows: 2000, Dims: 3, Card: 5}, workload.Cube{Name: "cells", Rows: 2000, Dims: 3, Card: 5}.Queries()},
	} {
		db := openDeviceEngine(t)
		db.load(t, b.set)
		queries := slices.DeleteFunc(slices.Clone(b.queries), func(q workload.Query) bool {
			return b.name == "ssb" && !slices.Contains([]string{"Q2.1", "Q4.3"}, q.Name)
		})
		if len(queries) == 0 {
			t.Fatalf("%s has no queries", b.name)
		}
		force(t, &db.engine, queries, all, applied)
	}
	checkApplied(t, all, applied)
}
