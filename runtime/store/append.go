package store

import (
	"strings"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

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

// Add appends the rows of a sealed batch of this appender.
func (a *Appender) Add(p *Part) error {
	if p.rows == 0 {
		return nil
	}
	a.rows += int64(p.rows)
	return a.addPart(p)
}

// addPart makes a block of a part whose rows are counted.
func (a *Appender) addPart(p *Part) (err error) {
	defer sqlstate.Catch(&err)
	b := block{rows: p.rows, cols: make([]*runtime.Chunk, len(a.cols))}
	for i := range a.cols {
		b.cols[i] = a.addColumn(i, &p.cols[i])
	}
	a.hold(b.cols)
	a.sampleBlock(&b)
	a.blocks = append(a.blocks, b)
	a.mergeTail()
	if a.take != nil {
		a.passFull()
		return nil
	}
	return a.spill()
}

// addColumn makes the chunk of column i.
func (a *Appender) addColumn(i int, s *sealed) *runtime.Chunk {
	g := &a.cols[i]
	if g.phys == kernel.Code && s.chunk == nil {
		codes := sqlstate.Must(g.dict.merge(s.texts, a.memory))
		if keepDictionary(a.rows, len(g.dict.texts)) {
			return s.encodeCodes(codes)
		}
	}
	if g.phys == kernel.Code {
		a.giveUpDictionary(i)
	}
	if s.chunk != nil {
		g.addSketch(s.sketch)
		return s.chunk
	}
	g.addTexts(s.texts)
	return sqlstate.Must(s.plainChunk())
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

// A stage passes its rows on when it holds stageRows of them, or stageBytes.
const (
	stageRows  = 8 * runtime.BlockRows
	stageBytes = 64 << 20
)

// passFull passes the rows of a stage on when there are enough of them.
func (a *Appender) passFull() {
	var bytes int64
	for i := range a.blocks {
		bytes += a.blocks[i].bytes()
	}
	if a.rows < stageRows && bytes < stageBytes {
		return
	}
	sqlstate.Check(a.PassOn())
}

// PassOn passes the rows that a stage holds on, and empties it.
func (a *Appender) PassOn() error {
	if a.rows == 0 {
		return nil
	}
	t, err := a.Finish()
	if err != nil {
		return err
	}
	a.blocks, a.rows, a.sampler = nil, 0, newSampler(nil, 0)
	for i := range a.cols {
		g := &a.cols[i]
		g.sketch, g.ownsSketch = nil, false
		if g.phys == kernel.Code {
			g.dict = &dictionaryIndex{codes: newCodeTable(nil)}
		}
	}
	return a.take(t)
}

// sampleBlock considers the rows of a block that is being appended.
func (a *Appender) sampleBlock(b *block) {
	a.sampler.add(b.rows, func(row int) []value.Value {
		vals := make([]value.Value, len(b.cols))
		for i, c := range b.cols {
			vals[i] = a.cols[i].value(c, row)
		}
		return vals
	})
}

// value is a value of a chunk of the column, whose dictionary is not finished.
func (g *growing) value(c *runtime.Chunk, row int) value.Value {
	if !c.IsValid(row) || c.Nulls == c.Rows {
		return value.Value{}
	}
	if g.phys == kernel.Code {
		return value.Value{Kind: value.Text, S: g.dict.texts[c.Int(row)]}
	}
	v := c.Value(row, g.def.Type)
	if v.Kind == value.Text {
		v.S = strings.Clone(cut(v.S)) // it may be part of a block
	}
	return v
}
