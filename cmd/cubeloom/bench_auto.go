package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
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

The best of --runs processes counts. Each row is written as soon as it is measured.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return untilInterrupted(cmd, func(ctx context.Context) error { return f.run(ctx, stdio(cmd)) })
		},
	}
	f.register(cmd)
	cmd.Flags().Float64SliceVar(&f.ssb, "ssb", []float64{0.002, 0.17, 10}, "scale factors of the Star Schema Benchmark; 0: none")
	cmd.Flags().Float64SliceVar(&f.tpch, "tpch", []float64{1}, "scale factors of TPC-H; 0: none")
	cmd.Flags().Int64Var(&f.cube, "cube", 1_000_000, "rows of a table of which a cube is made; 0: none")
	cmd.Flags().Int64Var(&f.csv, "csv", 1_500_000, "up to how many rows of their largest table data without decimals are written as CSV, too")
	cmd.Flags().StringSliceVar(&f.beside, "beside", []string{"cpu", "cuda"}, "devices that auto is compared with")
	cmd.Flags().IntVar(&f.runs, "runs", 2, "processes for each first statement, but one where it takes a second")
	cmd.Flags().DurationVar(&f.warm, "warm", 2*time.Second, "how long a query is asked with device = auto before it is timed hot")
	cmd.Flags().DurationVar(&f.time, "time", 400*time.Millisecond, "how long queries are timed hot")
	cmd.Flags().DurationVar(&f.limit, "limit", 0, "begin nothing after so long (default: no limit)")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "write the result as JSON")
	return cmd
}

// run measures all of it.
func (f *autoFlags) run(ctx context.Context, std streams) error {
	if f.runs < 1 {
		return fmt.Errorf("--runs must be at least 1, got %d", f.runs)
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(f.data, "cubeloom-auto-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	b := &autoBench{flags: f, program: program, folder: folder, streams: std}
	if f.limit > 0 {
		b.until = time.Now().Add(f.limit)
	}
	sets, err := autoSets(f.ssb, f.tpch, f.cube)
	if err != nil {
		return err
	}
	if !f.asJSON {
		fmt.Fprintf(std.out, "%-22s %-6s %-13s%s   auto/better\n", "data", "query", "process", strings.Join(b.each(func(d string) string { return fmt.Sprintf("%11s", d+" ms") }), ""))
	}
	for i := range sets {
		if err := b.set(ctx, &sets[i]); err != nil {
			return err
		}
	}
	if f.asJSON {
		return harness.WriteJSON(std.out, b)
	}
	b.sum(std.out)
	return nil
}

// set measures the queries of one set of data, and removes the data.
func (b *autoBench) set(ctx context.Context, s *autoSet) error {
	if b.isLate() {
		return nil
	}
	began := time.Now()
	sources, err := b.generate(ctx, s)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.err, "%s: generated in %.1f s\n", s.name, time.Since(began).Seconds())
	for i := range sources {
		if err := b.cold(ctx, s, &sources[i]); err != nil {
			return err
		}
		if sources[i].folder == "" {
			continue
		}
		if err := b.hot(ctx, s, &sources[i]); err != nil {
			return err
		}
	}
	return os.RemoveAll(filepath.Join(b.folder, s.name))
}

// generate writes the data in each of the ways.
func (b *autoBench) generate(ctx context.Context, s *autoSet) ([]autoSource, error) {
	stored := autoSource{name: "stored", folder: filepath.Join(b.folder, s.name, "stored")}
	sources := []autoSource{stored}
	for _, format := range []string{"parquet", "csv"} {
		if format == "csv" && (s.rows() > b.flags.csv || s.hasDecimals()) {
			continue
		}
		views, err := writeParts(ctx, s.data, filepath.Join(b.folder, s.name, format), format)
		if err != nil {
			return nil, err
		}
		sources = append(sources, autoSource{name: format, views: views})
	}
	engine := b.flags.engineFlags
	engine.data = stored.folder
	db, err := engine.open()
	if err != nil {
		return nil, err
	}
	return sources, errors.Join(loadSet(ctx, db, s.data, 1, b.err), db.Close())
}
