package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// clientsFlags are those of bench clients.
type clientsFlags struct {
	engineFlags
	set     setFlags
	clients []int
	time    time.Duration
	cubes   int64
	asJSON  bool
}

// clientsBench is what clients get who ask at the same time.
type clientsBench struct {
	Data    string        `json:"data"`
	Device  string        `json:"device"`
	Threads int           `json:"threads"`
	Cubes   int64         `json:"rows_of_cubes_asked_for_beside,omitempty"`
	Points  []clientsRate `json:"points"`
}

// clientsRate is what so many clients get. Times are of queries, in milliseconds.
type clientsRate struct {
	Clients  int     `json:"clients"`
	Queries  int     `json:"queries"`
	Rate     float64 `json:"queries_a_second"`
	Median   float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
	Longest  float64 `json:"longest_ms"`
	Cubes    int     `json:"cubes"`     // that were made beside
	FellBack int     `json:"fell_back"` // queries with a notice, as of steps that ran elsewhere
}

// newBenchClients makes the command bench clients.
func newBenchClients() *cobra.Command {
	var f clientsFlags
	cmd := &cobra.Command{
		Use:   "clients",
		Short: "Ask the queries of the Star Schema Benchmark by many clients at the same time",
		Long: `Has clients, each with a session of its own, ask the queries of the Star Schema
Benchmark one after the other for some time, hot, and compares each answer with
the one that a client alone got. With --cubes one client more asks for the cube of
four dimensions of a table of so many rows all the while.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd, func(ctx context.Context, db *cubeloom.DB) { f.run(ctx, db, stdio(cmd)) })
		},
	}
	f.register(cmd)
	cmd.Flags().Float64Var(&f.set.scale, "sf", 1, "scale factor")
	cmd.Flags().StringSliceVar(&f.set.names, "query", nil, "only these queries, such as Q1.1,Q2.1 (default: all)")
	cmd.Flags().IntSliceVar(&f.clients, "clients", []int{1, 8, 32, 64}, "how many ask at the same time, one number after the other")
	cmd.Flags().DurationVar(&f.time, "time", 5*time.Second, "how long they ask")
	cmd.Flags().Int64Var(&f.cubes, "cubes", 0, "rows of a table whose cube is asked for beside")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "write the result as JSON")
	return cmd
}

// run loads the data, has the clients ask, and writes what they got.
func (f *clientsFlags) run(ctx context.Context, db *cubeloom.DB, std streams) {
	set := workload.SSB{SF: f.set.scale}
	queries := sqlstate.Must(f.set.chosen(workload.SSBQueries()))
	sqlstate.Check(loadSet(ctx, db, set, 1, std.err))
	asked := &askedQueries{db: db, device: f.device, queries: queries}
	if f.cubes > 0 {
		cube := workload.Cube{Name: "cube", Rows: f.cubes, Dims: 4, Card: 100}
		sqlstate.Check(loadSet(ctx, db, cube, 1, std.err))
		asked.beside = "SELECT d1, d2, d3, d4, count(*), sum(m) FROM cube GROUP BY CUBE (d1, d2, d3, d4)"
	}
	asked.first(ctx)
	b := &clientsBench{Data: fmt.Sprintf("%+v", set), Device: f.device, Threads: db.Threads(), Cubes: f.cubes}
	for _, n := range f.clients {
		b.Points = append(b.Points, *asked.measure(ctx, n, f.time))
	}
	if f.asJSON {
		sqlstate.Check(harness.WriteJSON(std.out, b))
		return
	}
	b.print(std.out)
}

// askedQueries are the queries with their answers.
type askedQueries struct {
	db      *cubeloom.DB
	device  string
	queries []workload.Query
	answers []harness.Digest
	beside  string // what one client more asks; "": there is none
}

// first gets the answers, and has everything compiled and copied that queries need.
func (a *askedQueries) first(ctx context.Context) {
	session, err := configured(ctx, a.db, "on", a.device)
	sqlstate.Check(err)
	for _, q := range a.queries {
		answer, _, err := askedOnce(ctx, session, q.SQL)
		if err != nil {
			panic(fmt.Errorf("%s: %w", q.Name, err))
		}
		a.answers = append(a.answers, answer)
	}
	if a.beside != "" {
		_, _, err = askedOnce(ctx, session, a.beside)
	}
	sqlstate.Check(err)
}

// askedOnce asks a query and reads its rows; it reports whether there was a notice.
func askedOnce(ctx context.Context, session *cubeloom.Session, text string) (answer harness.Digest, noticed bool, err error) {
	res, err := session.Query(ctx, text)
	if err != nil {
		return answer, false, err
	}
	defer res.Close()
	answer, err = digest(res, nil)
	return answer, len(res.Notices) > 0, err
}

// measure has n clients ask for some time.
func (a *askedQueries) measure(ctx context.Context, n int, limit time.Duration) *clientsRate {
	defer during("%d clients", n)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	rate := &clientsRate{Clients: n}
	took, noticed := make([][]time.Duration, n), make([]int, n)
	var clients, others sync.WaitGroup
	started := time.Now()
	goOn := func() bool { return time.Since(started) < limit && ctx.Err() == nil }
	for i := range n {
		clients.Go(func() {
			var err error
			if took[i], noticed[i], err = a.client(ctx, i, goOn); err != nil {
				stop(err)
			}
		})
	}
	if a.beside != "" {
		others.Go(func() {
			var err error
			if rate.Cubes, err = sqlstate.Try(func() int { return a.other(ctx, goOn) }); err != nil {
				stop(err)
			}
		})
	}
	clients.Wait()
	elapsed := time.Since(started)
	others.Wait()
	if ctx.Err() != nil {
		sqlstate.Check(context.Cause(ctx))
		return nil
	}
	var all []time.Duration
	for i := range took {
		all = append(all, took[i]...)
		rate.FellBack += noticed[i]
	}
	rate.Queries, rate.Rate = len(all), float64(len(all))/elapsed.Seconds()
	rate.Median = harness.Milliseconds(harness.Median(all))
	rate.P99, rate.Longest = harness.Milliseconds(harness.Percentile(all, 0.99)), harness.Milliseconds(harness.Percentile(all, 1))
	return rate
}

// client asks the queries, from one of them on, at least one, and returns what each took.
func (a *askedQueries) client(ctx context.Context, from int, goOn func() bool) (took []time.Duration, noticed int, err error) {
	session, err := configured(ctx, a.db, "on", a.device)
	if err != nil {
		return nil, 0, err
	}
	for i := from; i == from || goOn(); i++ {
		at := i % len(a.queries)
		started := time.Now()
		answer, notice, err := askedOnce(ctx, session, a.queries[at].SQL)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", a.queries[at].Name, err)
		}
		took = append(took, time.Since(started))
		if answer != a.answers[at] {
			return nil, 0, fmt.Errorf("%s: %v beside others and %v alone", a.queries[at].Name, answer, a.answers[at])
		}
		if notice {
			noticed++
		}
	}
	return took, noticed, nil
}

// other asks for cubes and returns how many it got.
func (a *askedQueries) other(ctx context.Context, goOn func() bool) (cubes int) {
	session := sqlstate.Must(configured(ctx, a.db, "on", a.device))
	for ; goOn(); cubes++ {
		res := sqlstate.Must(session.Query(ctx, a.beside))
		res.Close()
	}
	return cubes
}

// print writes a row for each number of clients.
func (b *clientsBench) print(out io.Writer) {
	beside := ""
	if b.Cubes > 0 {
		beside = fmt.Sprintf(", beside cubes of %d rows", b.Cubes)
	}
	fmt.Fprintf(out, "ssb %s, %d threads, device %s%s, answers compared\n\n", b.Data, b.Threads, b.Device, beside)
	w := harness.Table(out)
	fmt.Fprintln(w, "clients\tqueries\tqueries/s\tp50 ms\tp99 ms\tlongest ms\tfell back\tcubes\t")
	for _, p := range b.Points {
		fmt.Fprintf(w, "%d\t%d\t%.0f\t%.2f\t%.2f\t%.2f\t%d\t%d\t\n", p.Clients, p.Queries, p.Rate, p.Median, p.P99, p.Longest, p.FellBack, p.Cubes)
	}
	w.Flush()
}
