package main

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// A Measurement is one query on all engines.
type Measurement struct {
	Suite string `json:"suite"`
	Query string `json:"query"`
	Rows  int64  `json:"rows"`
	// Millis holds the median time by engine.
	Millis map[string]float64 `json:"milliseconds"`
	// Wrong holds, by engine, how its answer differs from that of the first
	// engine.
	Wrong map[string]string `json:"wrong,omitempty"`
}

// measure runs a query on each engine: once for its answer, which is compared
// with the first engine's, and then runs times for the time. With no runs it
// only compares.
func measure(ctx context.Context, suite string, q workload.Query, engines []Engine, runs int) (*Measurement, error) {
	m := &Measurement{Suite: suite, Query: q.Name, Millis: map[string]float64{}, Wrong: map[string]string{}}
	var want *Digest
	for _, e := range engines {
		got, err := digestOf(ctx, e, q, want)
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", q.Name, e.Name(), err)
		}
		if want == nil {
			want = got
		}
		if err := got.Compare(want); err != nil {
			m.Wrong[e.Name()] = err.Error()
		}
	}
	m.Rows = want.Rows
	for _, e := range engines {
		if runs == 0 {
			continue
		}
		millis, err := medianMillis(ctx, e, q, runs)
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", q.Name, e.Name(), err)
		}
		m.Millis[e.Name()] = millis
	}
	return m, nil
}

// digestOf runs a query for its answer; first is the first engine's, or nil.
func digestOf(ctx context.Context, e Engine, q workload.Query, first *Digest) (*Digest, error) {
	answer, err := e.Run(ctx, q.SQL)
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	return NewDigest(answer, q, first)
}

// medianMillis times a query that has run before. A run that is not timed comes
// first, so that the engine whose turn it is has its memory back from the
// machine and its data in the caches.
func medianMillis(ctx context.Context, e Engine, q workload.Query, runs int) (float64, error) {
	// What earlier answers left is collected before and not while timing.
	debug.FreeOSMemory()
	times := make([]float64, 1+runs)
	for i := range times {
		start := time.Now()
		answer, err := e.Run(ctx, q.SQL)
		times[i] = float64(time.Since(start).Microseconds()) / 1000
		if err != nil {
			return 0, err
		}
		answer.Close()
	}
	times = times[1:]
	slices.Sort(times)
	return (times[(runs-1)/2] + times[runs/2]) / 2, nil
}

// geometricMean is the geometric mean of positive numbers; NaN of none.
func geometricMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}
