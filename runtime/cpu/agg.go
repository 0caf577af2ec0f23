package cpu

import (
	"context"
	"strings"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// aggStrategies are all of them. The first that applies is taken.
var aggStrategies = []aggStrategy{
	singleStrategy{},
	partitionedStrategy{},
	denseStrategy{},
	hashStrategy{},
}

// aggregate is the sink that groups rows. Each worker aggregates its rows on
// its own; the parts are merged at the end.
type aggregate struct {
	*grouping
	workers  []*aggregator
	choose   sync.Once
	strategy aggStrategy
	err      error // of choosing
}

// newAggregate plans the sink of in.
func newAggregate(r *run, in *kernel.Aggregate) (sink, error) {
	plan, err := newGrouping(r, in)
	return &aggregate{grouping: plan}, err
}

// worker implements sink.
func (a *aggregate) worker(*worker) (sinkWorker, error) {
	aw := &aggregator{agg: a, views: make([]view, len(a.ids))}
	for _, id := range a.ids {
		aw.operands = append(aw.operands, newOperand(a.run.f, id))
	}
	a.workers = append(a.workers, aw)
	return aw, nil
}

// aggregator is one worker's part of an aggregate.
type aggregator struct {
	agg      *aggregate
	operands []*operand
	views    []view
	part     aggPart // nil before the first rows
}

// consume implements sinkWorker.
func (aw *aggregator) consume(b *Batch) error {
	if b.Active() == 0 {
		return nil
	}
	if err := aw.prepare(); err != nil {
		return err
	}
	for i, o := range aw.operands {
		aw.views[i] = o.read(b)
	}
	return aw.part.add(b.Active(), aw.views)
}

// prepare makes the worker's part, if that has not been done.
func (aw *aggregator) prepare() error {
	if aw.part != nil {
		return nil
	}
	strategy, err := aw.agg.take()
	if err == nil {
		aw.part, err = strategy.part(aw.agg.grouping)
	}
	return err
}

// take takes a strategy, once.
func (a *aggregate) take() (aggStrategy, error) {
	a.choose.Do(func() {
		if a.err = a.numberKeys(); a.err != nil {
			return
		}
		var refusals []string
		for _, s := range aggStrategies {
			why := s.refuses(a.grouping)
			if why == "" {
				a.strategy = s
				return
			}
			refusals = append(refusals, s.Name()+": "+why)
		}
		a.err = internalf("no strategy of aggregation applies: %s", strings.Join(refusals, "; "))
	})
	return a.strategy, a.err
}

// finish implements sink.
func (a *aggregate) finish(context.Context) (result, error) {
	var parts []aggPart
	for i, aw := range a.workers {
		if aw.part == nil && (i < len(a.workers)-1 || len(parts) > 0) {
			continue // it has had no rows
		}
		if err := aw.prepare(); err != nil {
			return result{}, err
		}
		parts = append(parts, aw.part)
	}
	blocks, taken, err := a.strategy.finish(a.grouping, parts)
	if err != nil {
		return result{}, err
	}
	shareDictionaries(blocks)
	res := newRelation(a.run, a.resultTypes(), blocks)
	res.taken = taken
	return res, nil
}
