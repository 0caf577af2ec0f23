package csvfile

import (
	"context"
	"io"
	"sync"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/ordered"
)

// Input is what COPY FROM reads.
type Input struct {
	Reader io.Reader
	File   string // for errors; empty: standard input
}

// Load appends the rows of a file to a table: field i goes to column columns[i]
// of the table, the columns that are not named get NULL. Up to threads chunks
// of the file are read at the same time. It returns the number of rows. The first
// bad row ends it with an error that says file, line, column and value.
func Load(ctx context.Context, in Input, app *store.Appender, columns []int, opt Options, threads int) (int64, error) {
	l := &loader{
		app: app, columns: columns, opt: &opt,
		place: Place{File: in.File, Table: app.Table().Name()},
		split: newSplitter(&endingReader{ctx: ctx, r: in.Reader}, &opt, runtime.AccountOf(ctx)),
	}
	if opt.Header {
		if err := l.header(); err != nil {
			return 0, err
		}
	}
	before := app.Rows()
	err := ordered.Run(threads, func() (func() (loaded, error), error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := l.split.next()
		if err != nil || p == nil {
			return nil, readError(in.File, err)
		}
		return func() (loaded, error) { return l.parse(p) }, nil
	}, l.take)
	return app.Rows() - before, err
}

// loader is the state of one Load.
type loader struct {
	app     *store.Appender
	columns []int
	opt     *Options
	place   Place
	split   *splitter
	ended   bool // the end marker has been read: what follows is ignored
	batches sync.Pool
}

// loaded is what a chunk became.
type loaded struct {
	parts   []*store.Part
	ended   bool
	charged int64
}

// header reads the first line, and compares its names with the columns'.
func (l *loader) header() error {
	if !l.opt.Match {
		_, err := readHeader(l.split, l.opt, l.place)
		return readError(l.place.File, err)
	}
	return readError(l.place.File, matchHeader(l.split, l.opt, l.place, l.app.Table().Names(l.columns)))
}

// parse reads a chunk; it runs beside others.
func (l *loader) parse(chunk *chunk) (loaded, error) {
	// Texts are gathered in memory that grows by doubling.
	out := loaded{charged: 3*int64(len(chunk.data)) + perValue*int64(chunk.rows)*int64(len(l.columns))}
	if err := l.split.account.Grow(out.charged); err != nil {
		return out, err
	}
	batch, _ := l.batches.Get().(*store.Batch)
	if batch == nil {
		batch = l.app.NewBatch()
	}
	seal := func() error {
		part, err := batch.Seal()
		out.parts = append(out.parts, part)
		return err
	}
	p := newParser(l.opt, l.place, batch)
	p.setFields(l.app.Table().Columns(), l.columns)
	if err := p.parse(chunk, seal); err != nil {
		return out, err
	}
	out.ended = p.ended
	l.split.recycle(chunk)
	if err := seal(); err != nil {
		return out, err
	}
	l.batches.Put(batch)
	return out, nil
}

// take appends what a chunk became.
func (l *loader) take(chunk loaded) error {
	defer l.split.account.Shrink(chunk.charged)
	if l.ended {
		return nil
	}
	l.ended = chunk.ended
	for _, p := range chunk.parts {
		if err := l.app.Add(p); err != nil {
			return err
		}
	}
	return nil
}
