package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/spaces"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"golang.org/x/sync/errgroup"
)

// queryBlocks is how many blocks a table has that a device groups: a query goes over all of them.
const queryBlocks = 4

// The configurations that are recorded of a device: settings, and launch parameters.
var (
	threadAxis = spaces.Axis{Name: "threads", Values: []int64{32, 64, 128, 256, 512, 1024}}
	rowAxis    = spaces.Axis{Name: "rows", Values: []int64{4, 8, 16}} // that a thread holds
	blockAxis  = spaces.Axis{Name: "blocks", Values: []int64{1, 2, 3, 4, 6, 8, 12, 16, 24, 32}}
	sharedAxis = spaces.Axis{Name: "shared", Values: []int64{8 << 10, 24 << 10, 48 << 10, 96 << 10, 200 << 10}}
	copiesAxis = spaces.Axis{Name: "replicas", Values: []int64{1, 32}}
)

// deviceSpaces are the strategies of a device with the parameters that make a difference to each,
// and where searches begin.
var deviceSpaces = []spaces.Part{
	{Strategy: "thread", Axes: []spaces.Axis{threadAxis, rowAxis, blockAxis}, Start: []int{3, 1, 5}},
	{Strategy: "block", Axes: []spaces.Axis{threadAxis, rowAxis, blockAxis, sharedAxis, copiesAxis}, Start: []int{3, 1, 5, 1, 1}},
	{Strategy: "wide", Axes: []spaces.Axis{rowAxis, blockAxis, sharedAxis, copiesAxis}, Start: []int{1, 0, 4, 1}},
	{Strategy: "ranges", Axes: []spaces.Axis{threadAxis, rowAxis, blockAxis, sharedAxis}, Start: []int{3, 1, 5, 1}},
	{Strategy: "shared", Axes: []spaces.Axis{threadAxis, rowAxis, blockAxis}, Start: []int{3, 0, 5}},
	{Strategy: "independent", Axes: []spaces.Axis{threadAxis, rowAxis}, Start: []int{3, 0}}, // as many blocks as there are tables
}

// compileWays has the kernels of the strategies that apply compiled for each size of a block and number of
// rows of a thread, many at the same time.
func compileWays(ctx context.Context, db *cubeloom.DB, parts []spaces.Part, text string, rows int64) {
	var compiling errgroup.Group
	compiling.SetLimit(compiledAtOnce)
	for _, p := range parts {
		for _, c := range kernelsOf(&p) {
			compiling.Go(func() error {
				session, err := configured(ctx, db, "on", "cuda", "aggregate_strategy = "+p.Strategy)
				if err == nil {
					_, _, err = c.run(ctx, session, text, rows)
				}
				return err
			})
		}
	}
	sqlstate.Check(compiling.Wait())
}

// compiledAtOnce is how many kernels are compiled at the same time, at most: their queries hold memory.
const compiledAtOnce = 32

// kernelsOf are the configurations of a strategy that are kernels of their own, none where it does not apply.
func kernelsOf(p *spaces.Part) (list []configuration) {
	seen := make(map[configuration]bool)
	for i := range p.Size() {
		c := configurationOf(p.Axes, p.Values(i))
		c.parameters = ""
		if p.Refusal == "" && !seen[c] {
			list = append(list, c)
		}
		seen[c] = true
	}
	return list
}

// configuration is what of an aggregation on a device is chosen: settings, and launch parameters.
type configuration struct{ threads, rows, parameters string }

// planned is the configuration with nothing chosen.
var planned = configuration{threads: autoForm, rows: autoForm}

// configurationOf has values chosen for some axes.
func configurationOf(axes []spaces.Axis, values []int64) configuration {
	c := planned
	for i := range axes {
		value := strconv.FormatInt(values[i], 10)
		switch axes[i].Name {
		case threadAxis.Name:
			c.threads = value
		case rowAxis.Name:
			c.rows = value
		default:
			c.parameters += axes[i].Name + " " + value + " "
		}
	}
	return c
}

// run runs the query in blocks of so many rows, and returns its first group, which adds them to the groups
// of the query; another one reads the result on the device.
func (c configuration) run(ctx context.Context, session *cubeloom.Session, text string, rows int64) (group *groupLaunches, refusal string, err error) {
	parameters := fmt.Sprintf("launch_parameters = '%s rows %d'", c.parameters, rows)
	if err := change(ctx, session, "group_threads = "+c.threads, "group_rows = "+c.rows, parameters); err != nil {
		return nil, "", err
	}
	groups, err := measureLaunches(ctx, session, text)
	var refused *cubeloom.Error
	if errors.As(err, &refused) && ctx.Err() == nil { // the report says so
		return nil, refused.Message, nil
	}
	if err != nil {
		return nil, "", err
	}
	return &groups[0], "", nil
}

// blockTimes are the times of the launches that add the rows of each block to the groups. An entry goes over all
// blocks once for each range of the groups.
func blockTimes(launches []launch) (times []int64, refusal string) {
	times = make([]int64, queryBlocks)
	seen := make(map[string]int)
	for i := range launches {
		if l := &launches[i]; strings.Contains(l.Entry, "aggregate") {
			times[seen[l.Entry]%queryBlocks] += l.Time.Nanoseconds()
			seen[l.Entry]++
		}
	}
	for entry, n := range seen {
		if n%queryBlocks != 0 {
			return nil, fmt.Sprintf("%s was launched %d times for %d blocks", entry, n, queryBlocks)
		}
	}
	return times, ""
}
