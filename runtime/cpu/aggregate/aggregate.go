// Package aggregate is the sink that groups rows, and the table of the ways to do so.
package aggregate

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/dense"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/hash"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/ordered"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/partitioned"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/single"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// strategies are all of them. The first that applies is taken.
var strategies = []group.Strategy{
	single.Strategy{},
	ordered.Strategy{},
	partitioned.Strategy{},
	dense.Strategy{},
	hash.Strategy{},
}

// aggregate is the sink that groups rows. Each worker aggregates its rows on
// its own; the parts are merged at the end.
type aggregate struct {
	*group.Grouping
	workers  []*aggregator
	choose   sync.Once
	strategy group.Strategy
	err      error // of choosing
	started  time.Time
}

// New plans the sink of in.
func New(r *exec.Run, in *kernel.Aggregate) exec.Sink {
	return &aggregate{Grouping: group.Plan(r, in), started: time.Now()}
}

// Worker implements exec.Sink.
func (a *aggregate) Worker(w *exec.Worker) exec.SinkWorker {
	aw := &aggregator{agg: a, w: w, views: make([]vector.View, len(a.IDs))}
	for _, id := range a.IDs {
		aw.operands = append(aw.operands, vector.NewOperand(a.Run.Kernel, id))
	}
	a.workers = append(a.workers, aw)
	return aw
}

// aggregator is one worker's part of an aggregate.
type aggregator struct {
	agg      *aggregate
	w        *exec.Worker
	operands []*vector.Operand
	views    []vector.View
	part     group.Part    // nil before the first rows
	prepared time.Duration // that making the part has taken
}

// Consume implements exec.SinkWorker.
func (aw *aggregator) Consume(b *vector.Batch) {
	if b.Active() == 0 {
		return
	}
	aw.prepare()
	for i, o := range aw.operands {
		aw.views[i] = o.Read(b)
	}
	aw.part.Add(b.Active(), aw.views)
}

// prepare makes the worker's part, if that has not been done.
func (aw *aggregator) prepare() {
	if aw.part != nil {
		return
	}
	strategy, started := aw.agg.take(), time.Now()
	aw.part = strategy.Part(aw.agg.Grouping, aw.w)
	aw.prepared = time.Since(started)
}

// take takes a strategy, once.
func (a *aggregate) take() group.Strategy {
	a.choose.Do(func() {
		if a.err = sqlstate.Run(a.NumberKeys); a.err != nil {
			return
		}
		var refusals []string
		for _, s := range strategies {
			why := s.Refuses(a.Grouping)
			if why == "" {
				a.strategy = s
				return
			}
			refusals = append(refusals, s.Name()+": "+why)
		}
		a.err = exec.Internalf("no strategy of aggregation applies: %s", strings.Join(refusals, "; "))
	})
	sqlstate.Check(a.err)
	return a.strategy
}

// Finish implements exec.Sink.
func (a *aggregate) Finish(context.Context) exec.Result {
	var parts []group.Part
	for i, aw := range a.workers {
		if aw.part == nil && (i < len(a.workers)-1 || len(parts) > 0) {
			continue // it has had no rows
		}
		aw.prepare()
		parts = append(parts, aw.part)
	}
	pieces, taken := a.strategy.Finish(a.Grouping, parts)
	merged := time.Now()
	var res exec.Result
	if a.In.Cells && !a.MergesOnce() { // what keeps rows of a group goes through all of them at once
		res = inCells(a.Grouping, pieces)
	} else {
		res = a.inColumns(pieces)
	}
	res.Taken, res.Phases = taken, a.phases(merged, &res)
	return res
}

// phases are those of the aggregation, whose rows were in the groups of all at a moment; nil where
// nobody asks for them, or there is one group.
func (a *aggregate) phases(merged time.Time, res *exec.Result) *runtime.Phases {
	if !a.Run.Opts.Explain || len(a.Keys) == 0 {
		return nil
	}
	p := &runtime.Phases{Finalize: time.Since(merged), Filled: res.Rows}
	for _, aw := range a.workers {
		p.Initialize = max(p.Initialize, aw.prepared)
	}
	p.Aggregate = merged.Sub(a.started) - p.Initialize
	if a.Dense != nil {
		p.Cells = int64(a.Dense.Cells)
	}
	_, p.InCells = res.Out.(*cells)
	return p
}

// inColumns makes the columns of all groups.
func (a *aggregate) inColumns(pieces []group.Piece) exec.Result {
	blocks := make([]runtime.Block, len(pieces))
	a.Run.Each(len(pieces), func(i int) { blocks[i] = a.Block(&pieces[i]) })
	exec.ShareDictionaries(blocks)
	return exec.NewRelation(a.Run, a.ResultTypes(), blocks)
}
