package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/stoap"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// olapBench is a run of the queries of a cube with hierarchies.
type olapBench struct {
	Cube    string `json:"cube"`
	Cells   int64  `json:"cells"`
	Threads int    `json:"threads"`
	olapRuns
	Queries []olapQuery `json:"queries"`
}

// olapQuery is what one query took: as it is planned, without early aggregation, which
// adds each cell to each of its targets, and in StOAP.
type olapQuery struct {
	Name    string       `json:"name"`
	Rows    int64        `json:"rows"`
	Planned olapTime     `json:"planned"`
	Source  *olapTime    `json:"without_early_aggregation,omitempty"`
	StOAP   *stoapResult `json:"stoap,omitempty"`
	Ways    []olapWay    `json:"without_early_aggregation_by,omitempty"`
}

// stoapResult is what StOAP took of a processor, once.
type stoapResult struct {
	Query     float64 `json:"query_ms"`
	Additions int64   `json:"additions"`
}

// newBenchOLAP makes the command bench olap.
func newBenchOLAP() *cobra.Command {
	var bench benchFlags
	var flags setFlags
	var withSource, withStOAP bool
	var expand string
	var ways olapWays
	var synthetic syntheticFlags
	cmd := &cobra.Command{
		Use:   "olap",
		Short: "Time sums along hierarchies with many parents and weights",
		Long: `Generates a cube of Meinke 2015, or one with hubs, in memory and times the queries about it, hot, by the
median of several runs: as they are planned, with --source also without early
aggregation, so that each cell is added to each of its targets, and with --stoap also
in StOAP, one thread that adds cell by cell in hash maps, by the time that it computes. The answers are compared.

With --preaggregate each cell is added to each of its targets on a device in each of
these ways, for each number of --replicas of the targets: the table shows how many
additions of cells were made, and how many were left once lanes of a warp were summed.

With --synthetic random cubes of one hierarchy are timed on a device in each form in which
it goes on with the matches of a join, and in the one that it chooses: fan-outs of 1 to 1000
on the average that vary by up to 16 times that, 1 to 16 M targets, 10,000 cells and more, at
most 10 G additions each. The summary says for how many the choice is how near to the best.`,
		Example: `  cubeloom bench olap --cube machines --cells 4000000 --source
  cubeloom bench olap --cube biker --cells 17566068 --stoap --query B2
  cubeloom bench olap --cube machines --cells 0 --device cuda     # all 41,294,400 cells
  cubeloom bench olap --cube machines --cells 0 --device cuda --query M1,M2,M3 --tables
  cubeloom bench olap --synthetic 200 --seed 1 --runs 3            # forms and the choice, on a device
  cubeloom bench olap --synthetic 100 --aggregate shared --replicas 1,4,16,64,256,1024
  cubeloom bench olap --cube biker --cells 0 --device cuda --preaggregate all --aggregate shared --replicas 1,64,1024`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if synthetic.cubes > 0 {
				synthetic.replicas, synthetic.aggregate = ways.replicas, ways.aggregate
				return bench.report(cmd, func(ctx context.Context) report {
					return synthetic.run(ctx, &bench.engineFlags, flags.seed, bench.runs, stdio(cmd).err)
				})
			}
			set := flags.olap()
			if err := set.Validate(); err != nil {
				return err
			}
			queries, err := flags.chosen(set.Queries())
			if err != nil {
				return err
			}
			return bench.with(cmd, func(ctx context.Context, db *cubeloom.DB) {
				sqlstate.Check(loadSet(ctx, db, set, flags.seed, stdio(cmd).err))
				b := &olapBench{Cube: set.Cube, Cells: set.Tables()[0].Rows, Threads: db.Threads(), olapRuns: olapRuns{bench.runs, bench.device, expand, stdio(cmd).err}}
				b.time(ctx, db, queries, withSource, &ways)
				if withStOAP {
					b.stoap(ctx, db, set, flags.seed, stdio(cmd).err)
				}
				sqlstate.Check(bench.write(cmd.OutOrStdout(), b, b.print))
			})
		},
	}
	bench.register(cmd, 7, "timed runs of each query")
	flags.register(cmd, "olap")
	cmd.Flags().StringSliceVar(&flags.names, "query", nil, "only these queries, such as B2,M3 (default: all)")
	cmd.Flags().BoolVar(&withSource, "source", false, "time them without early aggregation, too")
	cmd.Flags().StringVar(&expand, "expand", "auto", "setting expand_strategy: how a device goes on with the matches of a join")
	ways.register(cmd)
	synthetic.register(cmd)
	cmd.Flags().BoolVar(&withStOAP, "stoap", false, "time StOAP, too; it needs about 100 bytes of memory a cell")
	return cmd
}

// time runs the queries.
func (b *olapBench) time(ctx context.Context, db *cubeloom.DB, queries []workload.Query, withSource bool, ways *olapWays) {
	for _, q := range queries {
		row, res := b.planned(ctx, db, q)
		if withSource {
			row.Source = b.source(ctx, db, q, res)
		}
		row.Ways = b.ways(ctx, db, q, ways, res)
		b.Queries = append(b.Queries, row)
	}
}

// planned times a query as it is planned, and compares an answer of a device with the CPU's.
func (b *olapBench) planned(ctx context.Context, db *cubeloom.DB, q workload.Query) (olapQuery, *cubeloom.Result) {
	defer during("%s", q.Name)
	took, _, res := b.timeWith(ctx, db, q, nil)
	if b.Device != "cpu" {
		session := sqlstate.Must(configured(ctx, db, "on", "cpu"))
		sqlstate.Check(sameRows(res, sqlstate.Must(session.Query(ctx, q.SQL))))
	}
	return olapQuery{Name: q.Name, Rows: res.Rows(), Planned: took}, res
}

// source times a query without early aggregation, and compares its answer.
func (b *olapBench) source(ctx context.Context, db *cubeloom.DB, q workload.Query, want *cubeloom.Result) *olapTime {
	defer during("%s without early aggregation", q.Name)
	took, _, got := b.timeWith(ctx, db, q, map[string]string{"disabled_rules": "push_aggregates"})
	sqlstate.Check(sameRows(want, got))
	return &took
}

// stoap runs the queries of areas in StOAP and compares the answers.
func (b *olapBench) stoap(ctx context.Context, db *cubeloom.DB, set workload.OLAP, seed uint64, w io.Writer) {
	progress := newBar(w, "loading StOAP")
	cube, err := stoap.Load(ctx, set, workload.Options{Seed: seed, Progress: progress.update})
	progress.finish()
	sqlstate.Check(err)
	for _, area := range set.Areas() {
		at := slices.IndexFunc(b.Queries, func(q olapQuery) bool { return q.Name == area.Name })
		if at < 0 {
			continue
		}
		var cells map[stoap.Key]float64
		var additions int64
		took := sqlstate.Must(harness.Processor(func() (err error) {
			cells, additions, err = cube.Query(ctx, area)
			return err
		}))
		res := sqlstate.Must(db.Session().Query(ctx, area.Query().SQL))
		if err := sqlstate.Run(func() { sameCells(res, len(area.Targets), cells) }); err != nil {
			panic(fmt.Errorf("%s: StOAP's answer differs: %w", area.Name, err))
		}
		b.Queries[at].StOAP = &stoapResult{harness.Milliseconds(took), additions}
	}
}

// sameCells compares an answer with StOAP's: keys, then a sum.
func sameCells(res *cubeloom.Result, keys int, want map[stoap.Key]float64) {
	cur := res.Cursor()
	rows := 0
	for ; cur.Next(); rows++ {
		var key stoap.Key
		for k := range keys {
			n := sqlstate.Must(strconv.ParseInt(string(cur.AppendText(nil, k)), 10, 32))
			key[k] = int32(n)
		}
		got := sqlstate.Must(strconv.ParseFloat(string(cur.AppendText(nil, keys)), 64))
		if sum, ok := want[key]; !ok || sum != got {
			panic(fmt.Errorf("cell %v is %v, not %v", key[:keys], sum, got))
		}
	}
	if rows != len(want) {
		panic(fmt.Errorf("%d cells, not %d", len(want), rows))
	}
	sqlstate.Check(cur.Err())
}

// print writes the table of times.
func (b *olapBench) print(out io.Writer) {
	fmt.Fprintf(out, "olap %s, %d cells, %d threads, device %s, expansions %s, median of %d hot runs, answers compared\n\n", b.Cube, b.Cells, b.Threads, b.Device, b.Expand, b.Runs)
	w := harness.Table(out)
	fmt.Fprintln(w, "query\trows\tms\tkernels ms\tsource ms\tkernels ms\tStOAP ms\tadditions\t")
	for _, q := range b.Queries {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", q.Name, q.Rows, q.Planned.cells(), q.Source.cells(), q.StOAP.cells())
	}
	w.Flush()
	if !slices.ContainsFunc(b.Queries, func(q olapQuery) bool { return q.Ways != nil }) {
		return
	}
	fmt.Fprint(out, "\nwithout early aggregation, by form of expansions, warp preaggregation and replicas of groups\n\n")
	w = harness.Table(out)
	fmt.Fprintln(w, "query\ttable\tform, pages\taggregate\tpreaggregate\treplicas\tthreads\tms\tkernels ms\trows added\tadditions\tefficiency\tlaunched\tblocks\trefused\tMB of places\ttaken of predicted ms")
	for _, q := range b.Queries {
		printWays(w, q.Name, q.Ways)
	}
	w.Flush()
}

// cells are the columns of StOAP.
func (s *stoapResult) cells() string {
	if s == nil {
		return "\t\t"
	}
	return fmt.Sprintf("%.0f\t%d\t", s.Query, s.Additions)
}
