package tests

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

var updateDecisions = flag.Bool("update-decisions", false, "record the decisions of testdata/decisions")

// explained are the queries whose decisions and launch plans are looked at: SSB Q2.1,
// TPC-H Q1, Q10, Q13 and Q18, and a cube, over so little that an emulated device runs them.
func explained() []benchmark {
	cube := workload.Cube{Name: "cells", Rows: 2000, Dims: 3, Card: 5}
	const scale = 0.002
	all := []benchmark{
		{"ssb", workload.SSB{SF: 0.01}, workload.SSBQueries()},
		{"tpch", tpch.Data{SF: scale}, tpch.Queries(scale)},
		{"cube", cube, cube.Queries()},
	}
	wanted := []string{"Q2.1", "Q1", "Q10", "Q13", "Q18", "cube3"}
	for i := range all {
		all[i].queries = slices.DeleteFunc(all[i].queries, func(q workload.Query) bool { return !slices.Contains(wanted, q.Name) })
	}
	return all
}

// TestDecisions holds what EXPLAIN (FUSION) says of every edge, sink and placement of the
// queries: what applied and what it would cost, why the rest does not apply, and why one
// was taken; on the CPU, and on a device that computes nothing.
func TestDecisions(t *testing.T) {
	for _, b := range explained() {
		db := openNullEngine(t)
		db.load(t, b.set)
		for _, where := range []string{"cpu", "cuda"} {
			for _, set := range []string{"SET threads = 2", "SET device = " + where} {
				if _, err := db.Query(context.Background(), set); err != nil {
					t.Fatal(err)
				}
			}
			for _, q := range b.queries {
				checkDecided(t, db, q)
				checkDecisionsFile(t, b.name+"-"+strings.ToLower(q.Name)+"-"+where, decisionTexts(t, db, q))
			}
		}
	}
}

// openNullEngine opens a database on a device that computes nothing.
func openNullEngine(t *testing.T) *engine {
	t.Helper()
	db := openDatabase(t, cubeloom.Options{Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return &device.Null{}, nil }})
	return &engine{db, db.Session()}
}

// checkDecided holds that a decision on every group's sink and one on its place was made,
// between offers that cost something or are refused with a reason. A group that only
// unites parts has no sink.
func checkDecided(t *testing.T, db *engine, q workload.Query) {
	t.Helper()
	e := explainedProgram(t, db, q)
	decided, placed := make(map[int]bool), make(map[int]bool)
	for _, d := range e.Decisions {
		decided[d.Operator] = decided[d.Operator] || d.Of != "placement" && d.Taken() != nil && d.Reason != ""
		for _, g := range append([]int{d.Group}, d.With...) {
			placed[g] = placed[g] || d.Of == "placement"
		}
		for _, o := range d.Offers {
			if o.Refusal == "" && o.Cost <= 0 {
				t.Errorf("%s: %s of group %d: %s costs nothing", q.Name, d.Of, d.Group, o.Strategy)
			}
		}
	}
	for _, g := range e.Groups {
		last := g.Operators[len(g.Operators)-1]
		if last.Name != "union" && !(decided[last.ID] && placed[g.Group]) {
			t.Errorf("%s: nothing is said of how group %d ends with %s, or of where it runs", q.Name, g.Group, last.Name)
		}
	}
	for _, edge := range e.Edges {
		if edge.Taken() == nil || edge.Reason == "" || len(edge.Offers) != 2 {
			t.Errorf("%s: nothing is said of the edge from %s to %s", q.Name, edge.FromName, edge.ToName)
		}
	}
}

// decisionTexts is what EXPLAIN (FUSION) says of decisions.
func decisionTexts(t *testing.T, db *engine, q workload.Query) string {
	t.Helper()
	r, err := db.Query(context.Background(), "EXPLAIN (FUSION, COSTS OFF) "+q.SQL)
	if err != nil {
		t.Fatalf("%s: %v", q.Name, err)
	}
	var b strings.Builder
	isShown := false
	for _, row := range r.Rows {
		line := row[0].Text
		isShown = isShown && !strings.HasPrefix(line, "planned, ") || line == "decisions"
		if isShown {
			b.WriteString(line + "\n")
		}
	}
	return strings.TrimSpace(b.String()) + "\n"
}

func checkDecisionsFile(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "decisions", name+".txt")
	if *updateDecisions {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: the decisions are\n%s\nand not those of the file (see -update-decisions)", name, got)
	}
}
