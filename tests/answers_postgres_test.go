//go:build reference

package tests

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

var answersSeed = flag.Uint64("answers.seed", 0, "selects the benchmark that PostgreSQL answers again; 0: all of them")

// TestAnswersAgreeWithPostgres holds that the files in testdata/answers are
// PostgreSQL's answers; with -update it records them.
func TestAnswersAgreeWithPostgres(t *testing.T) {
	ctx, db := context.Background(), startPostgres(t)
	asked := benchmarks()
	if one := *answersSeed % uint64(len(asked)); *answersSeed > 0 {
		asked = asked[one : one+1]
	}
	for _, b := range asked {
		if err := db.Exec(ctx, "DROP SCHEMA public CASCADE; CREATE SCHEMA public"); err != nil {
			t.Fatal(err)
		}
		if err := db.Load(ctx, b.set, workload.Options{}); err != nil {
			t.Fatal(err)
		}
		if b.name == "tpch" { // PostgreSQL computes some subqueries for each row
			if err := db.Exec(ctx, tpchIndexes); err != nil {
				t.Fatal(err)
			}
		}
		var text strings.Builder
		for _, q := range b.queries {
			r, err := db.Query(ctx, q.SQL)
			if err != nil {
				t.Fatalf("%s: %v", q.Name, err)
			}
			if at := outOfOrder(r, q.OrderBy); at > 0 {
				t.Errorf("%s: row %d is out of order", q.Name, at)
			}
			text.WriteString(describe(q, r))
		}
		if *update {
			if err := os.WriteFile(answersFile(b), []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want, err := os.ReadFile(answersFile(b)); err != nil || text.String() != string(want) {
			t.Errorf("%s is not what PostgreSQL answers (%v)", answersFile(b), err)
		}
	}
}
