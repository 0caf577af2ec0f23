package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// TestBenchOLAP times the queries of all cubes over few cells. The command compares the
// answers with those without early aggregation and with StOAP's.
func TestBenchOLAP(t *testing.T) {
	for cube, names := range map[string][]string{"biker": {"B1", "B2", "B3"}, "machines": {"M1", "M2", "M3"}, "hubs": {"H1"}} {
		cmd := newBenchOLAP()
		var out strings.Builder
		cmd.SetOut(&out)
		cmd.SetErr(io.Discard)
		cmd.SetArgs([]string{"--cube", cube, "--cells", "2000", "--query", strings.Join(names, ","), "--device", "cpu",
			"--source", "--stoap", "--runs", "1", "--json"})
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		var got olapBench
		if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Queries) != len(names) {
			t.Fatalf("%d queries of %v", len(got.Queries), names)
		}
		for i, q := range got.Queries {
			if q.Name != names[i] || q.Rows == 0 || q.Source == nil || q.StOAP == nil || q.StOAP.Additions < q.Rows {
				t.Errorf("query %s of cube %s: %+v", names[i], cube, q)
			}
		}
	}
}
