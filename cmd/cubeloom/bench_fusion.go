package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// fusionFlags say what is measured.
type fusionFlags struct {
	sizes, patterns []string
	selectivities   []int
	seed            uint64
}

// newBenchFusion makes the command bench fusion.
func newBenchFusion() *cobra.Command {
	var bench benchFlags
	var flags fusionFlags
	cmd := &cobra.Command{
		Use:   "fusion",
		Short: "Time the patterns of operators of the Kernel Weaver paper's figure 14",
		Long: `Runs each pattern woven and unwoven over tables of each size, the unwoven one with
every operator's result materialized. Answers are compared first: row by row on
small tables, and by their sums on large ones. Results stay where they are made,
so that the times are those of the operators alone.`,
		Example: "  cubeloom bench fusion --device cuda --sizes 64MB,256MB,1GB --selectivity 10,50,90",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			patterns, sizes, err := flags.parse()
			if err != nil {
				return err
			}
			return bench.with(cmd, func(ctx context.Context, db *cubeloom.DB) {
				b := &fusionBench{Device: bench.device, Threads: db.Threads(), Runs: bench.runs}
				b.run(ctx, db, patterns, sizes, &flags, stdio(cmd))
				sqlstate.Check(bench.write(cmd.OutOrStdout(), b, b.print))
			})
		},
	}
	bench.register(cmd, 7, "timed runs of each query")
	cmd.Flags().StringSliceVar(&flags.sizes, "sizes", []string{"64MB", "128MB", "256MB", "512MB", "1GB"}, "sizes of the large tables")
	cmd.Flags().StringSliceVar(&flags.patterns, "patterns", patternNames(), "which patterns")
	cmd.Flags().IntSliceVar(&flags.selectivities, "selectivity", []int{10, 30, 50, 70, 90}, "rows that each selection keeps, in percent")
	cmd.Flags().Uint64Var(&flags.seed, "seed", 1, "selects the random values")
	return cmd
}

func patternNames() []string {
	var names []string
	for _, p := range workload.AllPatterns() {
		names = append(names, p.Name)
	}
	return names
}

// parse reads the flags.
func (f *fusionFlags) parse() (patterns []workload.Pattern, sizes []int64, err error) {
	for _, name := range f.patterns {
		i := slices.Index(patternNames(), name)
		if i < 0 {
			return nil, nil, fmt.Errorf("unknown pattern %q: use %s", name, strings.Join(patternNames(), ", "))
		}
		patterns = append(patterns, workload.AllPatterns()[i])
	}
	for _, text := range f.sizes {
		n, err := cubeloom.ParseBytes("--sizes", text)
		if err == nil {
			err = workload.Patterns{Bytes: n}.Validate()
		}
		if err != nil {
			return nil, nil, err
		}
		sizes = append(sizes, n)
	}
	for _, percent := range f.selectivities {
		if percent < 1 || percent > 100 {
			return nil, nil, fmt.Errorf("--selectivity must be from 1 to 100, got %d", percent)
		}
	}
	return patterns, sizes, nil
}

// percents are the selectivities that matter to a pattern.
func (f *fusionFlags) percents(p workload.Pattern) []int {
	if !p.Selects {
		return []int{100}
	}
	return f.selectivities
}

// checkBytes is the size of the tables whose answers are compared row by row.
const checkBytes = 1 << 20

// run checks the answers and then measures.
func (b *fusionBench) run(ctx context.Context, db *cubeloom.DB, patterns []workload.Pattern, sizes []int64, f *fusionFlags, io streams) {
	for i, size := range append([]int64{checkBytes}, sizes...) {
		set := workload.Patterns{Bytes: size}
		sqlstate.Check(loadSet(ctx, db, set, f.seed, io.err))
		progress := newBar(io.err, "running "+formatBytes(size))
		for n, p := range patterns {
			for _, percent := range f.percents(p) {
				err := sqlstate.Run(func() {
					if i == 0 {
						b.checkRows(ctx, db, p.Query(percent))
					} else {
						b.measure(ctx, db, p, size, percent)
					}
				})
				if err != nil {
					progress.finish()
					panic(fmt.Errorf("pattern %s, %s, %d %%: %w", p.Name, formatBytes(size), percent, err))
				}
			}
			progress.update(int64(n+1), int64(len(patterns)))
		}
		progress.finish()
		sqlstate.Check(dropTables(ctx, db, set))
	}
	b.means(patterns)
}

// session is one that keeps each operator of a pattern.
func (b *fusionBench) session(ctx context.Context, db *cubeloom.DB, fusion, device string) *cubeloom.Session {
	return sqlstate.Must(configured(ctx, db, fusion, device, "disabled_rules = '"+workload.PatternRules+"'"))
}

// checkRows compares the rows that a query gives woven, unwoven, and on the CPU.
func (b *fusionBench) checkRows(ctx context.Context, db *cubeloom.DB, text string) {
	var want *cubeloom.Result
	for _, way := range [][2]string{{"on", "cpu"}, {"on", b.Device}, {"off", b.Device}} {
		session := b.session(ctx, db, way[0], way[1])
		got := sqlstate.Must(session.Query(ctx, text))
		if want == nil {
			want = got
		} else if err := sameRows(got, want); err != nil {
			panic(fmt.Errorf("the answers with fusion %s on %s and of the CPU differ: %w", way[0], way[1], err))
		}
	}
}

// measure checks that a pattern's answers have the same sums and times it.
func (b *fusionBench) measure(ctx context.Context, db *cubeloom.DB, p workload.Pattern, size int64, percent int) {
	text := p.Query(percent)
	b.checkRows(ctx, db, p.Sums(percent))
	row := fusionRow{Pattern: p.Name, Bytes: size}
	if p.Selects {
		row.Selectivity = percent
	}
	for _, fusion := range []string{"on", "off"} {
		session := b.session(ctx, db, fusion, b.Device)
		t := sqlstate.Must(timeIn(ctx, session, text, b.Runs))
		way := fusionTime{Query: harness.Milliseconds(t.time), Written: t.bytes}
		for _, n := range t.res.Notices {
			row.FellBack = n.Message
		}
		b.launches(ctx, session, p, fusion == "on", text, &way)
		if row.Rows = t.rows; fusion == "on" {
			row.Woven = way
		} else {
			row.Unwoven = way
		}
	}
	row.Speedup = row.Unwoven.of() / row.Woven.of()
	b.Results = append(b.Results, row)
}

// launches asks for the time of the kernels, and notes what those of a pattern take
// the first time.
func (b *fusionBench) launches(ctx context.Context, session *cubeloom.Session, p workload.Pattern, woven bool, text string, t *fusionTime) {
	if b.Device == "cpu" {
		return
	}
	groups := sqlstate.Must(medianLaunches(ctx, session, text, b.Runs))
	sum, _ := kernelTime(groups)
	t.Kernels, t.Peak = harness.Milliseconds(sum), peakMemory(groups)
	if slices.ContainsFunc(b.Kernels, func(c fusionCost) bool { return c.Pattern == p.Name && c.Woven == woven }) {
		return
	}
	for _, cost := range costsOf(groups) {
		b.Kernels = append(b.Kernels, fusionCost{Pattern: p.Name, Woven: woven, launchCost: cost})
	}
}

// means are the speed-ups of the patterns over all sizes and selectivities, and of
// the paper's five patterns together.
func (b *fusionBench) means(patterns []workload.Pattern) {
	var all gains
	for _, p := range patterns {
		m := b.mean(p.Name)
		b.Speedups = append(b.Speedups, m)
		if p.Name != "a2" {
			all.add(m.Speedup, m.Written, m.Peak)
		}
	}
	if len(all.speedup) > 1 {
		b.Speedups = append(b.Speedups, all.mean("all but a2"))
	}
}

func (b *fusionBench) mean(pattern string) fusionMean {
	var all gains
	for _, r := range b.Results {
		if r.Pattern == pattern {
			all.add(r.Speedup, float64(max(r.Unwoven.Written, 1))/float64(max(r.Woven.Written, 1)), float64(max(r.Unwoven.Peak, 1))/float64(max(r.Woven.Peak, 1)))
		}
	}
	return all.mean(pattern)
}

// gains are by how many times weaving makes less of what a query takes.
type gains struct{ speedup, written, peak []float64 }

func (g *gains) add(speedup, written, peak float64) {
	g.speedup, g.written, g.peak = append(g.speedup, speedup), append(g.written, written), append(g.peak, peak)
}

func (g *gains) mean(pattern string) fusionMean {
	return fusionMean{Pattern: pattern, Speedup: harness.GeometricMean(g.speedup), Written: harness.GeometricMean(g.written), Peak: harness.GeometricMean(g.peak)}
}
