package runtime

import (
	"context"
	"fmt"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bind returns what b names.
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
		return e.output(&b.Parts[0]), nil
	}
	parts := make([]ViewPart, len(b.Parts))
	for i, part := range b.Parts {
		rel, ok := e.output(&part).(Relation)
		if !ok {
			return nil, value.Errorf(value.CodeInternal, "step %d made a %T, not a relation", part.Step, e.outputs[part.Step])
		}
		parts[i] = ViewPart{Rel: rel, Cols: part.Cols}
	}
	return NewView(parts), nil
}

// output is what a part names: what its step made, or one of its results.
func (e *execution) output(part *codegen.Part) any {
	if all, ok := e.outputs[part.Step].(Results); ok {
		return all[part.Result]
	}
	return e.outputs[part.Step]
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

// tableRelation returns the relation behind a base table.
func tableRelation(ref *algebra.TableRef) (Relation, error) {
	rel, ok := ref.Handle.(Relation)
	if !ok {
		return nil, value.Errorf(value.CodeFeatureNotSupported,
			"relation %q has a schema but no data: its catalog entry holds a %T", ref.Name, ref.Handle)
	}
	return rel, nil
}
