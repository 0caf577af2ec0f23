package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

func newBenchCubing() *cobra.Command {
	var bench benchFlags
	var flags cubingFlags
	cmd := &cobra.Command{
		Use:   "cubing",
		Short: "Time cubes and icebergs by refinement and by roll-up over the series of GPU-Cubing's paper",
		Long: `Varies one parameter at a time: the tuples T, the dimensions D, the values C of each,
the skew S and the least rows M of a group, beside a base of D = 6, C = 100 and --rows
tuples; and the dimensions of weather reports. Each point is a full cube or an iceberg.
Ways are BUC on one thread, refine and rollup on all, and with --device cuda refine-cuda
and rollup-cuda. The answers go into a consumer that counts and digests their rows, and
are compared.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range flags.series {
				if !slices.Contains(workload.CubingSeries(), name) {
					return fmt.Errorf("--series: there is no series %q: use %s", name, strings.Join(workload.CubingSeries(), ", "))
				}
			}
			ways, err := flags.chosenWays(bench.device)
			if err != nil {
				return err
			}
			if flags.clock != wallClock && flags.clock != processorClock {
				return fmt.Errorf("--clock is %s or %s", wallClock, processorClock)
			}
			if flags.rows < 1 {
				return fmt.Errorf("--rows must be at least 1, got %d", flags.rows)
			}
			return bench.with(cmd, func(ctx context.Context, db *cubeloom.DB) {
				b := &cubingBench{Threads: db.Threads(), Runs: bench.runs, Clock: flags.clock, ways: ways}
				err := b.run(ctx, db, &flags, stdio(cmd).err)
				if len(b.Points) > 0 {
					err = errors.Join(err, bench.write(cmd.OutOrStdout(), b, b.print))
				}
				sqlstate.Check(err)
			})
		},
	}
	bench.register(cmd, 3, "timed runs of each way")
	cmd.Flags().StringSliceVar(&flags.series, "series", workload.CubingSeries(), "only these series")
	cmd.Flags().StringSliceVar(&flags.ways, "ways", nil, "only these ways (default: all; those of a device with --device cuda)")
	cmd.Flags().Int64SliceVar(&flags.least, "least", nil, "only points with these least rows of a group, such as 1 for full cubes")
	cmd.Flags().IntSliceVar(&flags.dims, "dims", nil, "only points with so many dimensions")
	cmd.Flags().Int64Var(&flags.rows, "rows", 1_000_000, "tuples of the base")
	cmd.Flags().DurationVar(&flags.limit, "limit", 0, "begin no point after this time; 0 is no limit")
	cmd.Flags().StringVar(&flags.clock, "clock", wallClock, "clock of the times of the CPU shown: wall, or cpu for the processor time of all threads, which other work on the machine disturbs less")
	cmd.Flags().Uint64Var(&flags.seed, "seed", 1, "selects the random values")
	return cmd
}

// run times all points, each with tables of its own. What was timed before an error or an interruption
// stays in b.
func (b *cubingBench) run(ctx context.Context, db *cubeloom.DB, f *cubingFlags, progress io.Writer) error {
	began := time.Now()
	for _, series := range f.series {
		for _, p := range f.points(series) {
			if f.limit > 0 && time.Since(began) > f.limit {
				b.Left++
				continue
			}
			if err := loadSet(ctx, db, p.set, f.seed, progress); err != nil {
				return err
			}
			if err := sqlstate.Run(func() { p.time(ctx, db, b) }); err != nil {
				return fmt.Errorf("%s, M=%d: %w", p.Set, p.Least, err)
			}
			if err := dropTables(ctx, db, p.set); err != nil {
				return err
			}
			b.Points = append(b.Points, p)
			fmt.Fprintln(progress, p.line(b.Clock))
		}
	}
	return nil
}
