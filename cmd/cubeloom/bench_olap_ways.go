package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/spf13/cobra"
)

// olapRuns is where queries run, and how often.
type olapRuns struct {
	Runs   int    `json:"runs"`
	Device string `json:"device"`
	Expand string `json:"expand"` // setting expand_strategy

	progress io.Writer // gets a line for each way that has been timed
}

// timeWith times a query with settings, and on a device its launches.
func (o *olapRuns) timeWith(ctx context.Context, db *cubeloom.DB, q workload.Query, settings map[string]string) (olapTime, []groupLaunches, *cubeloom.Result) {
	session := sqlstate.Must(configured(ctx, db, "on", o.Device, "expand_strategy = '"+o.Expand+"'"))
	sqlstate.Check(change(ctx, session, assignments(settings)...))
	t := sqlstate.Must(timeIn(ctx, session, q.SQL, o.Runs))
	took := olapTime{Query: harness.Milliseconds(t.time)}
	var groups []groupLaunches
	if o.Device == "cuda" {
		groups = sqlstate.Must(medianLaunches(ctx, session, q.SQL, o.Runs))
		sum, _ := kernelTime(groups)
		took.Kernels = harness.Milliseconds(sum)
	}
	return took, groups, t.res
}

// olapWays are the ways in which cells are added to their targets on a device that are
// timed, without early aggregation.
type olapWays struct {
	tables        []string // those of Meinke 2015: see thesisTables
	forms         []string // in which the device goes on with matches; all: every one, and the choice
	aggregate     string   // strategy of the aggregation
	preaggregates []string // strategies of warp preaggregation; all: every one
	replicas      []string // numbers of them
}

// register adds the flags to cmd.
func (w *olapWays) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&w.forms, "forms", nil, "time these values of expand_strategy without early aggregation, too, or all")
	flags.StringSliceVar(&w.tables, "tables", nil, "time what the tables 5.2 to 5.8 and the appendices C and E of Meinke 2015 compare, too, or those whose names begin so, as in --tables=5.2,E")
	flags.Lookup("tables").NoOptDefVal = allTables
	flags.StringSliceVar(&w.preaggregates, "preaggregate", nil, "time these strategies of warp preaggregation on the device, too, or all")
	flags.StringSliceVar(&w.replicas, "replicas", []string{"auto"}, "numbers of replicas of targets that --preaggregate or --synthetic times")
	flags.StringVar(&w.aggregate, "aggregate", "auto", "strategy of aggregations that --preaggregate or --synthetic times")
}

// names are the preaggregations that are timed.
func (w *olapWays) names() []string {
	if slices.Equal(w.preaggregates, []string{"all"}) {
		return preaggregate.Names()
	}
	return w.preaggregates
}

// expansions are the forms that are timed: without any those of the benchmark. The choice comes last, and
// finds the kernels of all forms compiled.
func (w *olapWays) expansions(usual string) []string {
	switch {
	case len(w.forms) == 0:
		return []string{usual}
	case slices.Equal(w.forms, []string{"all"}):
		return append(slices.Clone(expand.Names()), autoForm)
	}
	return w.forms
}

// preaggregations are those that are timed: auto where only forms are.
func (w *olapWays) preaggregations() []string {
	if len(w.forms) > 0 && len(w.preaggregates) == 0 {
		return []string{"auto"}
	}
	return w.names()
}

// ways times the ways of a query and compares the answers.
func (o *olapRuns) ways(ctx context.Context, db *cubeloom.DB, q workload.Query, w *olapWays, want *cubeloom.Result) []olapWay {
	defer during("%s", q.Name)
	var all []olapWay
	for _, form := range w.expansions(o.Expand) {
		for _, name := range w.preaggregations() {
			for _, replicas := range w.replicas {
				all = append(all, olapWay{Form: form, Aggregate: w.aggregate, Preaggregate: name, Replicas: replicas})
			}
		}
	}
	all = append(all, thesisTables(w.tables)...)
	for i := range all {
		way := &all[i]
		o.way(ctx, db, q, way, want)
		fmt.Fprintf(o.progress, "%s %s %s %s, %s, %s, %s replicas, %s threads: kernels %.3f ms %s\n", q.Name, way.Table, way.Form, way.Pages, way.Aggregate, way.Preaggregate, way.Replicas, cmp.Or(way.Threads, autoForm), way.Kernels, way.Refusal)
	}
	return all
}

// way times one of them.
func (o *olapRuns) way(ctx context.Context, db *cubeloom.DB, q workload.Query, way *olapWay, want *cubeloom.Result) {
	defer during("expanded by %s, pages %s, preaggregated by %s, %s replicas", way.Form, way.Pages, way.Preaggregate, way.Replicas)
	var groups []groupLaunches
	var res *cubeloom.Result
	err := sqlstate.Run(func() {
		way.olapTime, groups, res = o.timeWith(ctx, db, q, map[string]string{
			"disabled_rules": "push_aggregates", "aggregate_strategy": way.Aggregate, "preaggregate_strategy": way.Preaggregate,
			"group_replicas": way.Replicas, "expand_strategy": way.Form, "expand_pages": cmp.Or(way.Pages, "none"),
			"group_threads": cmp.Or(way.Threads, autoForm),
		})
	})
	var refused *cubeloom.Error
	if errors.As(err, &refused) && refused.Code == "0A000" {
		way.Refusal = refused.Message
		return
	}
	sqlstate.Check(err)
	sqlstate.Check(sameRows(want, res))
	for i := range groups {
		m := &groups[i].Measured
		if m.Additions != nil {
			way.Added, way.Made = way.Added+m.Additions.Rows, way.Made+m.Additions.Made
		}
		for _, d := range m.Forms {
			way.Taken += d.taken()
		}
		way.note(m.Taken)
	}
}
