package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// syntheticBench times random cubes in each form in which a device goes on with the matches
// of a join.
type syntheticBench struct {
	Seed   uint64          `json:"seed"`
	Runs   int             `json:"runs"`
	Wanted int             `json:"wanted"`
	Cubes  []syntheticCube `json:"cubes"`
}

// syntheticFlags say which cubes, and what is timed of them: forms, or numbers of replicas of
// targets that lie where a strategy of aggregations has them.
type syntheticFlags struct {
	cubes, from int
	maxCells    int64
	limit       time.Duration
	replicas    []string
	aggregate   string
}

// register adds the flags to cmd.
func (f *syntheticFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.cubes, "synthetic", 0, "time so many random cubes in each form instead")
	flags.IntVar(&f.from, "synthetic-from", 0, "number of the first of them")
	flags.Int64Var(&f.maxCells, "synthetic-cells", 100_000_000, "most cells of one")
	flags.DurationVar(&f.limit, "synthetic-limit", 0, "begin no other one after so long (default: none)")
}

// byReplicas reports whether numbers of replicas are timed.
func (f *syntheticFlags) byReplicas() bool { return len(f.replicas) > 1 }

// ways are the settings that are timed by their names, that which leaves the choice last.
func (f *syntheticFlags) ways() (setting string, values []string) {
	if f.byReplicas() {
		others := slices.DeleteFunc(slices.Clone(f.replicas), func(n string) bool { return n == autoForm })
		return "group_replicas", append(others, autoForm)
	}
	return "expand_strategy", append(slices.Clone(expand.Names()), autoForm)
}

// syntheticCube is what a cube took.
type syntheticCube struct {
	Cube string `json:"cube"`
	*workload.Features
	Groups    string             `json:"groups"`    // how they are found: dense or hash
	Aggregate string             `json:"aggregate"` // strategy of the aggregation
	Replicas  string             `json:"replicas,omitempty"`
	Additions float64            `json:"additions"`
	Forms     map[string]float64 `json:"kernels_ms"` // by form, or by number of replicas; auto is what was chosen in the end
	Predicted map[string]float64 `json:"predicted_ms"`
	Taken     string             `json:"taken"`  // at first
	Reason    string             `json:"reason"` // in the end
}

// autoForm leaves the form to the choice.
const autoForm = "auto"

// slowForm is what a form may take that is timed more than once.
const slowForm = 300 * time.Millisecond

// best is the form that took the least, and its time.
func (c *syntheticCube) best() (form string, ms float64) {
	for _, name := range slices.Sorted(maps.Keys(c.Forms)) {
		if took := c.Forms[name]; name != autoForm && (form == "" || took < ms) {
			form, ms = name, took
		}
	}
	return form, ms
}

// ratio is how many times as long as in the best form that took which was chosen in the end.
func (c *syntheticCube) ratio() float64 { return c.ratioOf(autoForm) }

// firstRatio is that of the form that was chosen before others were timed.
func (c *syntheticCube) firstRatio() float64 {
	if _, isForm := c.Forms[c.Taken]; isForm {
		return c.ratioOf(c.Taken)
	}
	return c.ratio()
}

func (c *syntheticCube) ratioOf(form string) float64 {
	_, best := c.best()
	return c.Forms[form] / best
}

// synthetic times cubes, each in a database of its own.
func (f *syntheticFlags) run(ctx context.Context, engine *engineFlags, seed uint64, runs int, w io.Writer) *syntheticBench {
	b := &syntheticBench{Seed: seed, Runs: runs, Wanted: f.cubes}
	began := time.Now()
	for i := range f.cubes {
		if f.limit > 0 && time.Since(began) > f.limit {
			break
		}
		s := workload.DrawSynthetic(seed, f.from+i, f.maxCells)
		cube := f.time(ctx, engine, f.from+i, s, seed, runs)
		b.Cubes = append(b.Cubes, *cube)
		fmt.Fprintf(w, "%d: %s; %s\n", f.from+i, cube.line(), cube.Reason)
	}
	return b
}

// time times a cube in each form, or with each number of replicas, and compares their answers with the
// CPU's, which sums the cells by element first.
func (f *syntheticFlags) time(ctx context.Context, engine *engineFlags, i int, s *workload.Synthetic, seed uint64, runs int) *syntheticCube {
	defer during("cube %d of seed %d, %v", i, seed, s)
	db := sqlstate.Must(engine.open())
	defer db.Close()
	sqlstate.Check(loadSet(ctx, db, s, seed, io.Discard))
	host := sqlstate.Must(configured(ctx, db, "on", "cpu"))
	want := sqlstate.Must(host.Query(ctx, s.Query().SQL))
	cube := &syntheticCube{Cube: s.String(), Additions: s.Additions(), Features: s.Features(seed), Forms: map[string]float64{}, Predicted: map[string]float64{}}
	setting, ways := f.ways()
	for _, way := range ways {
		settings := map[string]string{"disabled_rules": "push_aggregates", "aggregate_strategy": f.aggregate, setting: way}
		if f.byReplicas() {
			settings["preaggregate_strategy"] = "none"
		}
		cube.time(ctx, db, s, way, settings, runs, want)
	}
	return cube
}

// time times one way, unless it does not apply.
func (c *syntheticCube) time(ctx context.Context, db *cubeloom.DB, s *workload.Synthetic, form string, settings map[string]string, runs int, want *cubeloom.Result) {
	defer during("%s", form)
	session, err := configured(ctx, db, "on", "cuda", assignments(settings)...)
	sqlstate.Check(err)
	began := time.Now()
	got, err := session.Query(ctx, s.Query().SQL)
	var refused *cubeloom.Error
	if errors.As(err, &refused) && refused.Code == "0A000" {
		return
	}
	if err == nil {
		err = sameRows(want, got)
	}
	sqlstate.Check(err)
	if time.Since(began) > slowForm {
		runs = 1
	}
	if form == autoForm {
		c.settle(ctx, session, s.Query().SQL)
		if got, err = session.Query(ctx, s.Query().SQL); err == nil {
			err = sameRows(want, got)
		}
		sqlstate.Check(err)
	}
	groups := sqlstate.Must(medianLaunches(ctx, session, s.Query().SQL, runs))
	c.Forms[form] = adding(groups)
	if form != autoForm {
		return
	}
	plan, err := explain(ctx, session, "FUSION", s.Query().SQL)
	if err == nil {
		c.noteStrategies(plan)
	}
	sqlstate.Check(err)
}

// slowSettling is how long forms are timed at most before the last one is taken.
const slowSettling = 5 * time.Second

// settle runs the query until no other form is to be timed, and keeps the first choice and the last reason.
func (c *syntheticCube) settle(ctx context.Context, session *cubeloom.Session, text string) {
	for began := time.Now(); time.Since(began) < slowSettling; {
		groups := sqlstate.Must(measureLaunches(ctx, session, text))
		if c.Taken == "" {
			c.note(groups)
		}
		ended := true
		for i := range groups {
			for _, d := range groups[i].Measured.Forms {
				c.Reason = d.Reason
				ended = ended && !d.Sought
			}
		}
		if ended {
			break
		}
	}
}

// noteStrategies keeps how the cells are added to their targets.
func (c *syntheticCube) noteStrategies(plan *programPlan) {
	for i := range plan.Program.Decisions {
		switch d := &plan.Program.Decisions[i]; d.Of {
		case "aggregate":
			c.Groups = "dense" // also where rows are partitioned, the tables of parts alike
			if d.strategy() == "hash" {
				c.Groups = "hash"
			}
		case "aggregate on the device":
			c.Aggregate = d.strategy()
		case "replicas on the device":
			c.Replicas = d.strategy()
		}
	}
}

// adding is what the launches took that look cells up, and that add replicas of targets up, in
// milliseconds.
func adding(groups []groupLaunches) float64 {
	sum := time.Duration(0)
	for i := range groups {
		for _, l := range groups[i].Measured.Launches {
			if strings.Contains(l.Entry, "probe") || strings.Contains(l.Entry, "compact") {
				sum += l.Time
			}
		}
	}
	return harness.Milliseconds(sum)
}

// note keeps what the run has chosen, and what was predicted.
func (c *syntheticCube) note(groups []groupLaunches) {
	c.Taken = "as planned"
	for i := range groups {
		for _, d := range groups[i].Measured.Forms {
			for _, o := range d.Offers {
				if o.Refusal == "" {
					c.Predicted[o.Strategy] = o.Cost / 1e6
				}
				if o.Taken {
					c.Taken = o.Strategy
				}
			}
		}
	}
}

// line is the cube in print.
func (c *syntheticCube) line() string {
	form, ms := c.best()
	text := c.Cube + fmt.Sprintf(", %.3g G additions:", c.Additions/1e9)
	for _, name := range slices.Sorted(maps.Keys(c.Forms)) {
		text += fmt.Sprintf(" %s %.3f (%.3f)", name, c.Forms[name], c.Predicted[name])
	}
	return text + fmt.Sprintf("; %s, %s replicas, best %s %.3f, ratio %.2f, at first %.2f", c.Taken, c.Replicas, form, ms, c.ratio(), c.firstRatio())
}

// within is the share of the cubes for which a choice is within a ratio of the best form.
func (b *syntheticBench) within(choice func(*syntheticCube) float64, ratio float64) float64 {
	n := 0
	for i := range b.Cubes {
		if choice(&b.Cubes[i]) <= ratio {
			n++
		}
	}
	return float64(n) / float64(max(len(b.Cubes), 1))
}

// print writes the summary.
func (b *syntheticBench) print(out io.Writer) {
	fmt.Fprintf(out, "%d of %d synthetic cubes of seed %d, kernels in milliseconds (predicted in brackets), answers compared\n\n", len(b.Cubes), b.Wanted, b.Seed)
	w := harness.Table(out)
	fmt.Fprintln(w, "within\tshare of the cubes, in the end\tat first\t")
	for _, percent := range []int{5, 10, 20, 50} {
		ratio := 1 + float64(percent)/100
		fmt.Fprintf(w, "%d %%\t%.1f %%\t%.1f %%\t\n", percent, 100*b.within((*syntheticCube).ratio, ratio), 100*b.within((*syntheticCube).firstRatio, ratio))
	}
	w.Flush()
	worst := slices.SortedFunc(slices.Values(b.Cubes), func(x, y syntheticCube) int { return -cmp.Compare(x.ratio(), y.ratio()) })
	fmt.Fprint(out, "\nthe worst\n\n")
	for i := range worst[:min(len(worst), 5)] {
		fmt.Fprintln(out, worst[i].line())
	}
}
