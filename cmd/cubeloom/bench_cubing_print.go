package main

import (
	"fmt"
	"io"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/operators/cubing"
)

// line is the point in print.
func (p *cubingPoint) line(clock string) string {
	text := fmt.Sprintf("%s: %s M=%d: %d rows", p.Series, p.Set, p.Least, p.Rows)
	for _, way := range cubingWays {
		if t, ok := p.Times[way.name]; ok {
			text += fmt.Sprintf("; %s %.1f ms", way.name, way.of(&t, clock))
			if way.device == "cuda" {
				text += fmt.Sprintf(" (copy %.1f, kernels %.2f)", t.CopyBack, t.Kernels)
			}
		}
	}
	return text + "; " + p.Taken + "; guessed: " + p.Guess
}

// print writes the table.
func (b *cubingBench) print(out io.Writer) {
	fmt.Fprintf(out, "cubes by refinement and by roll-up, %d threads, median of %d hot runs (clock: %s), answers compared\n\n", b.Threads, b.Runs, b.Clock)
	w := harness.Table(out)
	fmt.Fprint(w, "series\tdata\tM\trows\t")
	for _, way := range b.ways {
		if fmt.Fprintf(w, "%s ms\tdigest\t", way.name); way.device == "cuda" {
			fmt.Fprint(w, "copy\tkernels\tlaunches\t")
		}
	}
	fmt.Fprintln(w, "auto\t")
	for i := range b.Points {
		b.Points[i].row(w, b)
	}
	w.Flush()
	for _, device := range []string{"cpu", "cuda"} {
		if near, all := b.near(device); all > 0 {
			fmt.Fprintf(out, "%s: auto within 10 %% of the better strategy on %d of %d points\n", device, near, all)
		}
	}
	if b.Left > 0 {
		fmt.Fprintf(out, "%d points were left out: the time limit was reached\n", b.Left)
	}
}

// row is the point's row of the table.
func (p *cubingPoint) row(w io.Writer, b *cubingBench) {
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t", p.Series, p.Set, p.Least, p.Rows)
	for _, way := range b.ways {
		t := p.Times[way.name]
		if t.Refusal != "" {
			fmt.Fprint(w, "no memory\t\t")
		} else {
			fmt.Fprintf(w, "%.1f\t%.1f\t", way.of(&t, b.Clock), t.Digest)
		}
		if way.device == "cuda" {
			fmt.Fprintf(w, "%.1f\t%.3f\t%d\t", t.CopyBack, t.Kernels, t.Launches)
		}
	}
	for _, device := range []string{"cpu", "cuda"} {
		fmt.Fprint(w, p.Auto[device]+" ")
	}
	fmt.Fprintln(w, "\t")
}

// near counts the points at which what is chosen in a place takes at most a tenth longer than the
// other strategy, and those at which both were timed. Of a device the query counts less the copy of its answer.
func (b *cubingBench) near(device string) (near, all int) {
	for i := range b.Points {
		times := map[string]float64{}
		for _, way := range b.ways {
			t, ok := b.Points[i].Times[way.name]
			if way.device != device || way.threads != "" || !ok || t.Refusal != "" {
				continue
			}
			times[way.strategy] = way.of(&t, b.Clock) - t.CopyBack
		}
		if len(times) < 2 {
			continue
		}
		all++
		if times[b.Points[i].Auto[device]] <= 1.1*min(times[cubing.Refine], times[cubing.Rollup]) {
			near++
		}
	}
	return near, all
}
