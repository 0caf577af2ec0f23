package tests

import (
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// TestSkewedKeys has rows of skewed keys be added in shared memory first: in that of all blocks those of
// the commonest key wait for each other. The table's sample shows the skew.
func TestSkewedKeys(t *testing.T) {
	for skew, want := range map[float64]bool{0: false, 1: true} {
		db := openNullEngine(t)
		set := workload.Groups{Name: "skewed", Rows: 3_000_000, Groups: 1 << 20, Skew: skew}
		db.load(t, set)
		mustRun(t, db, "SET device = cuda")
		e := explainedProgram(t, db, set.Query())
		for _, d := range e.Decisions {
			if d.Of == "aggregate on the device" && (d.Taken().Strategy != "shared") != want {
				t.Errorf("skew %v: %s is taken", skew, d.Taken().Strategy)
			}
		}
		if shown := strings.Contains(kernelText(t, db, set.Query().SQL), " largest "); shown != want {
			t.Errorf("skew %v: the kernel's estimate of the largest group is there: %t", skew, shown)
		}
	}
}

// kernelText is what EXPLAIN (KERNEL) shows.
func kernelText(t *testing.T, db *engine, sql string) string {
	t.Helper()
	r, err := db.Query(t.Context(), "EXPLAIN (KERNEL) "+sql)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, row := range r.Rows {
		text.WriteString(row[0].Text + "\n")
	}
	return text.String()
}

// TestGroupsBehindAFilter has rows that a filter leaves be added to their groups in global memory, since a warp
// that seeks slots for a few takes as long as for all; where all rows are left, slots are sought while
// memory is waited for.
func TestGroupsBehindAFilter(t *testing.T) {
	db := openNullEngine(t)
	mustRun(t, db, "CREATE TABLE sold AS SELECT i * 7919::bigint % 100000 AS item, i % 1000 AS price FROM generate_series(1, 1000000) AS s (i)")
	mustRun(t, db, "SET device = cuda")
	for where, want := range map[string]string{"": "wide", " WHERE price < 50": "shared"} {
		e := explainedProgram(t, db, workload.Query{SQL: "SELECT item, sum(price) FROM sold" + where + " GROUP BY item"})
		for _, d := range e.Decisions {
			if d.Of == "aggregate on the device" && d.Taken().Strategy != want {
				t.Errorf("%q: %s is taken, not %s: %v", where, d.Taken().Strategy, want, d.Offers)
			}
		}
	}
}
