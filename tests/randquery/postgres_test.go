//go:build reference

package randquery

import (
	"context"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// TestQueriesRun holds that PostgreSQL answers every query that is not marked
// unsafe, and that the answers are worth comparing.
func TestQueriesRun(t *testing.T) {
	ctx := context.Background()
	db, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	// Correlated subqueries are nested loops to PostgreSQL, and some take minutes.
	if err := db.SetTimeout(ctx, 2*time.Second); err != nil {
		t.Fatal(err)
	}
	queries, empty, failed, slow := 0, 0, 0, 0
	for seed := range uint64(40) {
		tables := Tables(seed, 3)
		for _, table := range tables {
			if err := db.Exec(ctx, "DROP TABLE IF EXISTS "+table.Name); err != nil {
				t.Fatal(err)
			}
			for _, sql := range table.SQL() {
				if err := db.Exec(ctx, sql); err != nil {
					t.Fatalf("%s: %v", sql, err)
				}
			}
		}
		g := NewGenerator(tables)
		for n := range uint64(50) {
			q := g.Query(seed*1000 + n)
			queries++
			answer, err := db.Query(ctx, q.SQL())
			switch {
			case err != nil && db.SQLState(err) == "57014":
				slow++
			case err != nil && !q.Unsafe:
				t.Errorf("seed %d: %v\n%s", seed*1000+n, err, q.SQL())
			case err != nil:
				failed++
			case len(answer.Rows) == 0:
				empty++
			}
		}
	}
	t.Logf("%d queries, %d without rows, %d failed as they may, %d took too long", queries, empty, failed, slow)
	if empty > queries/2 || failed == 0 || slow > queries/100 {
		t.Errorf("of %d queries %d have no rows and %d fail", queries, empty, failed)
	}
}
