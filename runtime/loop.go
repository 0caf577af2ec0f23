package runtime

import (
	"context"
	"maps"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// loop returns the rows of a recursion, which runs when they are first wanted.
// What it holds stays charged until the execution forgets the loop.
func (e *execution) loop(ctx context.Context, l *codegen.Loop) (Relation, error) {
	if rows := e.loops[l]; rows != nil {
		return rows, nil
	}
	r := &iterations{loop: l, all: &rowBuffer{inMemory: inMemory{types: l.Types}, account: e.opts.Account}}
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
		r.distinct = &distinctSet{rows: make(map[string]struct{}), account: enclosing.opts.Account}
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
	added, err := r.add(ctx, rows)
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
		if added, err = r.add(ctx, rows); err == nil {
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
// They do not depend on the iteration's own memory. Many rows become blocks as they come,
// which both tables share, so that what is not charged yet stays small.
func (r *iterations) add(ctx context.Context, rel Relation) (Relation, error) {
	ordinals := lists.Upto[int](len(r.loop.Types))
	added := &rowBuffer{inMemory: inMemory{types: r.all.types}}
	var rows [][]value.Value // that stand in no block of added yet
	for b := range rel.Blocks() {
		block, err := rel.Load(b, ordinals)
		if err != nil {
			return nil, err
		}
		for i := range block.Rows {
			if rows, err = r.addNew(rows, &block, i); err != nil {
				return nil, err
			}
			if len(rows) < bufferRows {
				continue
			}
			if err := r.addBlock(added, rows); err != nil {
				return nil, err
			}
			rows = nil
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
	if added.rows == 0 {
		return NewRows(added.types, rows), r.all.add(rows)
	}
	if len(rows) == 0 {
		return added, nil
	}
	return added, r.addBlock(added, rows)
}

// addNew appends a row of a block to rows; it leaves them as they are where there has been
// such a row and the rows are to be distinct.
func (r *iterations) addNew(rows [][]value.Value, block *Block, i int) ([][]value.Value, error) {
	row := make([]value.Value, len(block.Cols))
	for k := range row {
		row[k] = block.Cols[k].param(i)
	}
	if r.distinct != nil {
		if isNew, err := r.distinct.add(row); !isNew || err != nil {
			return rows, err
		}
	}
	return append(rows, row), nil
}

// addBlock adds rows, as one block, to all rows and to those of an iteration.
func (r *iterations) addBlock(added *rowBuffer, rows [][]value.Value) error {
	block, err := r.all.addBlock(rows)
	if err == nil {
		added.blocks = append(added.blocks, block)
		added.rows += int64(len(rows))
	}
	return err
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
	e.varies, e.kept = make([]bool, len(e.prog.Steps)), make([]any, len(e.prog.Steps))
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
