package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/runtime/tune"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// newTune makes the command tune.
func newTune() *cobra.Command {
	var engine engineFlags
	var t tuner
	var dry bool
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "tune",
		Short: "Fit the engine to this machine",
		Long: `Runs benchmark queries over a table in memory with other sizes of vectors, hash tables,
arrays and partitions, and keeps those that are faster on this machine. The results go
to the file of the processor in the folder of --machine, which is read at the next
start. EXPLAIN (FUSION) shows what was tuned.

It goes from what holds now to faster neighbors until there is none, takes the mean of
three runs that take about the same time, and keeps what then is faster in runs by
turns. It takes some minutes, on a machine that does nothing else.

With --device cuda it tunes how a device groups instead: the strategy, the sizes of blocks
and the parameters of launches for series of group-bys, dense, with a Zipf distribution and
scattered. What is faster goes to the file of the device, which queries with SET tuning = on
go by.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case t.rows < 1<<10:
				return fmt.Errorf("--rows must be at least %d, got %d", 1<<10, t.rows)
			case t.runs < 1:
				return fmt.Errorf("--runs must be at least 1, got %d", t.runs)
			case engine.machine == "" && !dry:
				return errors.New("--machine names no folder for the results")
			}
			for _, name := range t.only {
				if !slices.ContainsFunc(tunedKnobs, func(k knobs) bool { return k.what == name }) {
					return fmt.Errorf("--only: there is no %q: %s", name, strings.Join(knobNames(), ", "))
				}
			}
			return engine.with(cmd, func(ctx context.Context, db *cubeloom.DB) {
				if engine.device == "cuda" {
					rows := int64(deviceRows)
					if cmd.Flags().Changed("rows") {
						rows = int64(t.rows)
					}
					d := &deviceTuner{points: devicePoints(rows), runs: t.runs, db: db, log: cmd.ErrOrStderr()}
					if !dry {
						d.folder = engine.machine
					}
					if limit > 0 {
						d.until = time.Now().Add(limit)
					}
					d.all(ctx, cmd.OutOrStdout())
					return
				}
				t.session, t.log = db.Session(), cmd.ErrOrStderr()
				var err error
				found := t.all(ctx)
				printTuned(cmd.OutOrStdout(), found)
				if dry {
					return
				}
				file, err := machine.Update(engine.machine, machine.HostName(), func(c *machine.Calibration) {
					for i := range found {
						if found[i].Gain > 1 {
							c.Keep(found[i])
						}
					}
				})
				if err == nil {
					fmt.Fprintln(cmd.ErrOrStderr(), "wrote", file)
				}
				sqlstate.Check(err)
			})
		},
	}
	engine.register(cmd)
	cmd.Flags().IntVar(&t.rows, "rows", 1<<21, "rows of the table that the queries read; 30 million on a device")
	cmd.Flags().DurationVar(&limit, "limit", 0, "end after so long, on a device (default: no limit)")
	cmd.Flags().IntVar(&t.runs, "runs", 9, "runs by turns of what was found and what held before, of which the medians count")
	cmd.Flags().StringSliceVar(&t.only, "only", nil, "tune only these: "+strings.Join(knobNames(), ", "))
	cmd.Flags().BoolVar(&dry, "dry-run", false, "show what is found, and keep nothing")
	return cmd
}

// tuner tunes the figures of the host.
type tuner struct {
	rows, runs int
	only       []string // of the knobs; nil: all
	session    *cubeloom.Session
	log        io.Writer
}

// all tunes all knobs, one after the other, and returns what was found of each. The figures
// that held before hold afterwards.
func (t *tuner) all(ctx context.Context) []machine.Tuned {
	before := *machine.Current()
	defer machine.Use(before)
	for _, text := range []string{"SET device = cpu", fmt.Sprintf(tunedTable, t.rows), tunedSmall} {
		sqlstate.Must(t.session.Query(ctx, text))
	}
	var found []machine.Tuned
	for i := range tunedKnobs {
		if len(t.only) > 0 && !slices.Contains(t.only, tunedKnobs[i].what) {
			continue
		}
		fmt.Fprintf(t.log, "tuning %s\n", tunedKnobs[i].what)
		found = append(found, t.one(ctx, &tunedKnobs[i]))
	}
	return found
}

// one tunes some knobs, and leaves the figures as they are best.
func (t *tuner) one(ctx context.Context, k *knobs) machine.Tuned {
	defer during("%s", k.what)
	before := *machine.Current()
	values := k.values()
	start := k.place(values, &before)
	standard := machine.Default()
	other := k.place(values, &standard)
	usual := t.times(ctx, k) // each query counts as much as the others
	s := tune.New(k.neighbors(values), []knobPoint{start, other}, tune.Defaults)
	for !s.Done() {
		t.use(ctx, &before, k.named(values, s.Next()))
		took := t.times(ctx, k)
		s.Took(relative(took, usual))
	}
	best, _ := s.Best()
	blocks, _, _ := s.Effort()
	found := machine.Tuned{What: k.what, When: time.Now().Format(time.DateOnly), Blocks: blocks}
	found.Figures, found.Gain = t.confirm(ctx, k, &before, k.named(values, start), k.named(values, best))
	return found
}

// use has the session go by some figures.
func (t *tuner) use(ctx context.Context, before *machine.Machine, figures map[string]float64) {
	m := sqlstate.Must(before.WithFigures(figures))
	machine.Use(m)
	sqlstate.Must(t.session.Query(ctx, fmt.Sprintf("SET vector_rows = %d", m.Host.Caches.VectorRows)))
}

// times are those of the queries, in seconds.
func (t *tuner) times(ctx context.Context, k *knobs) []float64 {
	times := make([]float64, len(k.queries))
	for i, text := range k.queries {
		start := time.Now()
		res := sqlstate.Must(t.session.Query(ctx, text))
		times[i] = time.Since(start).Seconds()
		res.Close()
	}
	return times
}

// relative is the mean of times as multiples of others.
func relative(times, usual []float64) float64 {
	sum := 0.0
	for i := range times {
		sum += times[i] / usual[i]
	}
	return sum / float64(len(times))
}

// confirm measures what was found and what held before by turns, and returns that of them
// which is to hold, with the gain.
func (t *tuner) confirm(ctx context.Context, k *knobs, before *machine.Machine, old, found map[string]float64) (map[string]float64, float64) {
	var olds, founds [][]float64
	for range t.runs {
		for _, which := range []struct {
			figures map[string]float64
			times   *[][]float64
		}{{old, &olds}, {found, &founds}} {
			t.use(ctx, before, which.figures)
			took := t.times(ctx, k)
			*which.times = append(*which.times, took)
		}
	}
	gain, slowdown := 1.0, 0.0
	for i := range k.queries {
		ratio := medianOf(founds, i) / medianOf(olds, i)
		gain /= math.Pow(ratio, 1/float64(len(k.queries)))
		slowdown = max(slowdown, ratio)
	}
	if gain < leastGain || slowdown > mostSlowdown {
		t.use(ctx, before, old)
		return old, 1
	}
	t.use(ctx, before, found)
	return found, gain
}

// medianOf is the median of the times of one query.
func medianOf(runs [][]float64, query int) float64 {
	list := make([]float64, len(runs))
	for i := range runs {
		list[i] = runs[i][query]
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// printTuned shows what was found.
func printTuned(out io.Writer, found []machine.Tuned) {
	w := harness.Table(out)
	fmt.Fprintln(w, "figure\tnow\tdefault\tblocks\tgain\t")
	for i := range found {
		f := &found[i]
		for _, name := range f.Names() {
			standard := machine.Default()
			usual, _ := standard.Figure(name) // it is one
			fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%d\t%.2f\t\n", name, f.Figures[name], usual, f.Blocks, f.Gain)
		}
	}
	w.Flush()
}
