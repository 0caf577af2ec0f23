//go:build reference

package tests

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestCubesAgreeWithPostgres compares random cubes, refined where that applies, with
// PostgreSQL's answers.
func TestCubesAgreeWithPostgres(t *testing.T) {
	ctx := context.Background()
	postgres, engine := startPostgres(t), openEngine(t)
	rng := rand.New(rand.NewPCG(*cubeSeed, 19))
	all := configurations()
	for _, rows := range []int{0, 1, 700} {
		for _, sql := range cubeTable(rng, rows, false) {
			if err := postgres.Exec(ctx, sql); err != nil {
				t.Fatalf("%.200s: %v", sql, err)
			}
			mustQuery(t, engine, sql)
		}
		for n := range *cubeQueries {
			sql := cubeQuery(rng)
			want, failure := postgres.Query(ctx, sql)
			engine.configure(t, all[n%len(all)])
			mustQuery(t, engine, "SET cube_strategy = refine")
			got, err := engine.Query(ctx, sql)
			if engine.SQLState(err) == "0A000" {
				mustQuery(t, engine, "SET cube_strategy = auto")
				got, err = engine.Query(ctx, sql)
			}
			if difference := differs(engine, postgres, got, err, want, failure); difference != "" {
				t.Errorf("%d rows, %s, %s\n%s", rows, all[n%len(all)], sql, difference)
			}
		}
	}
}
