package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// The tables that it is measured on: k has few values, d many that lie side by side, s as
// few as k that lie apart; f is the key of the small table, and u is of each row another
// number, in no order.
const (
	measuredTable = `CREATE TABLE measured AS SELECT (i::bigint * 7919 %% 256)::integer AS k, (i::bigint * 7919 %% %d)::integer AS d,
	(i::bigint * 7919 %% 256) * 72057594037 AS s, (i::bigint * 7919 %% 1024)::integer AS f, (i::bigint * 1000003 %% 2097152)::integer AS u, (i %% 1000)::integer AS v
FROM generate_series(1, %d) AS g(i)`
	machineCells = 1 << 19
	smallTable   = `CREATE TABLE small AS SELECT i::integer AS f, (i % 7)::integer AS w FROM generate_series(0, 1023) AS g(i)`
)

// figureQuery measures a figure: what a query takes longer than another one that does all
// of it but for what is measured, divided by how often that is done.
type figureQuery struct {
	figure      string
	setting     string // of the one that takes longer
	with        string
	without     string
	perRow      float64 // how often it is done for a row, or one of the constants
	explanation string
}

// How often else a thing is done.
const (
	eachCell     = 0
	eachDoubling = -1 // once for each row and doubling of the rows
)

// figureQueries are those of the host.
var figureQueries = []figureQuery{
	{"Host.Row", "", "SELECT sum(v) FROM measured", "SELECT sum(w) FROM small", 1, "a row that is added up"},
	{"Host.Instruction", "", "SELECT sum(v) FROM measured WHERE v + k + f + u + d > v * k - 9 AND v * f + u > k - 4", "SELECT sum(v) FROM measured WHERE v > -9 AND u > -4", 9, "an operation of integers"},
	{"Host.Probe", "", "SELECT sum(w) FROM measured JOIN small USING (f)", "SELECT sum(v) FROM measured", 1, "a row that is looked up among 1024"},
	{"Host.DenseGroup", "", "SELECT k, count(*) FROM measured GROUP BY k", "SELECT count(k) FROM measured WHERE k >= 0", 1, "a row of 256 groups in an array"},
	{"Host.DenseCell", "", "SELECT count(*) FROM (SELECT d, count(*) FROM measured WHERE v = 1 GROUP BY d) AS g", "SELECT count(d) FROM measured WHERE v = 1", eachCell, "a cell of an array by keys"},
	{"Host.Hashed", "", "SELECT s, count(*) FROM measured GROUP BY s", "SELECT count(s) FROM measured WHERE s >= 0", 1, "a row of 256 groups in a hash table"},
	{"Host.Compared", "", "SELECT sum(n) FROM (SELECT u, row_number() OVER (ORDER BY u) AS n FROM measured) AS g", "SELECT sum(u) FROM measured", eachDoubling, "a row that is sorted, for each doubling of the rows"},
	{"Host.Materialized", "SET fusion = off", "SELECT sum(k + v) FROM measured WHERE u >= 0", "SELECT sum(k + v) FROM measured WHERE u >= 0", 16, "a byte of a result that one kernel writes and another reads"},
}

// newBenchMachine makes the command bench machine.
func newBenchMachine() *cobra.Command {
	var bench benchFlags
	var to string
	var rows int
	cmd := &cobra.Command{
		Use:   "machine",
		Short: "Measure the figures that choices between strategies go by",
		Long: `Measures what operations cost one core of this machine, in nanoseconds, and shows
them beside those that choices go by now. With --write the figures go to a file in
the folder of --machine, one for each device, which is read at the next start. With
--device cuda the bandwidth and the link of the device go to a file of its own.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if rows < 1<<10 {
				return fmt.Errorf("--rows must be at shortest %d, got %d", 1<<10, rows)
			}
			bench.threads = 1
			return bench.with(cmd, func(ctx context.Context, db *cubeloom.DB) {
				made := bench.calibrate(ctx, db, rows)
				if err := bench.write(cmd.OutOrStdout(), made, func(out io.Writer) { printFigures(out, made) }); err != nil || to == "" {
					sqlstate.Check(err)
					return
				}
				for _, c := range made {
					file := sqlstate.Must(machine.Update(to, c.Device, func(kept *machine.Calibration) { kept.Source, kept.Figures = c.Source, c.Figures }))
					fmt.Fprintln(cmd.ErrOrStderr(), "wrote", file)
				}
			})
		},
	}
	bench.register(cmd, 7, "timed runs of each query, of which the fastest counts")
	cmd.Flags().IntVar(&rows, "rows", 1<<21, "rows of the table that the figures are measured on")
	cmd.Flags().StringVar(&to, "write", "", "folder that the figures are written to, such as that of --machine (default: they are shown only)")
	return cmd
}

// calibrate measures the figures of the host, and of the device where one is asked for.
func (f *benchFlags) calibrate(ctx context.Context, db *cubeloom.DB, rows int) []*machine.Calibration {
	source := "cubeloom bench machine, " + time.Now().Format(time.DateOnly)
	session := db.Session()
	for _, text := range []string{"SET device = cpu", fmt.Sprintf(measuredTable, machineCells, rows), smallTable} {
		sqlstate.Must(session.Query(ctx, text))
	}
	host := &machine.Calibration{Device: machine.HostName(), Source: source, Figures: make(map[string]float64)}
	for _, q := range figureQueries {
		ns, err := q.measure(ctx, session, f.runs, rows)
		if err != nil {
			panic(fmt.Errorf("%s: %w", q.figure, err))
		}
		if ns > 0 { // else it is lost in the noise
			host.Figures[q.figure] = ns
		}
	}
	all := []*machine.Calibration{host}
	if f.device != "cuda" {
		return all
	}
	infos, _, err := db.CUDADevices()
	sqlstate.Check(err)
	info := infos[0]
	return append(all, &machine.Calibration{Device: info.Name, Source: source, Figures: map[string]float64{
		"Device.Bandwidth": info.Bandwidth, "Device.Link": info.HostLink,
	}})
}

// measure returns the nanoseconds of what is measured, with three digits.
func (q *figureQuery) measure(ctx context.Context, session *cubeloom.Session, runs, rows int) (float64, error) {
	fastest := func(setting, text string) (time.Duration, error) {
		if setting != "" {
			if _, err := session.Query(ctx, setting); err != nil {
				return 0, err
			}
		}
		costs, err := harness.Repeat(runs, nil, func() error {
			_, err := session.Query(ctx, text)
			return err
		}, nil)
		shortest := time.Duration(math.MaxInt64) // other programs make it longer, never shorter
		for _, c := range costs {
			shortest = min(shortest, c.Elapsed)
		}
		return shortest, err
	}
	without, err := fastest("RESET fusion", q.without)
	with, err2 := fastest(q.setting, q.with)
	times := q.perRow * float64(rows)
	switch q.perRow {
	case eachCell:
		times = machineCells
	case eachDoubling:
		times = float64(rows) * math.Log2(float64(rows))
	}
	ns := float64(with-without) / times
	digits := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(ns))))
	return math.Round(ns*digits) / digits, errors.Join(err, err2)
}

// printFigures shows what was measured.
func printFigures(out io.Writer, all []*machine.Calibration) {
	for _, c := range all {
		fmt.Fprintf(out, "%s (%s)\n\n", c.Device, c.Source)
		table := harness.Table(out)
		for _, q := range figureQueries {
			if x, ok := c.Figures[q.figure]; ok {
				fmt.Fprintf(table, "%s\t%.3g ns\t   %s\n", q.figure, x, q.explanation)
			}
		}
		for _, name := range []string{"Device.Bandwidth", "Device.Link"} {
			if x, ok := c.Figures[name]; ok {
				fmt.Fprintf(table, "%s\t%.4g GB/s\t   measured when it was opened\n", name, x/1e9)
			}
		}
		table.Flush()
	}
}
