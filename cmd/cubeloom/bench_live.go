package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
)

// liveBench is what tuning while queries run does to a series of group-bys: the kernels of
// each repetition, from the first that tries launch parameters, and then other ways to group, on.
type liveBench struct {
	Data   string      `json:"data"`
	Points []livePoint `json:"points"`
}

// livePoint is one query.
type livePoint struct {
	Query   string    `json:"query"`
	Usual   float64   `json:"kernels_without_tuning_ms"` // median
	Repeats []float64 `json:"kernels_of_each_repetition_ms"`
	Tuned   float64   `json:"kernels_tuned_ms"` // median, after the repetitions
	Taken   string    `json:"taken"`            // what EXPLAIN says of it
}

// repetitions is how many queries may search, and usualRuns how many are timed before, and after.
const (
	repetitions = 10
	usualRuns   = 5
)

// compiledBehind is how long a repetition waits for what is compiled behind the one before.
const compiledBehind = 2 * time.Second

// runLive times the loads.
func runLive(ctx context.Context, db *cubeloom.DB, device string, loads []load, io streams) (*liveBench, error) {
	if device != "cuda" {
		return nil, errors.New("--live needs --device cuda")
	}
	b := &liveBench{Data: fmt.Sprintf("%+v", loads[0].set)}
	for _, l := range loads {
		if err := loadSet(ctx, db, l.set, l.seed, io.err); err != nil {
			return nil, err
		}
		p, err := timeLive(ctx, db, l.queries[0])
		if err != nil {
			return nil, err
		}
		b.Points = append(b.Points, *p)
		if err := dropTables(ctx, db, l.set); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func timeLive(ctx context.Context, db *cubeloom.DB, q workload.Query) (*livePoint, error) {
	p := &livePoint{Query: q.Name}
	session, err := configured(ctx, db, "on", "cuda")
	if err != nil {
		return nil, err
	}
	kernels := func(tuning string, runs int) (float64, error) {
		if _, err := session.Query(ctx, "SET tuning = "+tuning); err != nil {
			return 0, err
		}
		groups, err := medianLaunches(ctx, session, q.SQL, runs)
		if err != nil {
			return 0, err
		}
		p.Taken = groups[len(groups)-1].Measured.Taken
		took, _ := kernelTime(groups)
		return harness.Milliseconds(took), nil
	}
	if _, err := kernels("off", 1); err != nil { // compiles
		return nil, err
	}
	if p.Usual, err = kernels("off", usualRuns); err != nil {
		return nil, err
	}
	for range repetitions {
		took, err := kernels("on", 1)
		if err != nil {
			return nil, err
		}
		select {
		case <-time.After(compiledBehind):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		p.Repeats = append(p.Repeats, took)
	}
	p.Tuned, err = kernels("on", usualRuns)
	return p, err
}

// print writes a row for each query.
func (b *liveBench) print(out io.Writer) {
	fmt.Fprintf(out, "tuned while queries run: groupby %s\n\n", b.Data)
	w := harness.Table(out)
	fmt.Fprintf(w, "query\twithout ms\ttuned ms\ttuned/without\t%d repetitions ms\ttaken\t\n", repetitions)
	for i := range b.Points {
		p := &b.Points[i]
		times := make([]string, len(p.Repeats))
		for k, t := range p.Repeats {
			times[k] = fmt.Sprintf("%.3f", t)
		}
		fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.3f\t%s\t%s\t\n", p.Query, p.Usual, p.Tuned, p.Tuned/p.Usual, strings.Join(times, " "), p.Taken)
	}
	w.Flush()
}
