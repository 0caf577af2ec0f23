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
	// Millis holds the median time by engine, CPU the median processor time of
	// the process, all threads together.
	Millis map[string]float64 `json:"milliseconds"`
	CPU    map[string]float64 `json:"cpu_milliseconds"`
	// Peak holds, by engine, the most bytes by which the process grew while the
	// query ran for its answer.
	Peak map[string]int64 `json:"peak_bytes"`
	// Wrong holds, by engine, how its answer differs from that of the first
	// engine.
	Wrong map[string]string `json:"wrong,omitempty"`
}

// measure runs a query on each engine: once for its answer, which is compared
// with the first engine's, and then runs times for the time. With no runs it
// only compares.
func measure(ctx context.Context, suite string, q workload.Query, engines []Engine, runs int) (*Measurement, error) {
	m := &Measurement{Suite: suite, Query: q.Name, Millis: map[string]float64{}, CPU: map[string]float64{},
		Peak: map[string]int64{}, Wrong: map[string]string{}}
	var want *Digest
	for _, e := range engines {
		got, peak, err := digestOf(ctx, e, q, want)
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", q.Name, e.Name(), err)
		}
		m.Peak[e.Name()] = peak
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
		if err := m.time(ctx, e, q, runs); err != nil {
			return nil, fmt.Errorf("%s on %s: %w", q.Name, e.Name(), err)
		}
	}
	return m, nil
}

// digestOf runs a query for its answer, and tells how far the process grew by
// it; first is the first engine's digest, or nil.
func digestOf(ctx context.Context, e Engine, q workload.Query, first *Digest) (*Digest, int64, error) {
	// What earlier answers left is given back before.
	debug.FreeOSMemory()
	growth, err := startGrowth()
	if err != nil {
		return nil, 0, err
	}
	answer, err := e.Run(ctx, q.SQL)
	if err != nil {
		return nil, 0, err
	}
	defer answer.Close()
	peak, err := growth.peak()
	if err != nil {
		return nil, 0, err
	}
	d, err := NewDigest(answer, q, first)
	return d, peak, err
}

// time times a query that has run before. A run that is not timed comes first,
// so that the engine whose turn it is has its memory back from the machine and
// its data in the caches.
func (m *Measurement) time(ctx context.Context, e Engine, q workload.Query, runs int) error {
	// What earlier answers left is collected before and not while timing.
	debug.FreeOSMemory()
	times, cpu := make([]float64, 1+runs), make([]float64, 1+runs)
	for i := range times {
		used, start := processorMillis(), time.Now()
		answer, err := e.Run(ctx, q.SQL)
		times[i] = float64(time.Since(start).Microseconds()) / 1000
		cpu[i] = processorMillis() - used
		if err != nil {
			return err
		}
		answer.Close()
	}
	m.Millis[e.Name()], m.CPU[e.Name()] = median(times[1:]), median(cpu[1:])
	return nil
}

// median sorts and gives the middle.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// geometricMean is the geometric mean of positive numbers; NaN of none.
func geometricMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}
