package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
)

// The clocks that times can be shown by.
const (
	wallClock      = "wall"
	processorClock = "cpu"
)

// A Report is what a run found.
type Report struct {
	Threads      int           `json:"threads"`
	Runs         int           `json:"runs"`
	Clock        string        `json:"clock"`
	Measurements []Measurement `json:"measurements"`
}

// wrong counts the answers that differ.
func (r *Report) wrong() int {
	n := 0
	for _, m := range r.Measurements {
		n += len(m.Wrong)
	}
	return n
}

// write prints the table of one suite: times by the report's clock, each
// Cubeloom's ratio to the fastest of the other engines, with the geometric mean
// of the ratios, and by how many MB each engine grew the process.
func (r *Report) write(out io.Writer, suite string, names []string) {
	t := harness.Table(out)
	fmt.Fprintf(t, "%s\trows\t%s\t", suite, strings.Join(names, "\t"))
	subjects, rivals := splitNames(names, func(n string) bool { return strings.HasPrefix(n, cubeloomName) })
	if r.Runs == 0 {
		subjects = nil
	}
	for _, s := range subjects {
		fmt.Fprintf(t, "%s ratio\t", s)
	}
	if r.Runs > 0 {
		fmt.Fprintf(t, "MB: %s\t", strings.Join(names, "\t"))
	}
	fmt.Fprintln(t)
	ratios := map[string][]float64{}
	for _, m := range r.Measurements {
		if m.Suite != suite {
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t", m.Query, m.Rows)
		for _, n := range names {
			fmt.Fprintf(t, "%s\t", m.cell(n, r.Clock))
		}
		for _, s := range subjects {
			if ratio, ok := m.ratio(s, rivals, r.Clock); ok {
				ratios[s] = append(ratios[s], ratio)
				fmt.Fprintf(t, "%.2f\t", ratio)
			} else {
				fmt.Fprint(t, "\t")
			}
		}
		if r.Runs > 0 {
			for _, n := range names {
				fmt.Fprintf(t, "%.0f\t", float64(m.Peak[n])/1e6)
			}
		}
		fmt.Fprintln(t)
	}
	if len(ratios) > 0 {
		fmt.Fprintf(t, "geometric mean\t\t%s", strings.Repeat("\t", len(names)))
		for _, s := range subjects {
			fmt.Fprintf(t, "%.2f\t", harness.GeometricMean(ratios[s]))
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	fmt.Fprintln(out)
	r.writeWrong(out, suite)
}

func (r *Report) writeWrong(out io.Writer, suite string) {
	for _, m := range r.Measurements {
		for engine, difference := range m.Wrong {
			if m.Suite == suite {
				fmt.Fprintf(out, "%s: %s: %s\n", m.Query, engine, difference)
			}
		}
	}
}

// splitNames separates Cubeloom's configurations from the other engines.
func splitNames(names []string, own func(string) bool) (subjects, rivals []string) {
	for _, n := range names {
		if own(n) {
			subjects = append(subjects, n)
		} else {
			rivals = append(rivals, n)
		}
	}
	return subjects, rivals
}

// times are the times of the engines by a clock.
func (m *Measurement) times(clock string) map[string]float64 {
	if clock == processorClock {
		return m.CPU
	}
	return m.Millis
}

// cell is the time of an engine in milliseconds, or what stands for it.
func (m *Measurement) cell(engine, clock string) string {
	if m.Wrong[engine] != "" {
		return "WRONG"
	}
	if ms, timed := m.times(clock)[engine]; timed {
		return fmt.Sprintf("%.1f", ms)
	}
	return "same"
}

// ratio is an engine's time in units of the fastest rival's.
func (m *Measurement) ratio(engine string, rivals []string, clock string) (float64, bool) {
	return inUnitsOfLeast(m.times(clock), engine, rivals)
}

// inUnitsOfLeast is what an engine took in units of what that rival took which took
// least; ok is false where either is not known.
func inUnitsOfLeast[N int64 | float64](took map[string]N, engine string, rivals []string) (ratio float64, ok bool) {
	var least N
	for _, r := range rivals {
		if n, known := took[r]; known && (least == 0 || n < least) {
			least = n
		}
	}
	n, known := took[engine]
	return float64(n) / float64(least), known && least > 0
}

// save writes the report as JSON.
func (r *Report) save(file string) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(harness.WriteJSON(out, r), out.Close())
}
