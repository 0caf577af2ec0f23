package main

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
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

// digestOf runs a query for its answer, and returns how far the process grew by
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
	var answer Answer
	costs, err := harness.Repeat(1+runs, harness.Process, func() (err error) {
		answer, err = e.Run(ctx, q.SQL)
		return err
	}, func() { answer.Close() })
	if err != nil {
		return err
	}
	cost := costs[1:].Median()
	m.Millis[e.Name()], m.CPU[e.Name()] = harness.Milliseconds(cost.Elapsed), harness.Milliseconds(cost.CPU)
	return nil
}
