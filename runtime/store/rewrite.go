package store

import (
	"context"
	"sort"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store/ordered"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Change says what becomes of some rows of a table.
type Change struct {
	// Picks are the rows, in order and each once.
	Picks []Pick
	// Rel has the new values of columns Set of the table: column i of Set is
	// column From[i] of Rel. Where it is nil the rows are removed.
	Rel       runtime.Relation
	Set, From []int
}

// Rewrite makes the next version of a table that this transaction has locked:
// with some rows changed or removed. Blocks without such rows are shared with
// the old version. Up to threads blocks are encoded at the same time. It fails
// with 23502 where a NULL would stand in a column that takes none, and with
// ctx's error when ctx ends.
func (tx *Tx) Rewrite(ctx context.Context, t *Table, c *Change, threads int) (*Table, error) {
	if c.Rel == nil && int64(len(c.Picks)) == t.rows {
		return NewTable(t.def)
	}
	w := &rewriter{change: c, app: t.Append(), left: c.Picks}
	w.app.storage, w.app.memory = tx.cat.storage, tx.cat.memory
	w.app.blocks, w.app.sampler = nil, newSampler(nil, 0)
	if c.Rel == nil {
		w.app.rows -= int64(len(c.Picks))
	}
	if err := ordered.Run(threads, func() (func() (rewritten, error), error) { return w.next(ctx) }, w.take); err != nil {
		return nil, err
	}
	return w.app.Finish()
}

// rewriter makes the blocks of the next version of a table.
type rewriter struct {
	change *Change
	app    *Appender
	block  int    // the next block of the old version
	first  int64  // position of its first row
	left   []Pick // of rows from there
}

// rewritten is what became of a block: the same block, a part without the
// removed rows, or the columns that changed.
type rewritten struct {
	old     *block
	part    *Part
	changed []sealed // as Change.Set; nil: nothing changed
}

// next returns the job for the next block, nil behind the last one.
func (w *rewriter) next(ctx context.Context) (func() (rewritten, error), error) {
	base := w.app.base
	if w.block == len(base.blocks) {
		return nil, nil
	}
	b, first := &base.blocks[w.block], w.first
	w.block++
	w.first += int64(b.rows)
	n := sort.Search(len(w.left), func(i int) bool { return w.left[i].Row >= w.first })
	picks := w.left[:n]
	w.left = w.left[n:]
	return func() (rewritten, error) {
		if err := ctx.Err(); err != nil {
			return rewritten{}, err
		}
		switch {
		case len(picks) == 0:
			return rewritten{old: b}, nil
		case w.change.Rel == nil:
			return w.remove(b, first, picks)
		}
		return w.update(b, first, picks)
	}, nil
}

// remove encodes a block without the rows of picks.
func (w *rewriter) remove(b *block, first int64, picks []Pick) (_ rewritten, err error) {
	defer sqlstate.Catch(&err)
	batch := w.app.NewBatch()
	for i := range b.cols {
		c := sqlstate.Must(b.column(i))
		buf, from := batch.Col(i), 0
		for _, p := range picks {
			to := int(p.Row - first)
			sqlstate.Check(buf.AppendChunk(c, from, to))
			from = to + 1
		}
		sqlstate.Check(buf.AppendChunk(c, from, b.rows))
	}
	p, err := batch.Seal()
	return rewritten{part: p}, err
}

// update encodes the columns of a block that change.
func (w *rewriter) update(b *block, first int64, picks []Pick) (rewritten, error) {
	r := rewritten{old: b, changed: make([]sealed, len(w.change.Set))}
	violated := false
	for k, i := range w.change.Set {
		c, err := b.column(i)
		if err != nil {
			return r, err
		}
		s, err := w.updateColumn(i, w.change.From[k], c, first, picks)
		if err != nil {
			return r, err
		}
		r.changed[k] = s
		violated = violated || w.app.base.def.Columns[i].NotNull && s.countNulls() > 0
	}
	if violated {
		return r, w.notNull(&r)
	}
	return r, nil
}

// notNull is the error of a block that has NULLs where there must be none.
func (w *rewriter) notNull(r *rewritten) error {
	b := *r.old
	if err := b.detach(); err != nil {
		return err
	}
	for k, i := range w.change.Set {
		s := &r.changed[k]
		if b.cols[i] = s.chunk; s.chunk == nil {
			var err error
			if b.cols[i], err = s.plainChunk(); err != nil {
				return err
			}
		}
	}
	def := &w.app.base.def
	return checkNotNull(def, def.Columns, b.cols)
}

// updateColumn encodes column i with the values of column from of the change in
// the rows of picks.
func (w *rewriter) updateColumn(i, from int, old *runtime.Chunk, first int64, picks []Pick) (_ sealed, err error) {
	defer sqlstate.Catch(&err)
	buf := newBuffer(w.app.base.def.Columns[i].Type, w.app.wantsDictionary(i))
	at := 0
	for len(picks) > 0 {
		row := int(picks[0].Row - first)
		sqlstate.Check(buf.AppendChunk(old, at, row))
		n := run(picks, true)
		appendPicks(buf, w.change.Rel, picks[:n], from)
		at, picks = row+n, picks[n:]
	}
	sqlstate.Check(buf.AppendChunk(old, at, old.Rows))
	return buf.seal()
}

// take adds a block to the next version.
func (w *rewriter) take(r rewritten) (err error) {
	defer sqlstate.Catch(&err)
	a := w.app
	switch {
	case r.part != nil && r.part.rows == 0:
		return nil
	case r.part != nil:
		return a.addPart(r.part)
	}
	b := w.kept(r.old)
	if r.changed != nil {
		sqlstate.Check(b.detach())
		for k, i := range w.change.Set {
			b.cols[i] = a.addColumn(i, &r.changed[k])
			a.hold(b.cols[i : i+1])
		}
	}
	sqlstate.Check(b.verify())
	a.sampleBlock(&b)
	a.blocks = append(a.blocks, b)
	if r.changed == nil {
		return nil
	}
	return a.spill()
}

// kept is a block of the old version, its texts written out where the next
// version has no dictionary any more.
func (w *rewriter) kept(old *block) block {
	b := *old
	for i, c := range old.cols {
		if c.Type != kernel.Code || w.app.cols[i].phys == kernel.Code {
			continue
		}
		sqlstate.Check(b.detach())
		b.cols[i] = sqlstate.Must(writeOut(c, w.app.base.cols[i].dict.Texts))
		w.app.hold(b.cols[i : i+1])
	}
	return b
}
