package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/operators/cubing"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// cubingWays are all of them.
var cubingWays = []cubingWay{
	{"BUC", "cpu", cubing.Refine, "1"},
	{"refine", "cpu", cubing.Refine, ""},
	{"rollup", "cpu", cubing.Rollup, ""},
	{"refine-cuda", "cuda", cubing.Refine, ""},
	{"rollup-cuda", "cuda", cubing.Rollup, ""},
}

// chosenWays are those that the flags name, or all of the devices.
func (f *cubingFlags) chosenWays(device string) ([]cubingWay, error) {
	for _, name := range f.ways {
		if !slices.ContainsFunc(cubingWays, func(w cubingWay) bool { return w.name == name }) {
			return nil, fmt.Errorf("--ways: there is no way %q", name)
		}
	}
	return slices.DeleteFunc(slices.Clone(cubingWays), func(w cubingWay) bool {
		if len(f.ways) > 0 {
			return !slices.Contains(f.ways, w.name)
		}
		return w.device == "cuda" && device != "cuda"
	}), nil
}

// time computes the point in every way, compares the answers, and times them.
func (p *cubingPoint) time(ctx context.Context, db *cubeloom.DB, b *cubingBench) {
	p.Times, p.Auto = map[string]cubingTime{}, map[string]string{}
	var want *harness.Digest
	for _, way := range b.ways {
		session, err := configured(ctx, db, "on", way.device)
		sqlstate.Check(err)
		p.choice(ctx, session, way.device)
		sets := []string{"SET cube_strategy = " + way.strategy}
		if way.threads != "" {
			sets = append(sets, "SET threads = "+way.threads)
		}
		for _, set := range sets {
			sqlstate.Must(session.Query(ctx, set))
		}
		t, got, err := p.timeWay(ctx, session, &way, b.Runs)
		var full *value.Error
		if errors.As(err, &full) && full.Code == value.CodeOutOfMemory {
			p.Times[way.name] = cubingTime{Refusal: full.Message}
			continue
		}
		if err != nil {
			panic(fmt.Errorf("%s: %w", way.name, err))
		}
		p.Times[way.name], p.Rows, p.Digest = t, got.Rows, got.String()
		if want == nil {
			want = &got
		}
		if *want != got {
			panic(fmt.Errorf("the answer of %s differs from the one before: %v and %v", way.name, got, *want))
		}
	}
}

// longRun is how long a first run takes on the CPU that is not repeated.
const longRun = time.Second

// timeWay times the point in a session, and digests the answer.
func (p *cubingPoint) timeWay(ctx context.Context, session *cubeloom.Session, way *cubingWay, runs int) (t cubingTime, got harness.Digest, err error) {
	var last *cubeloom.Result
	query := func() (err error) {
		if last != nil {
			last.Close()
		}
		last, err = session.Query(ctx, p.query.SQL)
		return err
	}
	costs, err := harness.Repeat(1, harness.Process, query, nil) // on a device it may compile
	long := err == nil && way.device == "cpu" && costs[0].Elapsed >= longRun
	if err == nil && !long {
		costs, err = harness.Repeat(runs, harness.Process, query, nil)
	}
	if err != nil {
		return t, got, err
	}
	median := costs.Median()
	t.Query, t.CPU = harness.Milliseconds(median.Elapsed), harness.Milliseconds(median.CPU)
	t.CopyBack = harness.Milliseconds(last.Stats.CopyBack)
	began := time.Now()
	if got, err = digest(last, nil); err != nil {
		return t, got, err
	}
	t.Digest = harness.Milliseconds(time.Since(began))
	last.Close()
	if way.threads != "" || long {
		return t, got, nil // what is taken is that of all threads, and told where it does not take long
	}
	groups, err := measureLaunches(ctx, session, p.query.SQL)
	if err != nil {
		return t, got, err
	}
	kernels, n := kernelTime(groups)
	t.Kernels, t.Launches = harness.Milliseconds(kernels), n
	for i := range groups {
		if strings.Contains(groups[i].name(), "cubing") && groups[i].Measured.Taken != "" {
			p.Taken = groups[i].Measured.Taken
		}
	}
	return t, got, nil
}

// choice notes which strategy is taken in a place where none is forced.
func (p *cubingPoint) choice(ctx context.Context, session *cubeloom.Session, device string) {
	if p.Auto[device] != "" {
		return
	}
	plan := sqlstate.Must(explain(ctx, session, "FUSION", p.query.SQL))
	for i := range plan.Program.Decisions {
		if d := &plan.Program.Decisions[i]; d.Of == "cube" {
			p.Auto[device] = d.strategy()
			for _, o := range d.Offers {
				if o.Strategy == cubing.Refine {
					p.Guess = o.Detail
				}
			}
		}
	}
}
