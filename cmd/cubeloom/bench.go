package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// newBench makes the command bench.
func newBench() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Time benchmark queries, woven and unwoven side by side",
		Long: `Generates the data in memory, runs every query woven and unwoven, compares the
two answers, and only then times both, hot, by the median of several runs. With
--device cuda the CPU's answer and time stand beside the device's.`,
	}
	cmd.AddCommand(newBenchKind("ssb", "the 13 queries of the Star Schema Benchmark"),
		newBenchKind("tpch", "the 22 queries of TPC-H"),
		newBenchKind("cube", "CUBE, ROLLUP and GROUPING SETS over one table"),
		newBenchKind("dbbench", "the ten group-by questions of the db-benchmark"),
		newBenchKind("dbjoins", "the five join questions of the db-benchmark"),
		newBenchKind("groupby", "sums by one key, for a series of numbers of groups"),
		newBenchOLAP(), newBenchCubing(), newBenchOrdered(), newBenchLatency(), newBenchAuto(), newBenchClients(), newBenchFusion(), newBenchMachine(), newBenchTuning())
	return cmd
}

// newBenchKind makes bench's command for one family.
func newBenchKind(kind, what string) *cobra.Command {
	var bench benchFlags
	var flags setFlags
	var recording recordFlags
	var beside []string
	cmd := &cobra.Command{
		Use:   kind,
		Short: "Time " + what,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			loads, err := flags.loads(kind)
			if err = errors.Join(err, flags.checkPlain(bench.device)); err != nil {
				return err
			}
			return bench.with(cmd, func(ctx context.Context, db *cubeloom.DB) {
				if recording.file != "" {
					recording.run(ctx, db, bench.device, loads, stdio(cmd))
					return
				}
				if flags.live {
					b, err := runLive(ctx, db, bench.device, loads, stdio(cmd))
					if b != nil && len(b.Points) > 0 {
						err = errors.Join(err, bench.write(cmd.OutOrStdout(), b, b.print))
					}
					sqlstate.Check(err)
					return
				}
				b := &benchmark{Family: kind, Data: fmt.Sprintf("%+v", loads[0].set), Threads: db.Threads(), Runs: bench.runs, Device: bench.device, plain: flags.plain, beside: beside}
				err := b.run(ctx, db, loads, stdio(cmd))
				if len(b.Queries) > 0 {
					err = errors.Join(err, bench.write(cmd.OutOrStdout(), b, b.print))
				}
				sqlstate.Check(err)
			})
		},
	}
	bench.register(cmd, 7, "timed runs of each query")
	flags.register(cmd, kind)
	if kind == "ssb" || kind == "tpch" {
		cmd.Flags().Float64Var(&flags.scale, "sf", 1, "scale factor")
	}
	cmd.Flags().StringArrayVar(&beside, "beside", nil, "time queries and kernels of a device under other settings as well, such as 'pack_strategy = stay; filter_strategy = none'; may be repeated")
	if kind == "groupby" {
		recording.register(cmd)
		cmd.Flags().BoolVar(&flags.live, "live", false, "instead time how kernels of a device are tuned while queries run: a query needs 32 blocks of some 60 microseconds")
		cmd.Flags().BoolVar(&flags.plain, "plain", false, "time kernels that can do nothing else beside those of a device, with --scattered")
	} else {
		cmd.Flags().StringSliceVar(&flags.names, "query", nil, "only these queries, such as Q1,Q6 (default: all)")
	}
	return cmd
}

// loads are what the family runs: one set of data with its questions, or a
// series of them.
func (f *setFlags) loads(kind string) ([]load, error) {
	if kind != "groupby" {
		set, err := f.set(kind)
		if err != nil {
			return nil, err
		}
		queries, err := f.chosen(queries(set))
		return []load{{set, queries, f.seed}}, err
	}
	var all []load
	for n := max(f.fewest, 1); n <= f.card; n *= max(f.step, 2) {
		set := workload.Groups{Name: fmt.Sprintf("groups_%d", n), Rows: f.rows, Groups: n, Skew: f.skew, Scattered: f.scattered}
		if err := set.Validate(); err != nil {
			return nil, err
		}
		all = append(all, load{set, []workload.Query{set.Query()}, f.seed})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("--groups must be at least --from, got %d", f.card)
	}
	return all, nil
}

// queries are the questions that are asked of the data.
func queries(set workload.Set) []workload.Query {
	switch s := set.(type) {
	case workload.SSB:
		return workload.SSBQueries()
	case tpch.Data:
		return tpch.Queries(s.SF)
	case workload.DBBench:
		return s.Queries()
	case workload.DBJoins:
		return s.Queries()
	case workload.Cube:
		return append(s.Queries(), s.FinestCuboids()...)
	}
	return nil
}

// run loads the data and runs the family. What was measured before an error or an interruption
// stays in b.
func (b *benchmark) run(ctx context.Context, db *cubeloom.DB, loads []load, io streams) error {
	var failed error
	for _, l := range loads {
		if failed = errors.Join(failed, b.runOne(ctx, db, l, io)); ctx.Err() != nil {
			break
		}
		if len(loads) > 1 { // there may not be room for all
			if err := dropTables(ctx, db, l.set); err != nil {
				return errors.Join(failed, err)
			}
		}
	}
	b.Cliffs, b.Cuboids = b.cliffs(), b.cuboids()
	return failed
}

// runOne loads one set of data and asks its questions. A question that fails does not keep the
// others from being asked.
func (b *benchmark) runOne(ctx context.Context, db *cubeloom.DB, l load, io streams) error {
	if err := loadSet(ctx, db, l.set, l.seed, io.err); err != nil {
		return err
	}
	progress := newBar(io.err, "running")
	defer progress.finish()
	var failed error
	for i, q := range l.queries {
		measured, err := sqlstate.Try(func() benchQuery { return b.measure(ctx, db, q) })
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", q.Name, err))
			if ctx.Err() != nil {
				return failed
			}
			continue
		}
		if b.Family == "groupby" {
			measured.Rate = float64(l.set.Tables()[0].Rows) / measured.Woven / 1e3
		}
		if b.plain {
			if err := sqlstate.Run(func() { measured.Device.timePlain(ctx, l, b.Runs) }); err != nil {
				return errors.Join(failed, err)
			}
		}
		b.Queries = append(b.Queries, measured)
		progress.update(int64(i+1), int64(len(l.queries)))
	}
	return failed
}

// measure checks that a query's answers agree, then times it.
func (b *benchmark) measure(ctx context.Context, db *cubeloom.DB, q workload.Query) benchQuery {
	woven, want := timeAnswer(ctx, db, "on", b.Device, q.SQL, b.Runs)
	unwoven, got := timeAnswer(ctx, db, "off", b.Device, q.SQL, b.Runs)
	if err := want.agree(got, q.Magnitude); err != nil {
		panic(fmt.Errorf("woven and unwoven answers differ: %w", err))
	}
	w, u := harness.Milliseconds(woven.time), harness.Milliseconds(unwoven.time)
	measured := benchQuery{Name: q.Name, Rows: woven.rows, Woven: w, Unwoven: u, Ratio: u / w,
		WovenBytes: woven.bytes, UnwovenBytes: unwoven.bytes}
	if b.Device == "cuda" {
		measured.Device = b.measureDevice(ctx, db, q, want, woven.res.Notices)
	}
	return measured
}

// print writes the table of times and ratios.
func (b *benchmark) print(out io.Writer) {
	fmt.Fprintf(out, "%s %s, %d threads, device %s, median of %d hot runs, answers compared\n\n", b.Family, b.Data, b.Threads, b.Device, b.Runs)
	w := harness.Table(out)
	fmt.Fprintln(w, "query\trows\twoven ms\tunwoven ms\tratio\twoven wrote\tunwoven wrote\t"+b.rateHeader()+deviceHeader(b.Device)+b.plainHeader())
	var ratios []float64
	for _, q := range b.Queries {
		ratios = append(ratios, q.Ratio)
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%.2f\t%.2f\t%s\t%s\t%s%s%s\n",
			q.Name, q.Rows, q.Woven, q.Unwoven, q.Ratio, formatBytes(q.WovenBytes), formatBytes(q.UnwovenBytes), b.rate(q), q.Device.cells(q.Woven), q.Device.plainCells())
	}
	fmt.Fprintf(w, "geometric mean\t\t\t\t%.2f\t\t\t\n", harness.GeometricMean(ratios))
	w.Flush()
	for _, cliff := range b.Cliffs {
		fmt.Fprintln(out, cliff)
	}
	for i := range b.Cuboids {
		fmt.Fprintln(out, b.Cuboids[i].text())
	}
	for _, q := range b.Queries {
		q.Device.remarks(out, q.Name)
	}
}
