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
	"github.com/spf13/cobra"
)

// cubingBench times the series of Zhou 2010 (figures 6 to 9): cubes and icebergs over one
// parameter at a time, by refinement and by roll-up, on the CPU and on a device.
type cubingBench struct {
	Threads int           `json:"threads"`
	Runs    int           `json:"runs"`
	Points  []cubingPoint `json:"points"`
	Left    int           `json:"points_left_out,omitempty"` // when the time limit was reached

	ways []cubingWay
}

// cubingPoint is one point of a series.
type cubingPoint struct {
	Series string                `json:"series"`
	Set    string                `json:"data"`
	Least  int64                 `json:"least_rows_of_a_group"`
	Rows   int64                 `json:"rows"`
	Times  map[string]cubingTime `json:"times"`      // by way
	Auto   map[string]string     `json:"auto_takes"` // of the strategies, by place
	Taken  string                `json:"partitions,omitempty"`

	set   workload.Set
	query workload.Query
}

// cubingFlags say which points.
type cubingFlags struct {
	series []string
	ways   []string
	rows   int64
	limit  time.Duration
	seed   uint64
}

// cubingSeries are the names of the series.
var cubingSeries = []string{"T", "D", "C", "S", "M", "weather"}

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
				if !slices.Contains(cubingSeries, name) {
					return fmt.Errorf("--series: there is no series %q: use %s", name, strings.Join(cubingSeries, ", "))
				}
			}
			ways, err := flags.chosenWays(bench.device)
			if err != nil {
				return err
			}
			if flags.rows < 1 {
				return fmt.Errorf("--rows must be at least 1, got %d", flags.rows)
			}
			return bench.with(cmd, func(ctx context.Context, db *cubeloom.DB) error {
				b := &cubingBench{Threads: db.Threads(), Runs: bench.runs, ways: ways}
				if err := b.run(ctx, db, &flags, stdio(cmd).err); err != nil {
					return err
				}
				return bench.write(cmd.OutOrStdout(), b, b.print)
			})
		},
	}
	bench.register(cmd, 3, "timed runs of each way")
	cmd.Flags().StringSliceVar(&flags.series, "series", cubingSeries, "only these series")
	cmd.Flags().StringSliceVar(&flags.ways, "ways", nil, "only these ways (default: all; those of a device with --device cuda)")
	cmd.Flags().Int64Var(&flags.rows, "rows", 1_000_000, "tuples of the base")
	cmd.Flags().DurationVar(&flags.limit, "limit", 0, "begin no point after this time; 0 is no limit")
	cmd.Flags().Uint64Var(&flags.seed, "seed", 1, "selects the random values")
	return cmd
}

// points are the points of a series.
func (f *cubingFlags) points(series string) (all []cubingPoint) {
	add := func(c workload.Cube, least int64) {
		c.Name = "cube"
		all = append(all, cubingPoint{Series: series, Set: fmt.Sprintf("T=%d D=%d C=%d S=%g", c.Rows, c.Dims, c.Card, c.Skew), Least: least, set: c, query: c.Iceberg(least)})
	}
	base := workload.Cube{Rows: f.rows, Dims: 6, Card: 100}
	for _, least := range []int64{1, 10} {
		switch series {
		case "T":
			for n := range 5 {
				c := base
				c.Rows <<= n
				add(c, least)
			}
		case "D":
			for dims := 3; dims <= 10; dims++ {
				c := base
				c.Dims = dims
				add(c, least)
			}
		case "C":
			for card := int64(10); card <= 10_000; card *= 10 {
				c := base
				c.Card = card
				add(c, least)
			}
		case "S":
			for skew := 0.0; skew <= 3; skew += 0.5 {
				c := base
				c.Skew = skew
				add(c, least)
			}
		case "weather":
			for dims := 3; dims <= 9; dims++ {
				w := workload.Weather{Rows: workload.WeatherRows * f.rows / 1_000_000, Dims: dims}
				all = append(all, cubingPoint{Series: series, Set: fmt.Sprintf("weather T=%d D=%d", w.Rows, dims), Least: least, set: w, query: w.Query(least)})
			}
		}
	}
	if series == "M" {
		for least := int64(1); least <= 100_000; least *= 10 {
			add(base, least)
		}
	}
	return all
}

// run times all points, each with tables of its own.
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
			err := p.time(ctx, db, b)
			if err != nil {
				return fmt.Errorf("%s, M=%d: %w", p.Set, p.Least, err)
			}
			if err := dropTables(ctx, db, p.set); err != nil {
				return err
			}
			b.Points = append(b.Points, p)
			fmt.Fprintln(progress, p.line())
		}
	}
	return nil
}
