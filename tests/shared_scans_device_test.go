//go:build device

package tests

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// TestDeviceSharedScans has results of one scan written on the device, with the rows of their branches packed or not,
// and compares them with what the CPU gives.
func TestDeviceSharedScans(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(*cubeSeed, 33))
	db := openDeviceEngine(t)
	mustQuery(t, &db.engine, "SET device = cpu")
	for _, sql := range cubeTable(rng, 5000, false) {
		mustQuery(t, &db.engine, sql)
	}
	queries := make([]string, 24)
	for i := range queries {
		queries[i] = branchQuery(rng, false)
	}
	took := make(map[string]int)
	for _, sql := range device.Some(t.Name(), queries, 4) {
		mustQuery(t, &db.engine, "SET device = cpu")
		want, failure := db.Query(ctx, sql)
		mustQuery(t, &db.engine, "SET device = cuda")
		got, err := db.Query(ctx, sql)
		if err != nil || failure != nil {
			t.Fatalf("%s: %v, %v", sql, err, failure)
		}
		if err := reference.Compare(got, want, false); err != nil {
			t.Errorf("%s\n%v", sql, err)
		}
		for _, d := range explainedDecisions(t, &db.engine, workload.Query{SQL: sql}) {
			if strings.HasPrefix(d.Of, "rows that are left in branch") {
				took[d.Taken().Strategy]++
			}
		}
	}
	db.log(t)
	for _, way := range cuda.PackForms() {
		if took[way] == 0 && device.Share() == 1 {
			t.Errorf("no branch takes %s: %v", way, took)
		}
	}
}
