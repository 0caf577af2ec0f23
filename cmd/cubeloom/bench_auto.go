package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/spf13/cobra"
)

// autoFlags are those of bench auto.
type autoFlags struct {
	engineFlags
	ssb, tpch  []float64
	cube, csv  int64
	beside     []string
	runs       int
	warm, time time.Duration
	limit      time.Duration
	asJSON     bool
}

// autoBench is device = auto beside other devices.
type autoBench struct {
	Cells []autoCell `json:"cells"`

	flags   *autoFlags
	program string // that a cold process runs
	folder  string // of the data and the caches
	until   time.Time
	streams
}

// autoCell is one query over one kind of table, in one kind of process.
type autoCell struct {
	Data    string `json:"data"`
	Query   string `json:"query"`
	Process string `json:"process"`
	// Times are milliseconds, by device: of a whole process, of a query, or of the clock for each of the
	// queries that clients ask at the same time.
	Times map[string]float64 `json:"milliseconds"`
}

// worstRatio is how much longer than with the better device a query may take with device = auto.
const worstRatio = 1.1

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
	sets, err := f.sets()
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

// each are texts of all devices, auto last.
func (b *autoBench) each(text func(device string) string) []string {
	var list []string
	for _, d := range b.devices() {
		list = append(list, text(d))
	}
	return list
}

// devices are those that are compared, auto last.
func (b *autoBench) devices() []string { return append(slices.Clone(b.flags.beside), "auto") }

// isLate reports whether nothing else is begun.
func (b *autoBench) isLate() bool { return !b.until.IsZero() && time.Now().After(b.until) }

// add takes a row and writes it.
func (b *autoBench) add(c autoCell) {
	b.Cells = append(b.Cells, c)
	if b.flags.asJSON {
		return
	}
	texts := b.each(func(d string) string { return fmt.Sprintf("%11.2f", c.Times[d]) })
	fmt.Fprintf(b.out, "%-22s %-6s %-13s%s   %.2f\n", c.Data, c.Query, c.Process, strings.Join(texts, ""), c.ratio())
}

// ratio is what auto takes, where the better of the others takes 1.
func (c *autoCell) ratio() float64 {
	better := 0.0
	for device, t := range c.Times {
		if device != "auto" && (better == 0 || t < better) {
			better = t
		}
	}
	return c.Times["auto"] / better
}

// sum writes how many rows are within the bound.
func (b *autoBench) sum(out io.Writer) {
	above, worst := 0, 0.0
	for i := range b.Cells {
		ratio := b.Cells[i].ratio()
		if worst = max(worst, ratio); ratio > worstRatio {
			above++
		}
	}
	fmt.Fprintf(out, "%d rows, %d of them above %.1f times the better; the worst %.2f\n", len(b.Cells), above, worstRatio, worst)
	if b.isLate() {
		fmt.Fprintln(out, "the time was over before all was measured")
	}
}
