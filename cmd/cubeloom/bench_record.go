package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/spaces"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// recordFlags say what is recorded.
type recordFlags struct {
	file   string
	blocks int
	limit  time.Duration
}

func (f *recordFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "record", "", fmt.Sprintf("measure every configuration of every strategy instead, and write the times to this file, for 'cubeloom bench tuning'; each table is a block, on a device %d blocks", queryBlocks))
	cmd.Flags().IntVar(&f.blocks, "record-blocks", spaces.Blocks, "runs of each configuration; one that takes ten times as long as the fastest is given up after three")
	cmd.Flags().DurationVar(&f.limit, "record-limit", 0, "end after so long; a strategy that is not done by then is left out (default: no limit)")
}

// run records.
func (f *recordFlags) run(ctx context.Context, db *cubeloom.DB, device string, loads []load, io streams) {
	if f.blocks < spaces.GiveUpAfter {
		panic(fmt.Errorf("--record-blocks must be at least %d, got %d", spaces.GiveUpAfter, f.blocks))
	}
	r := &recorder{device: device, blocks: f.blocks, file: f.file}
	if device != "cuda" {
		r.device = "cpu"
	}
	if f.limit > 0 {
		r.until = time.Now().Add(f.limit)
	}
	r.record(ctx, db, loads, io)
}

// recorder measures every configuration of every strategy for a series of tables, each of
// which is a block.
type recorder struct {
	device string
	blocks int              // of a configuration
	rows   int64            // of a block
	file   string           // of what is made, which is written after each strategy
	until  time.Time        // when recording ends; zero: when all is done
	made   spaces.Recording // so far
	last   *groupLaunches   // what the last run on a device has grouped
}

// errLate ends a strategy that was not done when the time was over.
var errLate = errors.New("the time was over before all configurations were measured")

// The configurations that are recorded of the CPU: settings and figures. Names that begin with Host are figures.
var (
	hostStrategies = []string{"dense", "hash", "partitioned"}
	hostAxes       = []spaces.Axis{
		{Name: "vector_rows", Values: []int64{128, 256, 512, 1024, 2048, 4096, 8192}},
		{Name: "Host.Caches.MorselVectors", Values: []int64{4, 16, 64}},
		{Name: "Host.Caches.TableBytes", Values: []int64{9 << 16, 9 << 17, 9 << 18, 9 << 19, 9 << 20}},
	}
	hostStart = []int{3, 1, 3}
)

// parts are the spaces that are recorded, without their points.
func (r *recorder) parts() []spaces.Part {
	if r.device == "cuda" {
		return slices.Clone(deviceSpaces)
	}
	var parts []spaces.Part
	for _, name := range hostStrategies {
		parts = append(parts, spaces.Part{Strategy: name, Axes: hostAxes, Start: hostStart})
	}
	return parts
}

// record measures the tables of some loads.
func (r *recorder) record(ctx context.Context, db *cubeloom.DB, loads []load, io streams) {
	session := sqlstate.Must(configured(ctx, db, "on", r.device))
	r.made = spaces.Recording{Device: machine.HostName(), Source: "cubeloom bench groupby --record, " + time.Now().Format(time.DateOnly)}
	if r.device == "cuda" {
		infos, _, err := db.CUDADevices()
		sqlstate.Check(err)
		r.made.Device = infos[0].Name
		sqlstate.Check(change(ctx, session, "tuning = off"))
	}
	for _, l := range loads {
		if r.isLate() {
			fmt.Fprintf(io.err, "%s: the time was over\n", l.set.(workload.Groups).Name)
			continue
		}
		r.made.Query = l.queries[0].SQL
		overSet(ctx, db, l.set, l.seed, io.err, func() { r.space(ctx, db, session, l, io) })
	}
}

// launches runs the query with a configuration on a device, and returns how long each block took.
func (r *recorder) launches(ctx context.Context, session *cubeloom.Session, text string, c configuration) ([]int64, string, error) {
	group, refusal, err := c.run(ctx, session, text, r.rows)
	if err != nil || refusal != "" {
		return nil, refusal, err
	}
	r.last = group
	times, refusal := blockTimes(group.Measured.Launches)
	return times, refusal, nil
}

// isLate reports whether the time is over.
func (r *recorder) isLate() bool { return !r.until.IsZero() && time.Now().After(r.until) }

// space measures the strategies for one table.
func (r *recorder) space(ctx context.Context, db *cubeloom.DB, session *cubeloom.Session, l load, io streams) {
	set, text := l.set.(workload.Groups), l.queries[0].SQL
	r.rows = set.Rows
	if r.device == "cuda" {
		if r.rows = set.Rows / queryBlocks; set.Rows%(queryBlocks*1024) != 0 {
			panic(fmt.Errorf("--rows must be a multiple of %d, got %d", queryBlocks*1024, set.Rows))
		}
	}
	s := spaces.Space{Name: set.Name, Groups: set.Groups, Rows: r.rows, Bytes: 8 * r.rows}
	if set.Scattered {
		s.Bytes = 12 * r.rows
	}
	if r.device == "cuda" { // the groups stay there
		text = "SELECT max(s) FROM (" + strings.Replace(text, "sum(v)", "sum(v) AS s", 1) + ") AS groups"
	}
	parts := r.applying(ctx, session, text)
	if r.device == "cuda" {
		compileWays(ctx, db, parts, text, r.rows)
	}
	s.Planned = r.planned(ctx, session, text)
	r.made.Spaces = append(r.made.Spaces, s)
	into, fastest := &r.made.Spaces[len(r.made.Spaces)-1], 0.0
	for _, p := range parts {
		began := time.Now()
		if p.Refusal == "" {
			fastest = r.part(ctx, session, text, &p, fastest)
			if last := r.last; last != nil && last.Measured.BytesRead > 0 {
				into.Bytes = last.Measured.BytesRead / queryBlocks // as the columns are stored
			}
		}
		into.Parts = append(into.Parts, p)
		sqlstate.Check(r.made.Write(r.file))
		fmt.Fprintf(io.err, "%s, %s: %s\n", s.Name, p.Strategy, cmp.Or(p.Refusal, fmt.Sprintf("%d configurations in %.1f s", p.Size(), time.Since(began).Seconds())))
	}
	sqlstate.Must(session.Query(ctx, "RESET aggregate_strategy"))
}

// planned measures what is planned on a device; nothing for the CPU.
func (r *recorder) planned(ctx context.Context, session *cubeloom.Session, text string) (p spaces.Planned) {
	if r.device != "cuda" {
		return p
	}
	r.force(ctx, session, "auto", text)
	for len(p.Times) < r.blocks {
		took, refusal, err := r.launches(ctx, session, text, planned)
		if err == nil && refusal != "" {
			err = errors.New(refusal)
		}
		sqlstate.Check(err)
		p.Times, p.Taken = append(p.Times, took...), r.last.Measured.Taken
	}
	return p
}

// applying are the strategies, those with few configurations first, and of those that do not apply the
// reason. The query runs with the others.
func (r *recorder) applying(ctx context.Context, session *cubeloom.Session, text string) []spaces.Part {
	parts := r.parts()
	slices.SortStableFunc(parts, func(a, b spaces.Part) int { return cmp.Compare(a.Size(), b.Size()) })
	for i := range parts {
		refusal := r.force(ctx, session, parts[i].Strategy, text)
		if refusal != "" {
			parts[i] = spaces.Part{Strategy: parts[i].Strategy, Refusal: refusal}
		}
	}
	return parts
}

// part measures a strategy, unless the time is over before. It returns the least mean time of a block
// so far.
func (r *recorder) part(ctx context.Context, session *cubeloom.Session, text string, p *spaces.Part, fastest float64) float64 {
	r.force(ctx, session, p.Strategy, text)
	before := *machine.Current()
	defer machine.Use(before)
	found, err := p.Measure(fastest, r.blocks, func(values []int64) ([]int64, string, error) {
		if r.isLate() {
			return nil, "", errLate
		}
		return r.run(ctx, session, text, &before, p.Axes, values)
	})
	if errors.Is(err, errLate) {
		*p = spaces.Part{Strategy: p.Strategy, Refusal: err.Error(), Missing: true}
		return fastest
	}
	sqlstate.Check(err)
	return found
}

// force has the session take a strategy for the query, which is run once, and returns why it does not
// apply.
func (r *recorder) force(ctx context.Context, session *cubeloom.Session, strategy, text string) (refusal string) {
	for _, set := range []string{"RESET launch_parameters", "RESET group_threads", "RESET group_rows", "SET aggregate_strategy = " + strategy} {
		sqlstate.Must(session.Query(ctx, set))
	}
	return r.refused(ctx, session, text)
}

// refused says why the strategy that is forced does not apply. It runs the query otherwise, so
// that its kernels are compiled.
func (r *recorder) refused(ctx context.Context, session *cubeloom.Session, text string) string {
	res, err := session.Query(ctx, text)
	if err != nil {
		if strings.Contains(err.Error(), "aggregate_strategy") {
			return err.Error()
		}
		panic(err)
	}
	defer res.Close()
	for _, n := range res.Notices {
		return n.Message // it ran elsewhere
	}
	return ""
}

// run runs the query with a configuration, and returns how long each block of it took.
func (r *recorder) run(ctx context.Context, session *cubeloom.Session, text string, before *machine.Machine, axes []spaces.Axis, values []int64) ([]int64, string, error) {
	if r.device == "cuda" {
		return r.launches(ctx, session, text, configurationOf(axes, values))
	}
	figures := make(map[string]float64)
	for i := range axes {
		if strings.HasPrefix(axes[i].Name, "Host.") {
			figures[axes[i].Name] = float64(values[i])
		} else if _, err := session.Query(ctx, fmt.Sprintf("SET %s = %d", axes[i].Name, values[i])); err != nil {
			return nil, "", err
		}
	}
	m, err := before.WithFigures(figures)
	if err != nil {
		return nil, "", err
	}
	if m != *machine.Current() {
		machine.Use(m)
	}
	started := time.Now()
	res, err := session.Query(ctx, text)
	if err != nil {
		return nil, "", err
	}
	took := time.Since(started)
	res.Close()
	return []int64{took.Nanoseconds()}, "", nil
}
