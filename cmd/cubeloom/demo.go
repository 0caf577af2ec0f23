package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// demoCube is the demonstration's cube query: revenue by year and the regions
// of both ends, with every subtotal.
const demoCube = `SELECT d_year, c_region, s_region,
       GROUPING(d_year, c_region, s_region) AS level,
       SUM(lo_revenue) AS revenue, COUNT(*) AS orders
FROM lineorder, date, customer, supplier
WHERE lo_orderdate = d_datekey AND lo_custkey = c_custkey AND lo_suppkey = s_suppkey
  AND d_year >= 1997
GROUP BY CUBE (d_year, c_region, s_region)
ORDER BY level DESC, d_year, c_region, s_region
LIMIT 24`

// demoRuns is how often each query is timed, hot, for its median.
const demoRuns = 5

// newDemo makes the command demo.
func newDemo() *cobra.Command {
	var engine engineFlags
	var scale float64
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Generate the Star Schema Benchmark, run a star join and a cube, and show how they were woven",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return engine.with(cmd, func(ctx context.Context, db *cubeloom.DB) {
				runDemo(ctx, db, workload.SSB{SF: scale}, stdio(cmd))
			})
		},
	}
	engine.register(cmd)
	cmd.Flags().Float64Var(&scale, "sf", 0.1, "scale factor: 1 is 6 million rows")
	return cmd
}

// runDemo loads the data, then shows the two queries.
func runDemo(ctx context.Context, db *cubeloom.DB, set workload.SSB, io streams) {
	sqlstate.Check(set.Validate())
	start := time.Now()
	sqlstate.Check(loadSet(ctx, db, set, 1, io.err))
	fmt.Fprintf(io.out, "Star Schema Benchmark at scale %g in %.1f s:\n", set.SF, time.Since(start).Seconds())
	for _, t := range set.Tables() {
		fmt.Fprintf(io.out, "  %-10s %10d rows\n", t.Name, t.Rows)
	}
	star := findQuery(workload.SSBQueries(), "Q4.1")
	showQuery(ctx, db, io.out, "A star join, SSB "+star.Name, star.SQL)
	showQuery(ctx, db, io.out, "A cube with all its subtotals", demoCube)
}

// findQuery finds a query by name among those of a workload.
func findQuery(queries []workload.Query, name string) workload.Query {
	return queries[slices.IndexFunc(queries, func(q workload.Query) bool { return q.Name == name })]
}

// showQuery prints a query, its result, its woven plan, and its time woven and
// unwoven.
func showQuery(ctx context.Context, db *cubeloom.DB, out io.Writer, title, text string) {
	fmt.Fprintf(out, "\n== %s ==\n\n%s\n\n", title, text)
	session := db.Session()
	res := sqlstate.Must(session.Query(ctx, text))
	sqlstate.Check(writeTable(out, res))
	plan := sqlstate.Must(session.Query(ctx, "EXPLAIN "+text))
	fmt.Fprintln(out, "How it was woven:")
	sqlstate.Check(writeLines(out, plan))
	compareFusion(ctx, db, out, text)
}

// compareFusion times a query woven and unwoven.
func compareFusion(ctx context.Context, db *cubeloom.DB, out io.Writer, text string) {
	woven := timeQuery(ctx, db, "on", "auto", text, demoRuns)
	unwoven := timeQuery(ctx, db, "off", "auto", text, demoRuns)
	fmt.Fprintf(out, "\nwoven   %8.2f ms, %s of intermediates written\n", harness.Milliseconds(woven.time), formatBytes(woven.bytes))
	fmt.Fprintf(out, "unwoven %8.2f ms, %s of intermediates written  (%.1f times as long)\n",
		harness.Milliseconds(unwoven.time), formatBytes(unwoven.bytes), float64(unwoven.time)/float64(woven.time))
}

// milliseconds is a duration as a number of milliseconds.
