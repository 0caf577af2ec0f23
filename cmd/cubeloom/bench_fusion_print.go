package main

import (
	"fmt"
	"io"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
)

// print writes the tables: each measurement (the paper's figures 4 and 20), the
// means (figures 16 and 17) and what the kernels take (table 3).
func (b *fusionBench) print(out io.Writer) {
	fmt.Fprintf(out, "patterns of operators, %d threads, device %s, median of %d hot runs, answers compared\n\n", b.Threads, b.Device, b.Runs)
	for _, p := range workload.AllPatterns() {
		fmt.Fprintf(out, "%-3s %s\n", p.Name, p.What)
	}
	fmt.Fprintln(out)
	b.printResults(out)
	fmt.Fprintln(out)
	b.printMeans(out)
	if len(b.Kernels) > 0 {
		fmt.Fprintln(out)
		b.printKernels(out)
	}
	for _, r := range b.Results {
		if r.FellBack != "" {
			fmt.Fprintf(out, "%s, %s: %s\n", r.Pattern, formatBytes(r.Bytes), r.FellBack)
		}
	}
}

func (b *fusionBench) printResults(out io.Writer) {
	w := harness.Table(out)
	defer w.Flush()
	fmt.Fprintln(w, "pattern\tinput\tkept %\trows\twoven ms\tunwoven ms\twoven kernels ms\tunwoven kernels ms\tspeed-up\twoven GB/s\twoven wrote\tunwoven wrote\twoven memory\tunwoven memory\t")
	for _, r := range b.Results {
		kept := "–"
		if r.Selectivity > 0 {
			kept = fmt.Sprint(r.Selectivity)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%.3f\t%.3f\t%s\t%s\t%.2f\t%.1f\t%s\t%s\t%s\t%s\t\n",
			r.Pattern, formatBytes(r.Bytes), kept, r.Rows, r.Woven.Query, r.Unwoven.Query, kernelsCell(r.Woven), kernelsCell(r.Unwoven),
			r.Speedup, float64(r.Bytes)/r.Woven.of()/1e6, formatBytes(r.Woven.Written), formatBytes(r.Unwoven.Written), memoryCell(r.Woven), memoryCell(r.Unwoven))
	}
}

// memoryCell is what was held of the device's memory, where there is one.
func memoryCell(t fusionTime) string {
	if t.Peak == 0 {
		return "–"
	}
	return formatBytes(t.Peak)
}

// kernelsCell is the time of the kernels, where there is a device.
func kernelsCell(t fusionTime) string {
	if t.Kernels == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", t.Kernels)
}

func (b *fusionBench) printMeans(out io.Writer) {
	w := harness.Table(out)
	defer w.Flush()
	fmt.Fprintln(w, "pattern\tspeed-up\tbytes materialized, unwoven/woven\tdevice memory, unwoven/woven\t")
	for _, m := range b.Speedups {
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t\n", m.Pattern, m.Speedup, m.Written, m.Peak)
	}
}

func (b *fusionBench) printKernels(out io.Writer) {
	w := harness.Table(out)
	defer w.Flush()
	fmt.Fprintln(w, "pattern\twoven\toperators\tentry\tthreads\tregisters\tshared bytes\tspilled bytes\toccupancy\tms\t")
	for _, k := range b.Kernels {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%.2f\t%.3f\t\n",
			k.Pattern, yesNo(k.Woven), k.Group, k.Entry, k.Threads, k.Registers, k.Shared, k.Spilled, k.Occupancy, harness.Milliseconds(k.Time))
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
