package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/spf13/cobra"
)

// setFlags describe which data is generated.
type setFlags struct {
	scale  float64
	rows   int64
	dims   int
	card   int64
	fewest int64 // groups of a series
	step   int64 // by which the numbers of groups of a series grow
	skew   float64
	// scattered selects keys over the whole range of bigint.
	scattered bool
	plain     bool     // plain kernels are timed beside those of a device
	live      bool     // tuning while queries run is timed
	cells     int64    // of a cube of kind olap
	cube      string   // its name
	order     []string // dimensions that its cells are sorted by before the others
	seed      uint64
	names     []string // of the queries that bench times; nil: all
}

// register adds the flags that the kind of data takes.
func (f *setFlags) register(cmd *cobra.Command, kind string) {
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "selects the random values")
	switch kind {
	case "cube":
	case "weather":
		cmd.Flags().Int64Var(&f.rows, "rows", workload.WeatherRows, "reports")
		return
	case "dbbench":
		cmd.Flags().Int64Var(&f.rows, "rows", 10_000_000, "rows (N)")
		cmd.Flags().Int64Var(&f.card, "card", 100, "values of the ids of large groups (K)")
		return
	case "dbjoins":
		cmd.Flags().Int64Var(&f.rows, "rows", 10_000_000, "rows of the largest tables (N)")
		return
	case "groupby":
		cmd.Flags().Int64Var(&f.rows, "rows", 10_000_000, "rows of each table")
		cmd.Flags().Int64Var(&f.fewest, "from", 1, "fewest groups")
		cmd.Flags().Int64Var(&f.step, "step", 4, "each number of groups of the series is so many times the one before, at least 2")
		cmd.Flags().Int64Var(&f.card, "groups", 1<<20, "most groups")
		cmd.Flags().Float64Var(&f.skew, "skew", 0, "exponent of the Zipf distribution of the keys; 0 is uniform")
		cmd.Flags().BoolVar(&f.scattered, "scattered", false, "keys over the whole range of bigint")
		return
	case "olap":
		cmd.Flags().StringVar(&f.cube, "cube", "machines", "the cube: "+strings.Join(workload.OLAPCubes(), ", "))
		cmd.Flags().Int64Var(&f.cells, "cells", 4_000_000, "filled cells; 0: all that the cube has")
		cmd.Flags().StringSliceVar(&f.order, "order", nil, "dimensions that cells are sorted by before the others, such as component,customer")
		return
	default:
		return
	}
	cmd.Flags().Int64Var(&f.rows, "rows", 1_000_000, "tuples (T)")
	cmd.Flags().IntVar(&f.dims, "dims", 6, "dimensions (D)")
	cmd.Flags().Int64Var(&f.card, "card", 100, "cardinality of each dimension (C)")
	cmd.Flags().Float64Var(&f.skew, "skew", 0, "exponent of the Zipf distribution (S); 0 is uniform")
}

// set makes the generator of the kind.
func (f *setFlags) set(kind string) (workload.Set, error) {
	switch kind {
	case "ssb":
		s := workload.SSB{SF: f.scale}
		return s, s.Validate()
	case "tpch":
		s := tpch.Data{SF: f.scale}
		return s, s.Validate()
	case "olap":
		s := f.olap()
		return s, s.Validate()
	case "dbjoins":
		s := workload.DBJoins{Rows: f.rows}
		return s, s.Validate()
	case "retail":
		s := workload.Retail{SF: f.scale}
		return s, s.Validate()
	case "weather":
		s := workload.Weather{Rows: f.rows, Dims: 9}
		return s, s.Validate()
	case "dbbench":
		s := workload.DBBench{Rows: f.rows, Card: f.card}
		return s, s.Validate()
	}
	s := workload.Cube{Name: "cube", Rows: f.rows, Dims: f.dims, Card: f.card, Skew: f.skew}
	return s, s.Validate()
}

// olap is the cube that the flags describe.
func (f *setFlags) olap() workload.OLAP {
	return workload.OLAP{Cube: f.cube, Cells: f.cells, Order: f.order}
}

// newGen makes the command gen.
func newGen() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gen",
		Short: "Generate benchmark data as files",
	}
	cmd.AddCommand(
		newGenKind("tpch", "the tables of TPC-H"),
		newGenKind("ssb", "the tables of the Star Schema Benchmark"),
		newGenKind("cube", "a table for cube queries: T tuples, D dimensions of cardinality C, uniform or Zipf"),
		newGenKind("weather", "reports of weather stations: nine dimensions with skew, some of which follow from others"),
		newGenKind("olap", "cells and a hierarchy with many parents and weights"),
		newGenKind("dbbench", "the table of the db-benchmark's group-by questions"),
		newGenKind("dbjoins", "the tables of the db-benchmark's join questions"),
		newGenKind("retail", "a retail schema of seven dimensions, the sales of stores and web sites, and returns"))
	return cmd
}

// newGenKind makes gen's command for one kind of data.
func newGenKind(kind, what string) *cobra.Command {
	var flags setFlags
	var out, format string
	cmd := &cobra.Command{
		Use:     kind,
		Short:   "Generate " + what,
		Example: fmt.Sprintf("  cubeloom gen %s --out ./data --format parquet", kind),
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := flags.set(kind)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			return generateFiles(ctx, set, flags.seed, out, format, stdio(cmd))
		},
	}
	flags.register(cmd, kind)
	if kind == "ssb" || kind == "tpch" || kind == "retail" {
		cmd.Flags().Float64Var(&flags.scale, "sf", 0.1, "scale factor")
	}
	cmd.Flags().StringVar(&out, "out", ".", "directory that the files are written to, one for each table")
	cmd.Flags().StringVar(&format, "format", "parquet", "parquet or csv")
	return cmd
}

// generateFiles writes every table of the set to a file in directory out. A
// file gets its name when it is complete.
func generateFiles(ctx context.Context, set workload.Set, seed uint64, out, format string, io streams) error {
	if format != "parquet" && format != "csv" {
		return fmt.Errorf("unknown format %q: use parquet or csv", format)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	files := &tableFiles{dir: out, format: format, open: make(map[string]*tableFile)}
	bar := newBar(io.err, "generating")
	err := set.Generate(ctx, workload.Options{Seed: seed, Progress: bar.update}, files.write)
	bar.finish()
	if closeErr := files.close(err == nil); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	for _, t := range set.Tables() {
		fmt.Fprintf(io.out, "%-12s %12d rows  %s\n", t.Name, t.Rows, filepath.Join(out, t.Name+"."+format))
	}
	return saveDDL(set, out)
}

// saveDDL writes the CREATE TABLE statements beside the files.
func saveDDL(set workload.Set, out string) error {
	var ddl strings.Builder
	for _, t := range set.Tables() {
		ddl.WriteString(t.DDL + ";\n")
	}
	return os.WriteFile(filepath.Join(out, "schema.sql"), []byte(ddl.String()), 0o644)
}
