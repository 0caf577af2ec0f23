package tests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// sharedScans is how EXPLAIN ANALYZE says that a group shares the scan of another one.
const sharedScans = "whose scan it shares"

// branchQuery reads the table of cubes several times, with filters and, where they are wanted, aggregations at random.
func branchQuery(rng *rand.Rand, aggregations bool) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var parts []string
	for range 2 + rng.IntN(3) {
		cond := pick("a < 2", "b > 0", "c LIKE 'xx%'", "d > '2020-01-10'", "e", "f IS NOT NULL", "g > 9000000000000", "h < 2", "s > 0 AND n IS NULL", "true")
		if !aggregations || rng.IntN(2) == 0 {
			value := pick("m, c", "n, upper(c)", "m * s, c || 'y'", "CASE WHEN s <> 0 THEN m / s END, c", "a + b, e::text", "s, d::text")
			parts = append(parts, fmt.Sprintf("SELECT %s FROM t WHERE %s", value, cond))
			continue
		}
		key := pick("c", "e::text", "d::text")
		parts = append(parts, fmt.Sprintf("SELECT %s, %s FROM t WHERE %s GROUP BY %s", pick("count(*)::int", "max(n)", "count(DISTINCT b)::int"), key, cond, key))
	}
	return strings.Join(parts, " UNION ALL ")
}

// TestSharedScans has groups that read one table share its scan, and compares what they give with
// what each gives by itself.
func TestSharedScans(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(*cubeSeed, 31))
	db := openEngine(t)
	shared := 0
	for _, rows := range []int{0, 1, 700} {
		for _, sql := range cubeTable(rng, rows, false) {
			mustQuery(t, db, sql)
		}
		for range 40 {
			sql := branchQuery(rng, true)
			mustQuery(t, db, "SET fusion = off")
			want, failure := db.Query(ctx, sql)
			mustQuery(t, db, "SET fusion = on")
			got, err := db.Query(ctx, sql)
			if err != nil || failure != nil {
				t.Fatalf("%s: %v, %v", sql, err, failure)
			}
			if err := reference.Compare(got, want, false); err != nil {
				t.Errorf("%d rows, %s\n%v", rows, sql, err)
			}
			plan, err := db.Query(ctx, "EXPLAIN ANALYZE "+sql)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(fmt.Sprint(plan.Rows), sharedScans) {
				shared++
			}
		}
	}
	if shared < 60 {
		t.Errorf("%d of 120 queries share a scan", shared)
	}
}

// TestScansThatSkipBlocksAreNotShared leaves scans apart that read other blocks of a table each.
func TestScansThatSkipBlocksAreNotShared(t *testing.T) {
	db := openEngine(t)
	mustQuery(t, db, "CREATE TABLE inorder AS SELECT i, i % 7 AS k FROM generate_series(1, 600000) g(i)")
	for cond, want := range map[string]bool{"i < 50000": false, "k = 3": true} {
		plan := mustQuery(t, db, fmt.Sprintf("EXPLAIN ANALYZE SELECT k FROM inorder WHERE %s UNION ALL SELECT -k FROM inorder WHERE k = 5", cond))
		if got := strings.Contains(fmt.Sprint(plan.Rows), sharedScans); got != want {
			t.Errorf("%s: the scan is shared: %t", cond, got)
		}
	}
}
