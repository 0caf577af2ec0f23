//go:build device

package tests

import (
	"flag"
	"maps"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate"
	"github.com/cubeloom/cubeloom/tests/reference"
)

var (
	thesisShare = flag.Int("thesis.share", 40, "of so many ways to answer the queries of Meinke 2015 on a device one is tried; 1: all")
	thesisSeed  = flag.Int("thesis.seed", 0, "which of them")
)

// TestThesisQueries answers the six queries of Meinke 2015 over a hundred-thousandth of the cells on
// a device: each cell added to each of its targets in global memory, in every form of expansions, with
// every preaggregation and 1, 3 and 64 hash functions. The answers are the CPU's.
func TestThesisQueries(t *testing.T) {
	t.Parallel()
	compared, turn := 0, *thesisSeed
	for _, set := range []workload.OLAP{{Cube: "machines", Cells: 413}, {Cube: "biker", Cells: 2811}} {
		db := openDeviceEngine(t)
		db.load(t, set)
		for _, area := range set.Areas() {
			for _, settings := range thesisWays(len(area.Targets) > 0) {
				if turn++; turn%*thesisShare != 0 {
					continue
				}
				compareThesis(t, db, area.Query(), settings)
				compared++
			}
		}
	}
	t.Logf("%d answers compared", compared)
	if compared == 0 {
		t.Error("no way was tried")
	}
}

// thesisWays are the ways to answer a query: one where nothing is joined.
func thesisWays(joins bool) []map[string]string {
	if !joins {
		return []map[string]string{{"disabled_rules": "push_aggregates"}}
	}
	var all []map[string]string
	for _, form := range expand.Names() {
		for _, preaggregated := range preaggregate.Names() {
			for _, replicas := range []string{"1", "3", "64"} {
				all = append(all, map[string]string{
					"disabled_rules": "push_aggregates", "aggregate_strategy": "shared",
					"expand_strategy": form, "preaggregate_strategy": preaggregated, "group_replicas": replicas,
				})
			}
		}
	}
	return all
}

// compareThesis compares the answer of a device by some settings with the CPU's.
func compareThesis(t *testing.T, db *deviceEngine, q workload.Query, settings map[string]string) {
	t.Helper()
	usual := map[string]string{"device": "cpu"}
	for name := range settings {
		usual[name] = "auto"
	}
	usual["disabled_rules"] = ""
	set(t, &db.engine, usual)
	want, wantErr := answerOf(t, &db.engine, q.SQL)
	set(t, &db.engine, settings)
	set(t, &db.engine, map[string]string{"device": "cuda"})
	got, err := answerOf(t, &db.engine, q.SQL)
	if err != nil || wantErr != nil {
		t.Fatalf("%s by %v: %v, on the CPU %v", q.Name, settings, err, wantErr)
	}
	if err := reference.Compare(got, want, false); err != nil {
		t.Errorf("%s by %v: %v", q.Name, slices.Sorted(maps.Values(settings)), err)
	}
}
