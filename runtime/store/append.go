package store

import (
	"sync/atomic"

	"github.com/axiomhq/hyperloglog"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// Appender makes the next version of a table: the same rows and more. Batches
// of it may be filled and sealed by many goroutines at once; all its other
// methods are for one goroutine at a time. An Appender that is dropped before
// Finish leaves nothing behind.
type Appender struct {
	base   *Table
	cols   []growing
	blocks []block // of base, then new ones
	rows   int64

	sampler sampler
	storage Storage            // takes blocks out of memory while more are appended; nil: none
	memory  *runtime.Account   // that blocks in memory are charged to; nil: none
	spilled int                // blocks that need not be looked at for spilling any more
	take    func(*Table) error // of a stage: what its rows are passed on to
}

// growing is the state of one column.
type growing struct {
	def        Column
	phys       kernel.Type
	plain      atomic.Bool // text that is not dictionary-encoded: read by concurrent Seals
	dict       *dictionaryIndex
	sketch     *hyperloglog.Sketch
	ownsSketch bool
}

// Append starts the next version of t.
func (t *Table) Append() *Appender {
	a := &Appender{
		base: t, rows: t.rows, blocks: append([]block(nil), t.blocks...), cols: make([]growing, len(t.cols)),
		sampler: newSampler(t.sample, t.rows),
	}
	for i := range t.cols {
		c := &t.cols[i]
		g := &a.cols[i]
		g.def, g.phys, g.sketch = t.def.Columns[i], c.phys, c.sketch
		if c.phys == kernel.Code {
			g.dict = c.takeIndex()
		}
		g.plain.Store(c.phys != kernel.Code)
	}
	return a
}

// NewBatch makes an empty batch of the table's columns.
func (a *Appender) NewBatch() *Batch {
	b := &Batch{app: a, columns: a.base.def.Columns, bufs: make([]*Buffer, len(a.cols))}
	for i := range a.cols {
		b.bufs[i] = newBuffer(a.cols[i].def.Type, a.wantsDictionary(i))
	}
	return b
}

// wantsDictionary tells a batch whether to try a dictionary for column i.
func (a *Appender) wantsDictionary(i int) bool { return !a.cols[i].plain.Load() }

// Table is the version that the appender started from.
func (a *Appender) Table() *Table { return a.base }

// Rows is the number of rows that the version has so far.
func (a *Appender) Rows() int64 { return a.rows }

// Add appends the rows of a sealed batch of this appender.
func (a *Appender) Add(p *Part) error {
	if p.rows == 0 {
		return nil
	}
	a.rows += int64(p.rows)
	return a.addPart(p)
}

// addPart makes a block of a part whose rows are counted.
func (a *Appender) addPart(p *Part) error {
	b := block{rows: p.rows, cols: make([]*runtime.Chunk, len(a.cols))}
	for i := range a.cols {
		c, err := a.addColumn(i, &p.cols[i])
		if err != nil {
			return err
		}
		b.cols[i] = c
	}
	if err := a.hold(b.cols); err != nil {
		return err
	}
	a.sampleBlock(&b)
	a.blocks = append(a.blocks, b)
	if err := a.mergeTail(); err != nil {
		return err
	}
	if a.take != nil {
		return a.passFull()
	}
	return a.spill()
}

// hold charges new chunks for as long as anybody has one of them.
func (a *Appender) hold(chunks []*runtime.Chunk) error {
	var bytes int64
	for _, c := range chunks {
		bytes += chunkBytes(c) + chunkOverhead
	}
	held, err := a.memory.Hold(bytes)
	if err != nil {
		return err
	}
	for _, c := range chunks {
		c.Held = held
	}
	return nil
}

// chunkOverhead is what a chunk takes beside its values, in bytes.
const chunkOverhead = 512

// addColumn makes the chunk of column i.
func (a *Appender) addColumn(i int, s *sealed) (*runtime.Chunk, error) {
	g := &a.cols[i]
	if g.phys == kernel.Code && s.chunk == nil {
		codes, err := g.dict.merge(s.texts, a.memory)
		if err != nil {
			return nil, err
		}
		if keepDictionary(a.rows, len(g.dict.texts)) {
			return s.encodeCodes(codes), nil
		}
	}
	if g.phys == kernel.Code {
		if err := a.giveUpDictionary(i); err != nil {
			return nil, err
		}
	}
	if s.chunk != nil {
		g.addSketch(s.sketch)
		return s.chunk, nil
	}
	g.addTexts(s.texts)
	return s.plainChunk()
}

// giveUpDictionary makes column i plain text in all blocks so far, which leave
// their files for that.
func (a *Appender) giveUpDictionary(i int) error {
	g := &a.cols[i]
	g.plain.Store(true)
	g.phys = kernel.Str
	for n := range a.blocks {
		b := &a.blocks[n]
		if err := b.detach(); err != nil {
			return err
		}
		c, err := writeOut(b.cols[i], g.dict.texts)
		if err != nil {
			return err
		}
		if err := a.hold([]*runtime.Chunk{c}); err != nil {
			return err
		}
		b.cols[i] = c
	}
	a.spilled = 0
	g.addTexts(g.dict.texts)
	g.dict = nil
	return nil
}

func (g *growing) addSketch(s *hyperloglog.Sketch) {
	switch {
	case s == nil:
	case g.sketch == nil:
		g.sketch, g.ownsSketch = s, true
	default:
		g.own()
		// Sketches of this package have one precision, so that they merge.
		_ = g.sketch.Merge(s)
	}
}

func (g *growing) addTexts(texts []string) {
	if g.sketch == nil {
		g.sketch, g.ownsSketch = newSketch(len(texts)), true
	}
	g.own()
	for _, s := range texts {
		g.sketch.Insert([]byte(s))
	}
}

// own makes the sketch one that no table version shares.
func (g *growing) own() {
	if !g.ownsSketch {
		g.sketch, g.ownsSketch = g.sketch.Clone(), true
	}
}

// Finish makes the version. The appender must not be used after it.
func (a *Appender) Finish() (*Table, error) {
	t := &Table{def: a.base.def, rows: a.rows, blocks: a.blocks, cols: make([]tableColumn, len(a.cols)), sample: a.sampler.finish()}
	for i := range a.cols {
		g := &a.cols[i]
		c := &t.cols[i]
		c.phys, c.sketch = g.phys, g.sketch
		c.index = new(atomic.Pointer[dictionaryIndex])
		if g.phys == kernel.Code {
			c.dict = a.base.cols[i].dict
			if len(g.dict.texts) > len(c.dict.Texts) {
				c.dict = &runtime.Dictionary{Texts: g.dict.texts[:len(g.dict.texts):len(g.dict.texts)], Held: g.dict.held}
			}
			c.index.Store(g.dict)
		}
	}
	t.finish()
	return t, nil
}
