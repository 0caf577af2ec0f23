package runtime

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Execution is what executing a program gave: the rows of the query, what each
// step cost and where it ran.
type Execution struct {
	Rows   Relation
	Steps  []Metrics // in the order of the program's steps
	Places []Place   // likewise: where they ran in the end
	Peak   int64     // most bytes charged at one time
}

// Execute runs the steps of prog one after the other, each in its place. Base
// tables are the Handles of the program's TableRefs, which must be Relations. An
// intermediate is released after the last step that reads it. The relation of
// the result stays valid, and charged to the account, until the account's
// owner forgets both.
func Execute(ctx context.Context, prog *codegen.Program, placement *Placement, opts *RunOptions) (*Execution, error) {
	e := newExecution(prog, placement, opts)
	rows, err := e.run(ctx)
	e.releaseLoops()
	if err != nil {
		e.releaseAll()
		return nil, err
	}
	return &Execution{Rows: rows, Steps: e.metrics, Places: e.places, Peak: opts.Account.Peak()}, nil
}

// newExecution makes the execution of a program, which has not run yet.
func newExecution(prog *codegen.Program, placement *Placement, opts *RunOptions) *execution {
	return &execution{
		prog: prog, placement: placement, opts: opts, outputs: make([]Output, len(prog.Steps)), lastUse: lastUses(prog),
		places: slices.Clone(placement.Steps), group: Colocated(prog), metrics: make([]Metrics, len(prog.Steps)),
	}
}

// run runs the steps whose outputs there are not yet and gives the rows of the
// result.
func (e *execution) run(ctx context.Context) (Relation, error) {
	for i := 0; i < len(e.prog.Steps); {
		var err error
		if e.outputs[i] == nil {
			err = e.step(ctx, i)
		}
		if err == nil {
			e.releaseAfter(i)
			i++
			continue
		}
		if i, err = e.move(i, err); err != nil {
			return nil, err
		}
	}
	rows, err := e.bind(ctx, &e.prog.Result)
	if err != nil {
		return nil, err
	}
	rel, ok := rows.(Relation)
	if !ok {
		return nil, value.Errorf(value.CodeInternal, "the result of the program is a %T, not a relation", rows)
	}
	return rel, nil
}

// step runs one step in its place.
func (e *execution) step(ctx context.Context, i int) error {
	step := &e.prog.Steps[i]
	inputs, err := e.inputs(ctx, step)
	if err != nil {
		return err
	}
	out, metrics, err := e.places[i].Backend.Run(ctx, step.Func, inputs, e.opts)
	if err != nil {
		return err
	}
	e.outputs[i], e.metrics[i] = out, metrics
	return nil
}

// move places step i, which has failed, and its co-location group anew, and returns
// from which step to go on: from the first where a step that has run is among them,
// since what it read may be gone. An error for which there is no fallback is returned.
func (e *execution) move(i int, failure error) (next int, err error) {
	if e.placement.Fallback == nil {
		return 0, failure
	}
	place, all, ok := e.placement.Fallback(i, failure)
	if !ok {
		return 0, failure
	}
	next = i
	for s := range e.places {
		if !all && e.group[s] != e.group[i] {
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

// execution is the state of one Execute.
type execution struct {
	prog      *codegen.Program
	placement *Placement
	opts      *RunOptions
	places    []Place
	group     []int // by step: the first of its co-location group
	outputs   []Output
	metrics   []Metrics
	lastUse   []int                        // by step: the last step that reads its output, len(Steps) for the result
	loops     map[*codegen.Loop]*rowBuffer // rows of recursions that have run
	working   map[*codegen.Loop]Relation   // working tables of the recursions around
	varies    []bool                       // of the term of a recursion: steps that each round runs anew
}

// lastUses finds, for each step, the last step that reads its output.
func lastUses(prog *codegen.Program) []int {
	last := make([]int, len(prog.Steps))
	for i, step := range prog.Steps {
		last[i] = i
		for _, in := range step.Inputs {
			for _, part := range in.Parts {
				last[part.Step] = i
			}
		}
	}
	for _, part := range prog.Result.Parts {
		last[part.Step] = len(prog.Steps)
	}
	return last
}

// inputs binds the inputs of a step.
func (e *execution) inputs(ctx context.Context, step *codegen.Step) ([]any, error) {
	inputs := make([]any, len(step.Inputs))
	for i := range step.Inputs {
		in, err := e.bind(ctx, &step.Inputs[i])
		if err != nil {
			return nil, fmt.Errorf("input %d of kernel %s: %w", i, step.Func.Name, err)
		}
		inputs[i] = in
	}
	return inputs, nil
}

// bind gives what b names.
func (e *execution) bind(ctx context.Context, b *codegen.Binding) (any, error) {
	switch {
	case b.Table != nil:
		return tableRelation(b.Table)
	case b.Rows != nil:
		return NewRows(b.Rows.Types, b.Rows.Rows), nil
	case b.Loop != nil:
		return e.loop(ctx, b.Loop)
	case b.Working != nil:
		return e.working[b.Working], nil
	case len(b.Parts) == 1 && b.Parts[0].Cols == nil:
		return e.outputs[b.Parts[0].Step], nil
	}
	parts := make([]ViewPart, len(b.Parts))
	for i, part := range b.Parts {
		rel, ok := e.outputs[part.Step].(Relation)
		if !ok {
			return nil, value.Errorf(value.CodeInternal, "step %d gives a %T, not a relation", part.Step, e.outputs[part.Step])
		}
		parts[i] = ViewPart{Rel: rel, Cols: part.Cols}
	}
	return NewView(parts), nil
}

// tableRelation gives the relation behind a base table.
func tableRelation(ref *algebra.TableRef) (Relation, error) {
	rel, ok := ref.Handle.(Relation)
	if !ok {
		return nil, value.Errorf(value.CodeFeatureNotSupported,
			"relation %q has a schema but no data: its catalog entry holds a %T", ref.Name, ref.Handle)
	}
	return rel, nil
}

// releaseAfter releases the outputs that no step after step i reads.
func (e *execution) releaseAfter(i int) {
	for s := 0; s <= i; s++ {
		if e.lastUse[s] == i {
			e.release(s)
		}
	}
}

// releaseAll releases what is still held, after an error.
func (e *execution) releaseAll() {
	for s := range e.outputs {
		e.release(s)
	}
}

// release gives the memory of step s's output back.
func (e *execution) release(s int) {
	if e.outputs[s] != nil {
		e.outputs[s].Release()
		e.outputs[s] = nil
	}
}
