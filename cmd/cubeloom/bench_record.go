package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/spaces"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
)

// recordFlags say what is recorded.
type recordFlags struct {
	file   string
	blocks int
	limit  time.Duration
}

func (f *recordFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "record", "", "measure every configuration of every strategy instead, and write the times to this file, for 'cubeloom bench tuning'; each table is a block")
	cmd.Flags().IntVar(&f.blocks, "record-blocks", spaces.Blocks, "runs of each configuration; one that takes ten times as long as the fastest is given up after three")
	cmd.Flags().DurationVar(&f.limit, "record-limit", 0, "begin no other strategy after so long (default: no limit)")
}

// run records.
func (f *recordFlags) run(ctx context.Context, db *cubeloom.DB, device string, loads []load, io streams) error {
	if f.blocks < spaces.GiveUpAfter {
		return fmt.Errorf("--record-blocks must be at least %d, got %d", spaces.GiveUpAfter, f.blocks)
	}
	r := &recorder{device: device, blocks: f.blocks}
	if device != "cuda" {
		r.device = "cpu"
	}
	if f.limit > 0 {
		r.until = time.Now().Add(f.limit)
	}
	made, err := r.record(ctx, db, loads, io)
	if err != nil {
		return err
	}
	return made.Write(f.file)
}

// recorder measures every configuration of every strategy for a series of tables, each of
// which is a block.
type recorder struct {
	device string
	blocks int          // of a configuration
	until  time.Time    // when no other strategy is begun; zero: never
	read   atomic.Int64 // bytes that the last run on a device has read
}

// The configurations that are recorded: for the CPU of settings and figures, for a device of
// launch parameters. Names that begin with Host are figures.
var (
	hostStrategies = []string{"dense", "hash", "partitioned"}
	hostAxes       = []spaces.Axis{
		{Name: "vector_rows", Values: []int64{128, 256, 512, 1024, 2048, 4096, 8192}},
		{Name: "Host.Caches.MorselVectors", Values: []int64{4, 16, 64}},
		{Name: "Host.Caches.TableBytes", Values: []int64{9 << 16, 9 << 17, 9 << 18, 9 << 19, 9 << 20}},
	}
	hostStart  = []int{3, 1, 3}
	threadAxis = spaces.Axis{Name: "threads", Values: []int64{32, 64, 128, 256, 512, 1024}}
	blockAxis  = spaces.Axis{Name: "blocks", Values: []int64{1, 2, 3, 4, 6, 8, 12, 16, 24, 32}}
	sharedAxis = spaces.Axis{Name: "shared", Values: []int64{8 << 10, 24 << 10, 48 << 10, 96 << 10, 200 << 10}}
	copiesAxis = spaces.Axis{Name: "replicas", Values: []int64{1, 32}}
)

// deviceSpaces are the strategies of a device with the parameters that make a difference to each,
// and where searches begin.
var deviceSpaces = []spaces.Part{
	{Strategy: "thread", Axes: []spaces.Axis{threadAxis, blockAxis}, Start: []int{3, 5}},
	{Strategy: "block", Axes: []spaces.Axis{threadAxis, blockAxis, sharedAxis, copiesAxis}, Start: []int{3, 5, 1, 1}},
	{Strategy: "wide", Axes: []spaces.Axis{blockAxis, sharedAxis, copiesAxis}, Start: []int{0, 4, 1}},
	{Strategy: "ranges", Axes: []spaces.Axis{threadAxis, blockAxis, sharedAxis}, Start: []int{3, 5, 1}},
	{Strategy: "shared", Axes: []spaces.Axis{threadAxis, blockAxis}, Start: []int{3, 5}},
}

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
func (r *recorder) record(ctx context.Context, db *cubeloom.DB, loads []load, io streams) (*spaces.Recording, error) {
	session, err := configured(ctx, db, "on", r.device)
	if err != nil {
		return nil, err
	}
	made := &spaces.Recording{Device: machine.HostName(), Source: "cubeloom bench groupby --record, " + time.Now().Format(time.DateOnly)}
	if r.device == "cuda" {
		infos, _, err := db.CUDADevices()
		if err != nil {
			return nil, err
		}
		made.Device = infos[0].Name
		if _, err := session.Query(ctx, "SET tuning = off"); err != nil {
			return nil, err
		}
	}
	for _, l := range loads {
		if r.isLate() {
			break
		}
		if err := loadSet(ctx, db, l.set, l.seed, io.err); err != nil {
			return nil, err
		}
		set := l.set.(workload.Groups)
		made.Query = l.queries[0].SQL
		space, err := r.space(ctx, db, session, set, l.queries[0].SQL)
		if err != nil {
			return nil, err
		}
		made.Spaces = append(made.Spaces, *space)
		fmt.Fprintf(io.err, "recorded %s\n", space.Name)
		if err := dropTables(ctx, db, l.set); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// compile has the kernels of a device compiled for each size of a block, all at the same time.
func (r *recorder) compile(ctx context.Context, db *cubeloom.DB, strategy, text string) error {
	if r.device != "cuda" || strategy == "wide" { // whose blocks have one size
		return nil
	}
	var compiling errgroup.Group
	for _, threads := range threadAxis.Values {
		compiling.Go(func() error {
			session, err := configured(ctx, db, "on", r.device)
			if err != nil {
				return err
			}
			if _, err := session.Query(ctx, "SET aggregate_strategy = "+strategy); err != nil {
				return err
			}
			_, _, err = r.launches(ctx, session, text, strconv.FormatInt(threads, 10), "blocks 1")
			return err
		})
	}
	return compiling.Wait()
}

// launches runs the query with parameters, and returns how long the kernels took that group the
// rows; the query has another group, which reads the result on the device.
func (r *recorder) launches(ctx context.Context, session *cubeloom.Session, text, threads, parameters string) (int64, string, error) {
	for _, set := range []string{"SET group_threads = " + threads, "SET launch_parameters = '" + parameters + "'"} {
		if _, err := session.Query(ctx, set); err != nil {
			return 0, "", err
		}
	}
	groups, err := measureLaunches(ctx, session, text)
	var refused *cubeloom.Error
	if errors.As(err, &refused) && refused.Code == "0A000" {
		return 0, refused.Message, nil
	}
	if err != nil {
		return 0, "", err
	}
	took, _ := kernelTime(groups[:1])
	r.read.Store(groups[0].Measured.BytesRead)
	return took.Nanoseconds(), "", nil
}

// isLate reports whether the time is over.
func (r *recorder) isLate() bool { return !r.until.IsZero() && time.Now().After(r.until) }

// space measures the strategies for one table.
func (r *recorder) space(ctx context.Context, db *cubeloom.DB, session *cubeloom.Session, set workload.Groups, text string) (*spaces.Space, error) {
	s := &spaces.Space{Name: set.Name, Groups: set.Groups, Rows: set.Rows, Bytes: 8 * set.Rows}
	if set.Scattered {
		s.Bytes = 12 * set.Rows
	}
	if r.device == "cuda" { // the groups stay there
		text = "SELECT max(s) FROM (" + strings.Replace(text, "sum(v)", "sum(v) AS s", 1) + ") AS groups"
	}
	fastest := 0.0
	for _, p := range r.parts() {
		if r.isLate() {
			break
		}
		for _, set := range []string{"RESET launch_parameters", "RESET group_threads", "SET aggregate_strategy = " + p.Strategy} {
			if _, err := session.Query(ctx, set); err != nil {
				return nil, err
			}
		}
		refusal, err := r.refused(ctx, session, text)
		if err != nil {
			return nil, err
		}
		if refusal != "" {
			s.Parts = append(s.Parts, spaces.Part{Strategy: p.Strategy, Refusal: refusal})
			continue
		}
		if err := r.compile(ctx, db, p.Strategy, text); err != nil {
			return nil, err
		}
		before := *machine.Current()
		fastest, err = p.Measure(fastest, r.blocks, func(values []int64) (int64, string, error) {
			return r.block(ctx, session, text, &before, p.Axes, values)
		})
		machine.Use(before)
		if err != nil {
			return nil, err
		}
		s.Parts = append(s.Parts, p)
		if read := r.read.Load(); read > 0 {
			s.Bytes = read // as the columns are stored
		}
	}
	_, err := session.Query(ctx, "RESET aggregate_strategy")
	return s, err
}

// refused says why the strategy that is forced does not apply. It runs the query otherwise, so
// that its kernels are compiled.
func (r *recorder) refused(ctx context.Context, session *cubeloom.Session, text string) (string, error) {
	res, err := session.Query(ctx, text)
	if err != nil {
		if strings.Contains(err.Error(), "aggregate_strategy") {
			return err.Error(), nil
		}
		return "", err
	}
	defer res.Close()
	for _, n := range res.Notices {
		return n.Message, nil // it ran elsewhere
	}
	return "", nil
}

// block runs the query with a configuration, and returns how long it or its kernels took.
func (r *recorder) block(ctx context.Context, session *cubeloom.Session, text string, before *machine.Machine, axes []spaces.Axis, values []int64) (int64, string, error) {
	if r.device == "cuda" {
		var words []string
		threads := "auto"
		for i := range axes {
			if axes[i].Name == threadAxis.Name {
				threads = strconv.FormatInt(values[i], 10)
				continue
			}
			words = append(words, fmt.Sprintf("%s %d", axes[i].Name, values[i]))
		}
		return r.launches(ctx, session, text, threads, strings.Join(words, " "))
	}
	figures := make(map[string]float64)
	for i := range axes {
		if strings.HasPrefix(axes[i].Name, "Host.") {
			figures[axes[i].Name] = float64(values[i])
		} else if _, err := session.Query(ctx, fmt.Sprintf("SET %s = %d", axes[i].Name, values[i])); err != nil {
			return 0, "", err
		}
	}
	m, err := before.WithFigures(figures)
	if err != nil {
		return 0, "", err
	}
	if m != *machine.Current() {
		machine.Use(m)
	}
	started := time.Now()
	res, err := session.Query(ctx, text)
	if err != nil {
		return 0, "", err
	}
	took := time.Since(started)
	res.Close()
	return took.Nanoseconds(), "", nil
}
