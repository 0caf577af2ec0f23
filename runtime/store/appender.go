package store

import (
	"sync/atomic"

	"github.com/axiomhq/hyperloglog"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
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

// Table is the version that the appender started from.
func (a *Appender) Table() *Table { return a.base }

// Rows is the number of rows that the version has so far.
func (a *Appender) Rows() int64 { return a.rows }

// wantsDictionary reports whether a batch is to try a dictionary for column i.
func (a *Appender) wantsDictionary(i int) bool { return !a.cols[i].plain.Load() }

// hold charges new chunks for as long as anybody has one of them.
func (a *Appender) hold(chunks []*runtime.Chunk) {
	var bytes int64
	for _, c := range chunks {
		bytes += chunkBytes(c) + chunkOverhead
	}
	held := sqlstate.Must(a.memory.Hold(bytes))
	for _, c := range chunks {
		c.Held = held
	}
}

// chunkOverhead is what a chunk takes beside its values, in bytes.
const chunkOverhead = 512

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

// giveUpDictionary makes column i plain text in all blocks so far, which leave
// their files for that.
func (a *Appender) giveUpDictionary(i int) {
	g := &a.cols[i]
	g.plain.Store(true)
	g.phys = kernel.Str
	for n := range a.blocks {
		b := &a.blocks[n]
		sqlstate.Check(b.detach())
		c := sqlstate.Must(writeOut(b.cols[i], g.dict.texts))
		a.hold([]*runtime.Chunk{c})
		b.cols[i] = c
	}
	a.spilled = 0
	g.addTexts(g.dict.texts)
	g.dict = nil
}
