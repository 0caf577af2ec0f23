package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// newBenchAuto makes the command bench auto.
func newBenchAuto() *cobra.Command {
	var f autoFlags
	cmd := &cobra.Command{
		Use:   "auto",
		Short: "Time device = auto beside cpu and cuda: first statements, hot ones, clients",
		Long: `Writes the tables of the Star Schema Benchmark, of TPC-H and of a cube as Parquet and CSV
files and as tables that are kept, and asks queries of each with --device auto and with the others,
answers compared.

Sources are "stored", "parquet" and "csv"; the kinds of processes are:

  first         a process that asks one query, which finds no compiled kernel
  again         the same, which finds the kernels that other processes have compiled
  hot           the median of a query in a process that has asked it for a while
  four clients  time for each query where four ask at the same time

The best of the processes counts, and the best of three times --time. Each row is written as soon as it is measured.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return untilInterrupted(cmd, func(ctx context.Context) { f.run(ctx, stdio(cmd)) })
		},
	}
	f.register(cmd)
	cmd.Flags().Float64SliceVar(&f.ssb, "ssb", []float64{0.002, 0.17, 10}, "scale factors of the Star Schema Benchmark; 0: none")
	cmd.Flags().Float64SliceVar(&f.tpch, "tpch", []float64{1}, "scale factors of TPC-H; 0: none")
	cmd.Flags().Int64Var(&f.cube, "cube", 1_000_000, "rows of a table of which a cube is made; 0: none")
	cmd.Flags().Int64Var(&f.csv, "csv", 1_500_000, "up to how many rows of their largest table data without decimals are written as CSV, too")
	cmd.Flags().StringSliceVar(&f.sources, "sources", []string{"stored", "parquet", "csv"}, "ways in which tables are kept")
	cmd.Flags().StringSliceVar(&f.beside, "beside", []string{"cpu", "cuda"}, "devices that auto is compared with")
	cmd.Flags().IntVar(&f.runs, "runs", 2, "processes for each first statement, at least, but one where it takes a second")
	cmd.Flags().DurationVar(&f.coldTime, "cold-time", time.Second, "how long processes for a first statement take together, at least, but twelve at most")
	cmd.Flags().DurationVar(&f.warm, "warm", 2*time.Second, "how long a query is asked with device = auto before it is timed hot: longer, up to ten times, where the first fifty take longer")
	cmd.Flags().DurationVar(&f.time, "time", 400*time.Millisecond, "how long queries are timed hot, three times")
	cmd.Flags().DurationVar(&f.limit, "limit", 0, "begin nothing after so long (default: no limit)")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "write the result as JSON")
	return cmd
}

// run measures all of it.
func (f *autoFlags) run(ctx context.Context, std streams) {
	if f.runs < 1 {
		panic(fmt.Errorf("--runs must be at least 1, got %d", f.runs))
	}
	program := sqlstate.Must(os.Executable())
	folder := sqlstate.Must(os.MkdirTemp(f.data, "cubeloom-auto-"))
	defer os.RemoveAll(folder)
	b := &autoBench{flags: f, program: program, folder: folder, streams: std}
	if f.limit > 0 {
		b.until = time.Now().Add(f.limit)
	}
	sets := autoSets(f.ssb, f.tpch, f.cube)
	if !f.asJSON {
		fmt.Fprintf(std.out, "%-22s %-6s %-13s%s   auto/better\n", "data", "query", "process", strings.Join(b.each(func(d string) string { return fmt.Sprintf("%11s", d+" ms") }), ""))
	}
	for i := range sets {
		b.set(ctx, &sets[i])
	}
	if f.asJSON {
		sqlstate.Check(harness.WriteJSON(std.out, b))
		return
	}
	b.sum(std.out)
}

// set measures the queries of one set of data, and removes the data.
func (b *autoBench) set(ctx context.Context, s *autoSet) {
	if b.isLate() {
		return
	}
	began := time.Now()
	sources := b.generate(ctx, s)
	fmt.Fprintf(b.err, "%s: generated in %.1f s\n", s.name, time.Since(began).Seconds())
	for i := range sources {
		b.cold(ctx, s, &sources[i])
		if sources[i].folder == "" {
			continue
		}
		b.hot(ctx, s, &sources[i])
	}
	sqlstate.Check(os.RemoveAll(filepath.Join(b.folder, s.name)))
}

// generate writes the data in each of the ways.
func (b *autoBench) generate(ctx context.Context, s *autoSet) []autoSource {
	var sources []autoSource
	stored := autoSource{name: "stored", folder: filepath.Join(b.folder, s.name, "stored")}
	if slices.Contains(b.flags.sources, stored.name) {
		engine := b.flags.engineFlags
		engine.data = stored.folder
		db := sqlstate.Must(engine.open())
		sqlstate.Check(errors.Join(loadSet(ctx, db, s.data, 1, b.err), db.Close()))
		sources = append(sources, stored)
	}
	for _, format := range []string{"parquet", "csv"} {
		if !slices.Contains(b.flags.sources, format) || format == "csv" && (s.rows() > b.flags.csv || s.hasDecimals()) {
			continue
		}
		views := sqlstate.Must(writeParts(ctx, s.data, filepath.Join(b.folder, s.name, format), format))
		sources = append(sources, autoSource{name: format, views: views})
	}
	return sources
}
