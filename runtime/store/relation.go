package store

import (
	"context"
	"fmt"
	"sync"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store/ordered"
)

// AddRelation appends the rows of rel, a query's result or a file, in their
// order: table column i takes column ordinals[i] of rel, or NULLs where that is
// -1. Up to threads blocks are encoded at the same time. It fails with ctx's
// error when ctx ends.
func (a *Appender) AddRelation(ctx context.Context, rel runtime.Relation, ordinals []int, threads int) error {
	if len(ordinals) != len(a.cols) {
		return fmt.Errorf("store: %d ordinals for %d columns", len(ordinals), len(a.cols))
	}
	r := &reader{rel: rel, ordinals: ordinals, app: a, account: runtime.AccountOf(ctx)}
	for _, o := range ordinals {
		if o >= 0 {
			r.needed = append(r.needed, o)
		}
	}
	next := func() (func() (encoded, error), error) {
		from := r.block
		rows, err := r.advance()
		if err != nil || from == r.block {
			return nil, err
		}
		to := r.block
		return func() (encoded, error) {
			if err := ctx.Err(); err != nil {
				return encoded{}, err
			}
			return r.encode(from, to, rows)
		}, nil
	}
	return ordered.Run(threads, next, r.take)
}

// encoded is what some blocks of a relation became.
type encoded struct {
	parts   []*Part
	charged int64 // for them, to the reader's account
}

// take appends parts in order.
func (r *reader) take(e encoded) error {
	for _, p := range e.parts {
		if err := r.app.Add(p); err != nil {
			return err
		}
	}
	r.account.Shrink(e.charged)
	return nil
}

// charge charges what encoding a block takes: the block, where it has to be made, and
// its values once more and while they are gathered.
func (r *reader) charge(e *encoded, i int) error {
	bytes := 2 * runtime.LoadBytes(r.rel, i, r.needed)
	if bytes == 0 {
		b, err := r.rel.Load(i, r.needed)
		if err != nil {
			return err
		}
		for _, o := range r.needed {
			bytes += 2*chunkBytes(b.Cols[o]) + 8*int64(b.Rows)
		}
	}
	if err := r.account.Grow(bytes); err != nil {
		return err
	}
	e.charged += bytes
	return nil
}

// reader turns a relation's blocks into parts.
type reader struct {
	rel      runtime.Relation
	ordinals []int
	needed   []int
	app      *Appender
	account  *runtime.Account
	block    int // the first block that no job has yet
	batches  sync.Pool
}

// advance moves on by as many blocks as have a full block's rows, at least one
// if there is one, and returns the number of their rows.
func (r *reader) advance() (rows int, err error) {
	for r.block < r.rel.Blocks() && rows < runtime.BlockRows {
		b, err := r.rel.Load(r.block, nil)
		if err != nil {
			return 0, err
		}
		if rows > 0 && rows+b.Rows > runtime.BlockRows {
			break
		}
		rows += b.Rows
		r.block++
	}
	return rows, nil
}

// encode makes parts of about equal size, at most runtime.BlockRows rows each,
// of blocks from … to-1, which have that many rows.
func (r *reader) encode(from, to, rows int) (e encoded, err error) {
	count := max(1, (rows+runtime.BlockRows-1)/runtime.BlockRows)
	batch, _ := r.batches.Get().(*Batch)
	if batch == nil {
		batch = r.app.NewBatch()
	}
	d := &divider{batch: batch, size: (rows + count - 1) / count}
	for i := from; i < to; i++ {
		if err := r.charge(&e, i); err != nil {
			return e, err
		}
		b, err := r.rel.Load(i, r.needed)
		if err != nil {
			return e, err
		}
		for row := 0; row < b.Rows; {
			end := min(b.Rows, row+d.room(), row+copyRows)
			if err := r.copyRows(d.batch, &b, row, end); err != nil {
				return e, err
			}
			row = end
			if err := d.seal(false); err != nil {
				return e, err
			}
		}
	}
	if err := d.seal(true); err != nil {
		return e, err
	}
	r.batches.Put(batch)
	e.parts = d.parts
	return e, nil
}

// divider seals a batch whenever it has size rows.
type divider struct {
	batch *Batch
	size  int
	parts []*Part
}

// room is how many rows the batch takes yet.
func (d *divider) room() int { return d.size - d.batch.Rows() }

// seal makes a part of the batch when it is full, or has rows and all is set.
func (d *divider) seal(all bool) error {
	if d.batch.Rows() == 0 || !all && d.room() > 0 && !d.batch.Full() {
		return nil
	}
	p, err := d.batch.Seal()
	d.parts = append(d.parts, p)
	return err
}

// copyRows is how many rows are copied before a batch is looked at again for
// too much text.
const copyRows = 1024

// copyRows appends rows of a block to a batch.
func (r *reader) copyRows(batch *Batch, b *runtime.Block, from, to int) error {
	for i, o := range r.ordinals {
		if o < 0 {
			for range to - from {
				batch.Col(i).Null()
			}
			continue
		}
		if err := batch.Col(i).AppendChunk(b.Cols[o], from, to); err != nil {
			return err
		}
	}
	return nil
}
