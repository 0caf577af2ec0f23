package runtime

import (
	"context"
	"maps"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/sql/value"
)

// loop returns the rows of a recursion, which runs when they are first wanted.
// What it holds stays charged until the execution forgets the loop.
func (e *execution) loop(ctx context.Context, l *codegen.Loop) (Relation, error) {
	if rows := e.loops[l]; rows != nil {
		return rows, nil
	}
	r := &iterations{loop: l, all: &rowBuffer{types: l.Types, account: e.opts.Account}}
	if err := r.run(ctx, e); err != nil {
		r.all.Release()
		return nil, err
	}
	r.all.flush()
	if e.loops == nil {
		e.loops = make(map[*codegen.Loop]*rowBuffer)
	}
	e.loops[l] = r.all
	return r.all, nil
}

// iterations is a recursion that runs.
type iterations struct {
	loop     *codegen.Loop
	all      *rowBuffer
	distinct *distinctSet // of a recursion with distinct rows

	counter *execution // of the rows that count for the limit; nil: all do
	counted int64
}

// run runs the base and then the term until an iteration adds no row, or there are as
// many as are wanted.
func (r *iterations) run(ctx context.Context, enclosing *execution) error {
	if r.loop.Distinct {
		r.distinct = newDistinctSet(enclosing.opts.Account)
		defer r.distinct.release()
	}
	base := enclosing.enclosed(r.loop.Base)
	defer base.releaseAll()
	rows, err := base.run(ctx)
	if err != nil {
		return err
	}
	term := enclosing.enclosed(r.loop.Term)
	defer term.releaseAll()
	term.keepInvariant()
	if r.loop.Counted != nil {
		r.counter = enclosing.enclosed(r.loop.Counted)
		defer r.counter.releaseAll()
		r.counter.keepInvariant()
	}
	added, err := r.add(rows)
	for err == nil && added.Rows() > 0 {
		var enough bool
		if enough, err = r.enough(ctx, added); enough || err != nil {
			break
		}
		if err = ctx.Err(); err != nil {
			break
		}
		term.working[r.loop] = added
		if rows, err = term.run(ctx); err != nil {
			break
		}
		if added, err = r.add(rows); err == nil {
			term.releaseIteration()
		}
	}
	return err
}

// enough counts the rows of an iteration and reports whether there are as many as are
// wanted.
func (r *iterations) enough(ctx context.Context, added Relation) (bool, error) {
	if r.loop.Limit < 0 {
		return false, nil
	}
	if r.counter == nil {
		r.counted += added.Rows()
		return r.counted >= r.loop.Limit, nil
	}
	r.counter.working[r.loop] = added
	rows, err := r.counter.run(ctx)
	if err != nil {
		return false, err
	}
	r.counted += rows.Rows()
	r.counter.releaseIteration()
	return r.counted >= r.loop.Limit, nil
}

// add adds the rows of an iteration to all rows, and returns them as the working table of
// the next: without those that there have been before, where the rows are distinct.
// They do not depend on the iteration's own memory.
func (r *iterations) add(rel Relation) (Relation, error) {
	ordinals := make([]int, len(r.loop.Types))
	for i := range ordinals {
		ordinals[i] = i
	}
	var added [][]value.Value
	for b := range rel.Blocks() {
		block, err := rel.Load(b, ordinals)
		if err != nil {
			return nil, err
		}
		for i := range block.Rows {
			row := make([]value.Value, len(ordinals))
			for k := range row {
				row[k] = block.Cols[k].param(i)
			}
			if r.distinct != nil {
				isNew, err := r.distinct.add(row)
				if err != nil {
					return nil, err
				}
				if !isNew {
					continue
				}
			}
			added = append(added, row)
		}
	}
	if err := r.all.add(added); err != nil {
		return nil, err
	}
	return NewRows(r.all.types, added), nil
}

// enclosed makes the execution of a program that stands in one of e's recursions,
// where it sees the working tables that e does. It runs where recursions run.
func (e *execution) enclosed(prog *codegen.Program) *execution {
	sub := newExecution(prog, Everywhere(e.placement.Recursions, len(prog.Steps)), e.opts)
	sub.working = maps.Clone(e.working)
	if sub.working == nil {
		sub.working = make(map[*codegen.Loop]Relation)
	}
	return sub
}

// keepInvariant keeps the outputs of steps that give the same in every iteration:
// those that read no working table and nothing that depends on one.
func (e *execution) keepInvariant() {
	e.varies = make([]bool, len(e.prog.Steps))
	for i := range e.prog.Steps {
		for _, in := range e.prog.Steps[i].Inputs {
			if in.Working != nil || in.Loop != nil {
				e.varies[i] = true
			}
			for _, part := range in.Parts {
				e.varies[i] = e.varies[i] || e.varies[part.Step]
			}
		}
	}
	for i, varies := range e.varies {
		if !varies {
			e.lastUse[i] = len(e.prog.Steps)
		}
	}
}

// releaseIteration releases what one iteration leaves, but what does not vary.
func (e *execution) releaseIteration() {
	for i, varies := range e.varies {
		if varies {
			e.release(i)
		}
	}
	e.releaseLoops()
}
