// Package harness is what all benchmarks share: how a thing is timed again and again,
// which of the times counts, how answers are compared, and how tables are written.
package harness

import (
	"cmp"
	"encoding/json"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"time"
)

// A Cost is what one run took.
type Cost struct {
	Elapsed time.Duration
	CPU     time.Duration // processor time, of all threads; 0 where no clock measures it
}

// A Clock returns the processor time that a process has used.
type Clock func() (time.Duration, error)

// Costs are those of several runs.
type Costs []Cost

// Repeat runs f a number of times and returns what each took. After every run after is
// called, which costs nothing. Both clock and after may be nil.
func Repeat(runs int, clock Clock, f func() error, after func()) (Costs, error) {
	if clock == nil {
		clock = func() (time.Duration, error) { return 0, nil }
	}
	if after == nil {
		after = func() {}
	}
	costs := make(Costs, runs)
	for i := range costs {
		before, err := clock()
		if err != nil {
			return nil, err
		}
		began := time.Now()
		if err := f(); err != nil {
			return nil, err
		}
		costs[i].Elapsed = time.Since(began)
		used, err := clock()
		if err != nil {
			return nil, err
		}
		costs[i].CPU = used - before
		after()
	}
	return costs, nil
}

// Median is the median of the times that passed, and that of the processor times.
func (c Costs) Median() Cost {
	elapsed, cpu := make([]time.Duration, len(c)), make([]time.Duration, len(c))
	for i := range c {
		elapsed[i], cpu[i] = c[i].Elapsed, c[i].CPU
	}
	return Cost{Median(elapsed), Median(cpu)}
}

// MeanCPU is the mean processor time, for clocks that count it coarsely.
func (c Costs) MeanCPU() (mean time.Duration) {
	for i := range c {
		mean += c[i].CPU
	}
	return mean / time.Duration(len(c))
}

// Median is the middle of some values, or the mean of the two in the middle.
func Median[N ~int64 | ~float64](values []N) N {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// Percentile is the value below which a share of the values lies; 0 of none.
func Percentile[N cmp.Ordered](values []N, share float64) (at N) {
	if len(values) == 0 {
		return at
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

// Middle measures a number of times and returns the measurement of the middle size.
func Middle[T any](runs int, size func(T) float64, measure func(run int) (T, error)) (middle T, err error) {
	all := make([]T, runs)
	for i := range all {
		if all[i], err = measure(i); err != nil {
			return middle, err
		}
	}
	slices.SortFunc(all, func(a, b T) int { return cmp.Compare(size(a), size(b)) })
	return all[runs/2], nil
}

// GeometricMean is the geometric mean of positive numbers; NaN of none.
func GeometricMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}

// Milliseconds are those of a duration.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Table writes lines of cells that end with tabs as columns, aligned on their right.
// Flush ends it.
func Table(out io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
}

// WriteJSON writes a report for programs.
func WriteJSON(out io.Writer, report any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(report)
}
