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
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// liveBench is what tuning while queries run does to a series of group-bys: the kernels of
// each repetition, from the first that tries launch parameters, and then other ways to group, on.
type liveBench struct {
	Data   string      `json:"data"`
	Points []livePoint `json:"points"`
}

// livePoint is one query. What was not measured before an interruption is 0.
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

// compiledBehind is how long a repetition waits for what is compiled behind the one before: two
// kernels at the same time, of which each takes less than half a second.
const compiledBehind = 700 * time.Millisecond

// runLive times the loads. What it returns beside an error is what was measured until then.
func runLive(ctx context.Context, db *cubeloom.DB, device string, loads []load, io streams) (*liveBench, error) {
	if device != "cuda" {
		return nil, errors.New("--live needs --device cuda")
	}
	b := &liveBench{Data: fmt.Sprintf("%+v", loads[0].set)}
	return b, sqlstate.Run(func() {
		for _, l := range loads {
			began := time.Now()
			overSet(ctx, db, l.set, l.seed, io.err, func() {
				fmt.Fprintf(io.err, "%s: loaded in %.1f s\n", l.queries[0].Name, time.Since(began).Seconds())
				b.Points = append(b.Points, livePoint{Query: l.queries[0].Name})
				b.Points[len(b.Points)-1].time(ctx, db, l.queries[0], io.err)
			})
		}
	})
}

// time fills in the times of a query, and says each as soon as it is known.
func (p *livePoint) time(ctx context.Context, db *cubeloom.DB, q workload.Query, progress io.Writer) {
	session := sqlstate.Must(configured(ctx, db, "on", "cuda"))
	kernels := func(tuning string, runs int) (float64, error) {
		if err := change(ctx, session, "tuning = "+tuning); err != nil {
			return 0, err
		}
		groups, err := medianLaunches(ctx, session, q.SQL, runs)
		if err != nil {
			return 0, err
		}
		p.Taken = groups[len(groups)-1].Measured.Taken
		took, _ := kernelTime(groups)
		fmt.Fprintf(progress, "%s: tuning %s, kernels %.3f ms, %s\n", q.Name, tuning, harness.Milliseconds(took), p.Taken)
		return harness.Milliseconds(took), nil
	}
	sqlstate.Must(kernels("off", 1)) // compiles
	p.Usual = sqlstate.Must(kernels("off", usualRuns))
	for range repetitions {
		took := sqlstate.Must(kernels("on", 1))
		p.Repeats = append(p.Repeats, took)
		select {
		case <-time.After(compiledBehind):
		case <-ctx.Done():
			sqlstate.Check(context.Cause(ctx))
			return
		}
	}
	p.Tuned = sqlstate.Must(kernels("on", usualRuns))
}

// print writes a row for each query.
func (b *liveBench) print(out io.Writer) {
	fmt.Fprintf(out, "tuned while queries run: groupby %s\n\n", b.Data)
	w := harness.Table(out)
	fmt.Fprintf(w, "query\twithout ms\ttuned ms\ttuned/without\t%d repetitions ms\ttaken\t\n", repetitions)
	for i := range b.Points {
		p := &b.Points[i]
		times := lists.Map(p.Repeats, func(t float64) string { return fmt.Sprintf("%.3f", t) })
		tuned, ratio := "–", "–" // of a query that was interrupted
		if p.Tuned > 0 {
			tuned, ratio = fmt.Sprintf("%.3f", p.Tuned), fmt.Sprintf("%.3f", p.Tuned/p.Usual)
		}
		fmt.Fprintf(w, "%s\t%.3f\t%s\t%s\t%s\t%s\t\n", p.Query, p.Usual, tuned, ratio, strings.Join(times, " "), p.Taken)
	}
	w.Flush()
}
