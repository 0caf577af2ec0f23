package tests

import (
	"context"
	"strings"
	"testing"
)

// TestPhasesOfAggregations holds that EXPLAIN ANALYZE shows the phases of every aggregation by keys,
// with its cells and those that are filled, on the CPU and on a device.
func TestPhasesOfAggregations(t *testing.T) {
	db := openNullEngine(t)
	mustRun(t, db, "CREATE TABLE r AS SELECT (i * 7919 % 500)::integer AS g, (i::bigint * 7919 % 300) * 72057594037 AS s, (i % 97)::integer AS v FROM generate_series(1, 20000) AS x(i)")
	for _, c := range []struct {
		device, query string
		want          []string
	}{
		{"cpu", "SELECT g, sum(v) FROM r GROUP BY g", []string{", 500 cells", ", 500 of 500 cells filled", "FINALIZE: "}},
		{"cpu", "SELECT g, sum(v) FROM r WHERE g < 100 GROUP BY g", []string{" of ", " cells filled", "FINALIZE: "}},
		{"cpu", "SELECT s, sum(v) FROM r GROUP BY s", []string{"INITIALIZE: ", ", 300 groups", "FINALIZE: "}},
		{"cpu", "SELECT g, avg(v) FROM r GROUP BY g HAVING sum(v) > 10", []string{", 500 cells", "woven into group 1"}},
		{"cuda", "SELECT g, sum(v) FROM r GROUP BY g", []string{"INITIALIZE: ", ", 500 cells", "AGGREGATE: ", "FINALIZE: by the last block of AGGREGATE"}},
		{"cuda", "SELECT s, sum(v) FROM r GROUP BY s", []string{"INITIALIZE: ", ", 1024 cells", "AGGREGATE: ", "FINALIZE: by the last block of AGGREGATE"}},
		{"cuda", "SELECT g * 100 + v, sum(v) FROM r GROUP BY g * 100 + v", []string{"INITIALIZE: ", "AGGREGATE: ", "FINALIZE: "}},
		{"cuda", "SELECT g, avg(v) FROM r GROUP BY g HAVING sum(v) > 10", []string{", 500 cells", "woven into group 1"}},
	} {
		mustRun(t, db, "SET device = "+c.device)
		res, err := db.Query(context.Background(), "EXPLAIN (ANALYZE) "+c.query)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, row := range res.Rows {
			b.WriteString(row[0].Text + "\n")
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s on %s does not say %q:\n%s", c.query, c.device, want, b.String())
			}
		}
	}
	mustRun(t, db, "SET device = cpu")
	for _, query := range []string{"SELECT sum(v) FROM r", "SELECT v FROM r ORDER BY v LIMIT 3"} {
		if e := analyzed(t, db, query); e.Groups[0].Measured.Phases != nil {
			t.Errorf("%s has phases of an aggregation by keys", query)
		}
	}
}
