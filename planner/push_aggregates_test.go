package planner

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// TestAggregatesArePushed holds that aggregations over joins that give many rows
// for one are split, and that this changes no result: for each aggregate
// function, with NULLs, filters, grouping sets, and kinds of joins.
func TestAggregatesArePushed(t *testing.T) {
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 5))
		cat := loadCatalog(t, "testdata/small.catalog")
		in := &interpreter{data: fillTables(rng, cat)}
		for _, name := range []string{"t", "v"} { // each row several times, and statistics that say so
			for range 3 {
				in.data[name] = append(in.data[name], in.data[name]...)
			}
			r := cat[name]
			r.Ref.Rows, r.Ref.Sample = int64(len(in.data[name])), algebra.NewSample(in.data[name])
			for i := range r.Columns {
				r.Columns[i].Stats.Nulls *= 8
				r.Columns[i].Stats.Distinct = 3
			}
		}
		for _, tail := range []string{
			"t.b, sum(t.a), sum(t.c), sum(t.d), sum(t.k) FROM t JOIN v ON t.b = v.b GROUP BY t.b",
			"t.b, count(*), count(t.f), count(t.f) FILTER (WHERE t.k > 1) FROM t JOIN v ON t.b = v.b GROUP BY t.b",
			"v.x, min(t.f), max(t.g), bool_and(t.i), bool_or(t.i), sum(t.n) FROM t JOIN v ON t.b = v.b GROUP BY v.x",
			"count(*), sum(t.a), count(t.f) FROM t JOIN v ON t.b = v.b",
			"count(*), count(t.b) FROM t JOIN v ON t.b = v.b + 1000",
			"t.k, v.x, count(*), grouping(t.k) FROM t JOIN v ON t.b = v.b GROUP BY ROLLUP (t.k, v.x)",
			"t.b, count(t.f) FROM t LEFT JOIN v ON t.b = v.b GROUP BY t.b",
			"t.b, sum(t.a) FROM v RIGHT JOIN t ON t.b = v.b AND v.x > 'n' WHERE t.k < 4 GROUP BY t.b",
			"w.x, sum(t.a + t.k) FROM t JOIN v ON t.b = v.b JOIN v AS w ON w.b = t.b AND w.x <> v.x GROUP BY w.x",
			"t.b, avg(DISTINCT 3), stddev_pop(DISTINCT 2), variance(DISTINCT t.b) FROM t JOIN v ON t.b = v.b GROUP BY t.b",
			"DISTINCT sum(t.a) FROM t JOIN v ON t.b = v.b GROUP BY t.b HAVING count(*) > 1",
		} {
			text := "SELECT " + tail
			plan, err := Build(parseQuery(t, text), cat, Options{Verify: true, Trace: true})
			if err != nil {
				t.Fatal(text, err)
			}
			want, err := in.result(plan.Bound)
			if err != nil {
				t.Fatal(text, err)
			}
			got, err := in.result(plan.Root)
			if err != nil || got != want {
				t.Fatalf("%s: %v\n%s\ngave\n%swant\n%s", text, err, algebra.Format(plan.Root), got, want)
			}
			if len(in.data["t"]) >= 24 && len(in.data["v"]) >= 24 && !ruleChanged(plan, "push_aggregates") {
				t.Errorf("%s is not split\n%s", text, algebra.Format(plan.Root))
			}
		}
	}
}

func ruleChanged(plan *Plan, rule string) bool {
	for _, step := range plan.Steps {
		if step.Rule == rule {
			return step.Changed
		}
	}
	panic(fmt.Sprintf("no rule %s", rule))
}
