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
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/spf13/cobra"
)

// cubingBench times the series of Zhou 2010 (figures 6 to 9): cubes and icebergs over one
// parameter at a time, by refinement on one thread (BUC) and on all, and by roll-up.
type cubingBench struct {
	Threads int           `json:"threads"`
	Runs    int           `json:"runs"`
	Points  []cubingPoint `json:"points"`
	Left    int           `json:"points_left_out,omitempty"` // when the time limit was reached
}

// cubingPoint is one point of a series.
type cubingPoint struct {
	Series string             `json:"series"`
	Set    string             `json:"data"`
	Least  int64              `json:"least_rows_of_a_group"`
	Rows   int64              `json:"rows"`
	Times  map[string]float64 `json:"ms"`         // by way
	Digest float64            `json:"digest_ms"`  // to read the rows of the answer
	Auto   string             `json:"auto_takes"` // of the strategies
	Taken  string             `json:"partitions"`

	set   workload.Set
	query workload.Query
}

// The ways in which a point is computed.
const (
	wayBUC    = "BUC, one thread"
	wayRefine = "refine"
	wayRollup = "rollup"
)

// cubingFlags say which points.
type cubingFlags struct {
	series []string
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
The answers of all ways are compared before they are timed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range flags.series {
				if !slices.Contains(cubingSeries, name) {
					return fmt.Errorf("--series: there is no series %q: use %s", name, strings.Join(cubingSeries, ", "))
				}
			}
			if flags.rows < 1 {
				return fmt.Errorf("--rows must be at least 1, got %d", flags.rows)
			}
			return bench.with(cmd, func(ctx context.Context, db *cubeloom.DB) error {
				b := &cubingBench{Threads: db.Threads(), Runs: bench.runs}
				if err := b.run(ctx, db, &flags, stdio(cmd).err); err != nil {
					return err
				}
				return bench.write(cmd.OutOrStdout(), b, b.print)
			})
		},
	}
	bench.register(cmd, 3, "timed runs of each way")
	cmd.Flags().StringSliceVar(&flags.series, "series", cubingSeries, "only these series")
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
			err := p.time(ctx, db, b.Runs)
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

// time computes the point in every way, compares the answers, and times them.
func (p *cubingPoint) time(ctx context.Context, db *cubeloom.DB, runs int) error {
	p.Times = map[string]float64{}
	var want *harness.Digest
	for _, way := range []string{wayRefine, wayBUC, wayRollup} {
		session, err := configured(ctx, db, "on", "cpu")
		if err != nil {
			return err
		}
		strategy := wayRefine
		if way == wayRollup {
			strategy = wayRollup
		}
		sets := []string{"SET cube_strategy = " + strategy}
		if way == wayBUC {
			sets = append(sets, "SET threads = 1")
		}
		for _, set := range sets {
			if _, err := session.Query(ctx, set); err != nil {
				return err
			}
		}
		t, err := timeIn(ctx, session, p.query.SQL, runs)
		if err != nil {
			return fmt.Errorf("%s: %w", way, err)
		}
		p.Times[way], p.Rows = harness.Milliseconds(t.time), t.rows
		began := time.Now()
		got, err := digestRows(t.res)
		if err != nil {
			return err
		}
		p.Digest = harness.Milliseconds(time.Since(began))
		if want == nil {
			want = &got
			if p.Taken, err = takenBy(ctx, session, p.query.SQL); err != nil {
				return err
			}
		}
		if *want != got {
			return fmt.Errorf("%s and %s differ: %v and %v", wayRefine, way, *want, got)
		}
	}
	return p.choice(ctx, db)
}

// takenBy is what EXPLAIN ANALYZE says of the partitions of a cube that is refined.
func takenBy(ctx context.Context, session *cubeloom.Session, sql string) (string, error) {
	groups, err := measureLaunches(ctx, session, sql)
	if err != nil {
		return "", err
	}
	for i := range groups {
		if strings.Contains(groups[i].name(), "cubing") {
			return groups[i].Measured.Taken, nil
		}
	}
	return "", errors.New("no group refines")
}

// choice notes which strategy is taken where none is forced.
func (p *cubingPoint) choice(ctx context.Context, db *cubeloom.DB) error {
	session, err := configured(ctx, db, "on", "cpu")
	if err != nil {
		return err
	}
	res, err := session.Query(ctx, "EXPLAIN (FUSION) "+p.query.SQL)
	if err != nil {
		return err
	}
	cur := res.Cursor()
	p.Auto = wayRollup
	for cur.Next() {
		if strings.Contains(string(cur.AppendText(nil, 0)), "cubing  ") {
			p.Auto = wayRefine
		}
	}
	return cur.Err()
}

// line is the point in print.
func (p *cubingPoint) line() string {
	return fmt.Sprintf("%s: %s M=%d: %d rows; %s %.1f ms, %s %.1f ms, %s %.1f ms; auto takes %s; digested in %.1f ms; %s",
		p.Series, p.Set, p.Least, p.Rows, wayBUC, p.Times[wayBUC], wayRefine, p.Times[wayRefine], wayRollup, p.Times[wayRollup], p.Auto, p.Digest, p.Taken)
}

// print writes the table.
func (b *cubingBench) print(out io.Writer) {
	fmt.Fprintf(out, "cubes by refinement and by roll-up, %d threads, median of %d hot runs, answers compared\n\n", b.Threads, b.Runs)
	w := harness.Table(out)
	fmt.Fprintln(w, "series\tdata\tM\trows\tBUC ms\trefine ms\trollup ms\tauto\tdigest ms\t")
	close := 0
	for i := range b.Points {
		p := &b.Points[i]
		best := min(p.Times[wayRefine], p.Times[wayRollup])
		if p.Times[p.Auto] <= 1.1*best {
			close++
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%s\t%.1f\t\n", p.Series, p.Set, p.Least, p.Rows, p.Times[wayBUC], p.Times[wayRefine], p.Times[wayRollup], p.Auto, p.Digest)
	}
	w.Flush()
	fmt.Fprintf(out, "auto within 10 %% of the better strategy: %d of %d points\n", close, len(b.Points))
	if b.Left > 0 {
		fmt.Fprintf(out, "%d points were left out: the time limit was reached\n", b.Left)
	}
}
