package tests

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
)

// BenchmarkPlanning is what comes before the first kernel of a query: binding,
// rewriting, weaving and generating kernels, over tables that have samples and
// statistics. Nothing is executed. planning-us is the median.
func BenchmarkPlanning(b *testing.B) {
	for _, set := range []benchmark{
		{"ssb", workload.SSB{SF: 0.01}, workload.SSBQueries()},
		{"tpch", tpch.Data{SF: 0.01}, tpch.Queries(0.01)},
	} {
		db, err := cubeloom.Open(cubeloom.Options{})
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		e := &engine{db, db.Session()}
		e.load(b, set.set)
		for _, q := range set.queries {
			b.Run(set.name+"-"+q.Name, func(b *testing.B) {
				var times []time.Duration
				for b.Loop() {
					times = append(times, planningTime(b, e, q.SQL))
				}
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1e3, "planning-us")
				b.ReportMetric(float64(times[0].Nanoseconds())/1e3, "shortest-us")
			})
		}
	}
}

// planningTime is how long it takes to plan a query.
func planningTime(b *testing.B, e *engine, sql string) time.Duration {
	r, err := e.Query(context.Background(), "EXPLAIN (FORMAT JSON) "+sql)
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for _, row := range r.Rows {
		text.WriteString(row[0].Text)
	}
	var explained struct {
		Planning time.Duration `json:"planning_nanoseconds"`
	}
	if err := json.Unmarshal([]byte(text.String()), &explained); err != nil {
		b.Fatal(err)
	}
	return explained.Planning
}
