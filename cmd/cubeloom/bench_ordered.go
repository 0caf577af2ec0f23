package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
)

// orderedBench times COUNT(*) by a key in whose order the rows come, in all forms (Saxena et
// al., figures 10 to 13), with the hashed path over the same rows beside them.
type orderedBench struct {
	Device string         `json:"device"`
	Runs   int            `json:"runs"`
	Points []orderedPoint `json:"points"`
	Left   int            `json:"tables_left_out,omitempty"` // when the time limit was reached

	db     *cubeloom.DB
	stderr io.Writer
}

// orderedPoint is one way over one table.
type orderedPoint struct {
	Data    string  `json:"data"`
	Rows    int64   `json:"rows"`
	Groups  int64   `json:"groups"`
	Way     string  `json:"way"`
	Query   float64 `json:"query_ms,omitempty"` // on the CPU
	Kernels float64 `json:"kernels_ms,omitempty"`
	Bound   float64 `json:"bound_ms,omitempty"` // of reading the keys and writing the groups, once
	Taken   string  `json:"taken,omitempty"`
	Refusal string  `json:"refusal,omitempty"`
}

// orderedFlags say over which rows.
type orderedFlags struct {
	from, to, step int // logarithms of the rows
	lengths        []int64
	lineitem       bool
	sweep          int // at how many rows threads and rows of a thread are varied; a logarithm
	limit          time.Duration
	ways           []string // those that are timed; none: all
}

func newBenchOrdered() *cobra.Command {
	var bench benchFlags
	var flags orderedFlags
	cmd := &cobra.Command{
		Use:   "ordered",
		Short: "Time groups that are runs of rows, in each number of kernels and with each update",
		Long: `Counts the rows of each key of tables that are in its order. On a device the forms of
five, three, two and one kernels and the updates are timed, and at one number of rows
each size of a block and number of rows of a thread; the hashed path over the same rows
stands beside them, and the bound: the time of reading the keys and writing the groups.
Up to four million rows the answers are compared with the CPU's, above it their number.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.check(); err != nil {
				return err
			}
			return bench.with(cmd, func(ctx context.Context, db *cubeloom.DB) {
				b := &orderedBench{Device: bench.device, Runs: bench.runs, db: db, stderr: stdio(cmd).err}
				b.run(ctx, &flags)
				sqlstate.Check(bench.write(cmd.OutOrStdout(), b, b.print))
			})
		},
	}
	bench.register(cmd, 5, "timed runs of each way")
	cmd.Flags().IntVar(&flags.from, "from", 15, "logarithm (base 2) of the fewest rows")
	cmd.Flags().IntVar(&flags.to, "to", 24, "logarithm of the most rows")
	cmd.Flags().IntVar(&flags.step, "step", 3, "what the logarithm grows by")
	cmd.Flags().Int64SliceVar(&flags.lengths, "lengths", []int64{1, 16}, "rows of a group; 1 has all keys differ")
	cmd.Flags().BoolVar(&flags.lineitem, "lineitem", false, "at the most rows also as many values as four columns of TPC-H's lineitem have")
	cmd.Flags().IntVar(&flags.sweep, "sweep", 0, "logarithm of the rows at which blocks and rows of a thread are varied; 0: nowhere")
	cmd.Flags().StringSliceVar(&flags.ways, "ways", nil, "time only these ways, such as 'ordered,1 kernels,tile'")
	cmd.Flags().DurationVar(&flags.limit, "limit", 0, "begin no table after this time; 0 is no limit")
	return cmd
}

// check reports flags out of range.
func (f *orderedFlags) check() error {
	switch {
	case f.from < 0 || f.to > 30 || f.from > f.to:
		return fmt.Errorf("--from and --to must be from 0 to 30, and in this order, got %d and %d", f.from, f.to)
	case f.step < 1:
		return fmt.Errorf("--step must be at least 1, got %d", f.step)
	}
	for _, n := range f.lengths {
		if n < 1 {
			return fmt.Errorf("--lengths must be at least 1, got %d", n)
		}
	}
	return nil
}

// orderedTable is a table, and what its keys are like.
type orderedTable struct {
	data string
	set  workload.Groups
}

// tables are those over which the ways are timed, the largest last.
func (f *orderedFlags) tables() (all []orderedTable) {
	add := func(data string, rows, groups int64) {
		set := workload.Groups{Name: "runs", Rows: rows, Groups: max(groups, 1), Ordered: true}
		all = append(all, orderedTable{data, set})
	}
	for log := f.from; log <= f.to; log += f.step {
		if last := log + f.step; last > f.to {
			log = f.to
		}
		for _, n := range f.lengths {
			name := fmt.Sprintf("%d a group", n)
			if n == 1 {
				name = "unique"
			}
			add(name, 1<<log, 1<<log/n)
		}
	}
	if f.lineitem {
		rows := int64(1) << f.to // values of a column of 6 M rows, a scale factor
		add("l_orderkey", rows, rows/4)
		add("l_partkey", rows, rows/30)
		add("l_suppkey", rows, rows/600)
		add("l_linenumber", rows, 7)
	}
	return all
}

// orderedWay is a way with its settings.
type orderedWay struct{ name, settings string }

// ways are those that are timed, on a device with threads and rows of a thread where they are
// varied.
func (b *orderedBench) ways(vary bool) []orderedWay {
	all := []orderedWay{{"hash", "aggregate_strategy = hash"}, {"ordered", "aggregate_strategy = ordered"}}
	if b.Device != "cuda" {
		return all
	}
	add := func(name, settings string) {
		all = append(all, orderedWay{name, "aggregate_strategy = ordered, " + settings})
	}
	for _, n := range []string{"5", "3", "2", "1"} {
		add(n+" kernels", "ordered_kernels = "+n)
	}
	for _, name := range []string{"direct", "chunked", "variable", "array", "tile"} {
		add(name, "ordered_updates = '"+name+"'")
	}
	if !vary {
		return all
	}
	for threads := 8; threads <= 1024; threads *= 2 {
		add(fmt.Sprintf("%d threads", threads), fmt.Sprintf("group_threads = %d", threads))
	}
	for rows := 1; rows <= 4096; rows *= 2 {
		add(fmt.Sprintf("chunks of %d", rows), fmt.Sprintf("ordered_updates = chunked, ordered_rows = %d", rows))
	}
	return all
}

// run times all ways over all tables.
func (b *orderedBench) run(ctx context.Context, f *orderedFlags) {
	began := time.Now()
	for _, t := range f.tables() {
		if f.limit > 0 && time.Since(began) > f.limit {
			b.Left++
			continue
		}
		ways := slices.DeleteFunc(b.ways(f.sweep > 0 && t.set.Rows == 1<<f.sweep), func(w orderedWay) bool {
			return len(f.ways) > 0 && !slices.Contains(f.ways, w.name)
		})
		overSet(ctx, b.db, t.set, 1, b.stderr, func() { b.table(ctx, &t, ways) })
	}
}

// orderedQuestion is asked of a table.
const orderedQuestion = "SELECT g, count(*) FROM runs GROUP BY g"

// comparedRows is up to how many rows the answers are compared.
const comparedRows = 4 << 20

// table times some ways over a table.
func (b *orderedBench) table(ctx context.Context, t *orderedTable, ways []orderedWay) {
	sessions := make([]*cubeloom.Session, len(ways))
	points := make([]orderedPoint, len(ways))
	var compiling errgroup.Group
	compiling.SetLimit(8)
	for i := range ways {
		points[i] = orderedPoint{Data: t.data, Rows: t.set.Rows, Groups: t.set.Groups, Way: ways[i].name}
		session := sqlstate.Must(configured(ctx, b.db, "on", b.Device))
		sessions[i] = session
		prepare := func() (err error) {
			points[i].Refusal, err = b.prepare(ctx, session, ways[i].settings)
			return err
		}
		if t.set.Rows > comparedRows { // results take memory
			if err := prepare(); err != nil {
				panic(fmt.Errorf("%s: %w", ways[i].name, err))
			}
			continue
		}
		compiling.Go(prepare)
	}
	sqlstate.Check(compiling.Wait())
	for i := range ways {
		if points[i].Refusal == "" {
			b.time(ctx, sessions[i], &points[i])
		}
	}
	b.Points = append(b.Points, points...)
}

// prepare has a session take a way, and its kernels compiled; it returns why they cannot be.
func (b *orderedBench) prepare(ctx context.Context, session *cubeloom.Session, settings string) (refusal string, err error) {
	for _, s := range append(strings.Split(settings, ", "), "tuning = off") {
		if _, err := session.Query(ctx, "SET "+s); err != nil {
			var bad *cubeloom.Error
			if errors.As(err, &bad) && bad.Code == "22023" {
				return bad.Message + " (" + bad.Hint + ")", nil
			}
			return "", err
		}
	}
	_, err = explain(ctx, session, "ANALYZE", orderedQuestion)
	var bad *cubeloom.Error
	if errors.As(err, &bad) && bad.Code == "0A000" {
		return bad.Message, nil
	}
	return "", err
}

// time compares the answer of a way with the CPU's, and times it.
func (b *orderedBench) time(ctx context.Context, session *cubeloom.Session, p *orderedPoint) {
	defer during("%s", p.Way)
	if p.Rows <= comparedRows {
		b.compare(ctx, session)
	}
	if b.Device != "cuda" {
		p.Query = harness.Milliseconds(sqlstate.Must(timeIn(ctx, session, orderedQuestion, b.Runs)).time)
		return
	}
	groups := sqlstate.Must(medianLaunches(ctx, session, orderedQuestion, b.Runs))
	took, launches := kernelTime(groups)
	p.Kernels = harness.Milliseconds(took)
	for i := range groups {
		m := &groups[i].Measured
		p.Taken = m.Taken
		if m.RowsOut != p.Groups {
			panic(fmt.Errorf("%d groups, not %d", m.RowsOut, p.Groups))
		}
		for _, l := range m.Launches {
			if l.Bandwidth > 0 {
				p.Bound = float64(m.BytesRead+groupBytes*p.Groups) / l.Bandwidth * 1e3
			}
		}
	}
	if launches == 0 {
		panic(errors.New("nothing ran on the device"))
	}
}

// groupBytes is what the result has of a group: a key of 32 bits and a count of 64.
const groupBytes = 12

// compare compares a session's answer with the CPU's.
func (b *orderedBench) compare(ctx context.Context, session *cubeloom.Session) {
	host := sqlstate.Must(configured(ctx, b.db, "on", "cpu"))
	var answers [2]*cubeloom.Result
	for i, s := range []*cubeloom.Session{session, host} {
		answers[i] = sqlstate.Must(s.Query(ctx, orderedQuestion))
		defer answers[i].Close()
	}
	sqlstate.Check(sameRows(answers[0], answers[1]))
}

// print writes a row for each table and way.
func (b *orderedBench) print(out io.Writer) {
	fmt.Fprintf(out, "%s, device %s, median of %d hot runs\n\n", orderedQuestion, b.Device, b.Runs)
	w := harness.Table(out)
	fmt.Fprintln(w, "keys\trows\tgroups\tway\tms\tbound ms\tms/bound\tM rows/s\t")
	for i := range b.Points {
		p := &b.Points[i]
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t", p.Data, p.Rows, p.Groups, p.Way)
		took, bound := p.Query+p.Kernels, "–\t–"
		if p.Bound > 0 {
			bound = fmt.Sprintf("%.4f\t%.2f", p.Bound, took/p.Bound)
		}
		if p.Refusal != "" {
			fmt.Fprintf(w, "%s\t\t\t\t\n", p.Refusal)
			continue
		}
		fmt.Fprintf(w, "%.4f\t%s\t%.0f\t\n", took, bound, float64(p.Rows)/took/1e3)
	}
	w.Flush()
	if b.Left > 0 {
		fmt.Fprintf(out, "%d tables were left out when the time was over\n", b.Left)
	}
}
