package tests

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/fusion"
)

// TestTakenOnADevice holds that EXPLAIN ANALYZE names, for every group that a device
// aggregates or sorts, the way that its launch plan took.
func TestTakenOnADevice(t *testing.T) {
	for _, b := range explained() {
		db := openNullEngine(t)
		db.load(t, b.set)
		mustRun(t, db, "SET device = cuda")
		for _, strategy := range []string{"auto", "shared", "block"} {
			mustRun(t, db, "SET aggregate_strategy = "+strategy)
			for _, q := range b.queries {
				checkTaken(t, q, strategy, analyzed(t, db, q.SQL))
			}
		}
	}
}

// checkTaken holds that the ways are named, and that the strategy is taken that is forced.
func checkTaken(t *testing.T, q workload.Query, strategy string, e fusion.Explanation) {
	t.Helper()
	for _, d := range e.Decisions {
		g := &e.Groups[d.Group]
		taken := ""
		if g.Measured != nil { // of a union, which is no kernel, nothing is measured
			taken = g.Measured.Taken
		}
		switch d.Of {
		case "aggregate on the device":
			name, _, _ := strings.Cut(taken, ":")
			if !slices.Contains(aggregate.Names(), name) || strategy != "auto" && name != strategy {
				t.Errorf("%s by %s: group %d took %q", q.Name, strategy, d.Group, taken)
			}
		case "aggregate of all rows on the device":
			if taken != "single" {
				t.Errorf("%s: group %d took %q", q.Name, d.Group, taken)
			}
		case "sort on the device":
			if !strings.HasPrefix(taken, "rows ") && !strings.HasPrefix(taken, "groups read") {
				t.Errorf("%s: group %d took %q", q.Name, d.Group, taken)
			}
		}
	}
}

// TestStrategiesThatADeviceLacks has the CPU do what is forced and no device can do, and
// say so.
func TestStrategiesThatADeviceLacks(t *testing.T) {
	db := openNullEngine(t)
	for _, sql := range []string{"CREATE TABLE t (a integer, b integer)", "INSERT INTO t VALUES (3, 1), (1, 1), (2, 2)", "SET device = cuda"} {
		mustRun(t, db, sql)
	}
	for _, c := range []struct{ setting, query, why string }{
		{"sort_strategy = top", "SELECT a FROM t ORDER BY a LIMIT 20000", "top: 20000 rows after 0 are wanted, where up to 12288 in all are kept"},
		{"distinct_strategy = set", "SELECT sum(DISTINCT a) FROM t", "set: values are not only counted"},
		{"distinct_strategy = set", "SELECT count(DISTINCT a * 1000) FROM t", "set: not all values are integers within a small range"},
	} {
		if e := analyzed(t, db, c.query); e.Groups[0].Measured.Backend != "cuda" {
			t.Errorf("%s: without force it runs on %s: %s", c.query, e.Groups[0].Measured.Backend, e.Groups[0].RunsOn)
		}
		mustRun(t, db, "SET "+c.setting)
		e := analyzed(t, db, c.query)
		if g := e.Groups[0]; g.Measured.Backend != "cpu" || !strings.Contains(g.RunsOn, c.why) {
			t.Errorf("%s with %s runs on %s: %s", c.query, c.setting, g.Measured.Backend, g.RunsOn)
		}
		setting, _, _ := strings.Cut(c.setting, " ")
		mustRun(t, db, "RESET "+setting)
	}
}

func mustRun(t *testing.T, db *engine, sql string) {
	t.Helper()
	if _, err := db.Query(context.Background(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// analyzed is what EXPLAIN ANALYZE shows of how a query was woven and run.
func analyzed(t *testing.T, db *engine, sql string) fusion.Explanation {
	t.Helper()
	return explainJSON(t, db, "EXPLAIN (ANALYZE, FORMAT JSON) "+sql).Program
}
