package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// latencyQuery is a small query that is asked with one constant after the other.
type latencyQuery struct {
	name, text string // with %s for the constant
	constants  []string
}

// with is the query with one of its constants.
func (q latencyQuery) with(i int) string { return strings.ReplaceAll(q.text, "%s", q.constants[i]) }

// latencyQueries are what bench latency asks of the Star Schema Benchmark's data.
func latencyQueries() []latencyQuery {
	numbers := func(from, to int) (list []string) {
		for n := from; n <= to; n++ {
			list = append(list, fmt.Sprint(n))
		}
		return list
	}
	star := func(name, from string, constants ...string) latencyQuery {
		queries := workload.SSBQueries()
		at := slices.IndexFunc(queries, func(q workload.Query) bool { return q.Name == name })
		return latencyQuery{name, strings.ReplaceAll(queries[at].SQL, from, "%s"), constants}
	}
	return []latencyQuery{
		{"count", "SELECT count(*) FROM lineorder WHERE lo_quantity < %s", numbers(20, 40)},
		{"group", "SELECT lo_discount, sum(lo_revenue) FROM lineorder WHERE lo_quantity < %s GROUP BY lo_discount", numbers(20, 40)},
		star("Q1.1", "1993", numbers(1992, 1998)...),
		star("Q2.1", "'MFGR#12'", "'MFGR#12'", "'MFGR#13'", "'MFGR#14'", "'MFGR#22'", "'MFGR#33'"),
		star("Q3.1", "'ASIA'", "'ASIA'", "'EUROPE'", "'AMERICA'", "'AFRICA'"),
		star("Q4.1", "'AMERICA'", "'AMERICA'", "'EUROPE'", "'ASIA'", "'AFRICA'"),
	}
}

// latency is where the time of a query went, in milliseconds. On the CPU it all is
// in Other.
type latency struct {
	Planning   float64 `json:"planning_ms"`
	Generation float64 `json:"generation_ms"` // weaving, kernels, and their source
	Compile    float64 `json:"compile_ms"`    // and loading
	Bind       float64 `json:"bind_ms"`       // copying columns to the device, or finding them there
	Launch     float64 `json:"launch_ms"`     // allocations, fills and launches
	Wait       float64 `json:"wait_ms"`       // for what was launched
	CopyBack   float64 `json:"copy_back_ms"`
	Other      float64 `json:"other_ms"` // parsing and the rest
	Total      float64 `json:"total_ms"`
}

func (l latency) total() float64 { return l.Total }

// latencyRow is what one query took: the first time, repeated, and repeated with
// constants that were not asked for before.
type latencyRow struct {
	Name     string  `json:"name"`
	First    latency `json:"first"`
	Repeated latency `json:"repeated"`
	Changed  latency `json:"another_constant"`
	Kernels  float64 `json:"kernels_ms"`
	Launches int     `json:"launches"`
	Overhead float64 `json:"overhead_ms"` // of the one with another constant, beside the kernels
	FellBack string  `json:"fell_back,omitempty"`
}

// newBenchLatency makes the command bench latency.
func newBenchLatency() *cobra.Command {
	var bench benchFlags
	var scale float64
	cmd := &cobra.Command{
		Use:   "latency",
		Short: "Split the time of small queries: first, repeated, and with another constant",
		Long: `Asks small queries of the Star Schema Benchmark's tables once, again, and with
other constants, and shows where the time goes: planning, generation, compilation,
launches, waiting, copying back. Machine code of earlier runs is found in the
user's cache folder; an empty XDG_CACHE_HOME makes the first query compile.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return bench.with(cmd, func(ctx context.Context, db *cubeloom.DB) {
				bench.latency(ctx, db, workload.SSB{SF: scale}, stdio(cmd))
			})
		},
	}
	bench.register(cmd, 20, "repetitions, of which the median counts")
	cmd.Flags().Float64Var(&scale, "sf", 0.1, "scale factor")
	return cmd
}

// latency loads the data, asks the queries and writes what they took.
func (f *benchFlags) latency(ctx context.Context, db *cubeloom.DB, set workload.SSB, std streams) {
	sqlstate.Check(loadSet(ctx, db, set, 1, std.err))
	var rows []latencyRow
	for _, q := range latencyQueries() {
		rows = append(rows, q.measure(ctx, db, f.device, f.runs))
	}
	report := map[string]any{"data": fmt.Sprintf("%+v", set), "device": f.device, "runs": f.runs, "queries": rows}
	sqlstate.Check(f.write(std.out, report, func(out io.Writer) {
		fmt.Fprintf(out, "ssb %+v, device %s, milliseconds, median of %d runs but for the first\n\n", set, f.device, f.runs)
		printLatencies(out, rows)
	}))
}

// measure asks one query.
func (q latencyQuery) measure(ctx context.Context, db *cubeloom.DB, device string, runs int) latencyRow {
	defer during("%s", q.name)
	row := latencyRow{Name: q.name}
	session := sqlstate.Must(configured(ctx, db, "on", device))
	asked := 0
	ask := func(i int) (latency, error) {
		asked = i % len(q.constants)
		return sqlstate.Try(func() latency { return askOnce(ctx, session, q.with(asked), &row) })
	}
	row.First = sqlstate.Must(ask(0))
	row.Repeated = sqlstate.Must(harness.Middle(runs, latency.total, func(int) (latency, error) { return ask(0) }))
	row.Changed = sqlstate.Must(harness.Middle(runs, latency.total, func(i int) (latency, error) { return ask(i + 1) }))
	if device != "cuda" {
		return row
	}
	var d benchDevice
	d.kernels(ctx, db, q.with(asked), runs)
	row.Kernels, row.Launches, row.Overhead = d.Kernels, d.Launches, row.Changed.Total-d.Kernels
	return row
}

// askOnce runs a query and splits its time.
func askOnce(ctx context.Context, session *cubeloom.Session, text string, row *latencyRow) latency {
	start := time.Now()
	res, err := session.Query(ctx, text)
	total := time.Since(start)
	sqlstate.Check(err)
	for _, n := range res.Notices {
		row.FellBack = n.Message
	}
	s := &res.Stats
	host := s.Host()
	l := latency{
		Planning: harness.Milliseconds(s.Planning - s.Weaving), Generation: harness.Milliseconds(s.Weaving + host.Render),
		Compile: harness.Milliseconds(host.Compile), Bind: harness.Milliseconds(host.Bind), Launch: harness.Milliseconds(host.Launch),
		Wait: harness.Milliseconds(host.Wait), CopyBack: harness.Milliseconds(s.CopyBack), Total: harness.Milliseconds(total),
	}
	l.Other = l.Total
	for _, part := range []float64{l.Planning, l.Generation, l.Compile, l.Bind, l.Launch, l.Wait, l.CopyBack} {
		l.Other -= part
	}
	return l
}

// printLatencies writes the table.
func printLatencies(out io.Writer, rows []latencyRow) {
	w := harness.Table(out)
	fmt.Fprintln(w, "query\trun\tplanning\tgeneration\tcompile\tbind\tlaunch\twait\tcopy back\tother\ttotal\tkernels\toverhead\t")
	for i := range rows {
		r := &rows[i]
		kernels := fmt.Sprintf("%.3f\t%.3f", r.Kernels, r.Overhead)
		for k, run := range []struct {
			name, kernels string
			latency
		}{{"first", "\t", r.First}, {"repeated", "\t", r.Repeated}, {"other constant", kernels, r.Changed}} {
			name := ""
			if k == 0 {
				name = r.Name
			}
			fmt.Fprintf(w, "%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%s\t\n", name, run.name, run.Planning,
				run.Generation, run.Compile, run.Bind, run.Launch, run.Wait, run.CopyBack, run.Other, run.Total, run.kernels)
		}
	}
	w.Flush()
	for i := range rows {
		if rows[i].FellBack != "" {
			fmt.Fprintf(out, "%s: %s\n", rows[i].Name, rows[i].FellBack)
		}
	}
}
