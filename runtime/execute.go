package runtime

import (
	"context"
	"time"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Execution is what executing a program gave: the rows of the query, what each
// step cost and where it ran.
type Execution struct {
	Rows   Relation
	Steps  []Metrics // in the order of the program's steps
	Places []Place   // likewise: where they ran in the end
	Peak   int64     // most bytes charged at one time
	// CopyBack is how long copying rows to the host took after the last step.
	CopyBack time.Duration
}

// Execute runs the steps of prog one after the other, each in its place. Base
// tables are the Handles of the program's TableRefs, which must be Relations. An
// intermediate is released after the last step that reads it. The relation of
// the result stays valid, and charged to the account, until the account's
// owner forgets both.
func Execute(ctx context.Context, prog *codegen.Program, placement *Placement, opts *RunOptions) (*Execution, error) {
	e := newExecution(prog, placement, opts)
	rows, err := e.run(ctx)
	e.giveUpFetching()
	e.releaseLoops()
	if err != nil {
		e.releaseAll()
		return nil, err
	}
	return &Execution{Rows: rows, Steps: e.metrics, Places: e.places, Peak: opts.Account.Peak(), CopyBack: e.copyBack}, nil
}

// run runs the steps whose outputs there are not yet and returns the rows of the
// result.
func (e *execution) run(ctx context.Context) (Relation, error) {
	for i := 0; ; {
		var rows Relation
		var err error
		switch {
		case i == len(e.prog.Steps):
			rows, err = e.result(ctx)
		case e.outputs[i] == nil:
			err = e.step(ctx, i)
		}
		switch {
		case err != nil:
			if i, err = e.move(i, err); err != nil {
				return nil, err
			}
		case i == len(e.prog.Steps):
			return rows, nil
		default:
			e.fetchBeside(ctx, i)
			e.releaseAfter(i)
			i++
		}
	}
}

// result returns the rows of the result.
func (e *execution) result(ctx context.Context) (Relation, error) {
	rows, err := e.bind(ctx, &e.prog.Result)
	if err != nil {
		return nil, err
	}
	rel, ok := rows.(Relation)
	if !ok {
		return nil, value.Errorf(value.CodeInternal, "the result of the program is a %T, not a relation", rows)
	}
	if !e.placement.Fetches {
		return rel, nil
	}
	started := time.Now()
	if e.fetching == nil {
		e.fetching = newFetches(ctx)
	}
	err = e.fetching.finish(rel)
	e.copyBack = time.Since(started)
	return rel, err
}

// fetchBeside begins to copy the rows that step i gives the result to the host, while later steps run.
// EXPLAIN ANALYZE measures steps without it.
func (e *execution) fetchBeside(ctx context.Context, i int) {
	if !e.leaves(i) || e.opts.Explain || e.fetching == nil && i == len(e.prog.Steps)-1 {
		return
	}
	for p := range e.prog.Result.Parts {
		part := &e.prog.Result.Parts[p]
		if part.Step != i {
			continue
		}
		if rel, ok := e.output(part).(Relation); ok {
			e.beginFetch(ctx, part, rel)
		}
	}
}

// leaves reports whether rows of step i are copied to the host for the result.
func (e *execution) leaves(i int) bool {
	return e.placement.Fetches && e.lastUse[i] == len(e.prog.Steps)
}

// beginFetch begins to copy what a part of the result has of a relation.
func (e *execution) beginFetch(ctx context.Context, part *codegen.Part, rel Relation) {
	if e.fetching == nil {
		e.fetching = newFetches(ctx)
	}
	seen := ViewPart{Rel: rel, Cols: part.Cols}
	e.fetching.begin(rel, seen.columns())
}

// giveUpFetching ends what copies rows to the host.
func (e *execution) giveUpFetching() {
	if e.fetching != nil {
		e.fetching.giveUp()
		e.fetching = nil
	}
}

// step runs one step in its place.
func (e *execution) step(ctx context.Context, i int) error {
	step := &e.prog.Steps[i]
	inputs, err := e.inputs(ctx, step)
	if err != nil {
		return err
	}
	out, metrics, err := e.places[i].Backend.Run(ctx, step.Func, inputs, e.options(ctx, i))
	if err != nil {
		return err
	}
	e.outputs[i], e.metrics[i] = out, metrics
	return nil
}

// options are those of step i.
func (e *execution) options(ctx context.Context, i int) *RunOptions {
	opts := *e.opts
	opts.Intermediate = e.lastUse[i] < len(e.prog.Steps)
	if e.varies != nil && e.varies[i] {
		opts.Kept = &e.kept[i]
	}
	if !e.leaves(i) {
		return &opts
	}
	opts.Fetches = true
	if !opts.Explain {
		opts.Made = func(result int, rel Relation) {
			for p := range e.prog.Result.Parts {
				if part := &e.prog.Result.Parts[p]; part.Step == i && part.Result == result {
					e.beginFetch(ctx, part, rel)
				}
			}
		}
	}
	return &opts
}

// move places step i, which has failed, and its co-location group anew, or others where it
// cannot go on because of them, and returns from which step to go on: from the first where a
// step that has run is among them, since what it read may be gone. Where there is no fallback
// the query's error is returned.
func (e *execution) move(i int, failure error) (next int, err error) {
	e.giveUpFetching()
	if e.placement.Fallback == nil {
		return 0, failure
	}
	var on Backend
	if i < len(e.places) {
		on = e.places[i].Backend
	}
	place, instead, err := e.placement.Fallback(i, on, failure)
	if err != nil {
		return 0, err
	}
	next = i
	for s := range e.places {
		if instead != nil && e.places[s].Backend != instead || instead == nil && e.group[s] != e.group[i] {
			continue
		}
		e.places[s] = place
		if s < i {
			next = 0
		}
	}
	if next == 0 {
		e.releaseAll()
	}
	return next, nil
}
