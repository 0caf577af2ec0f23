package store

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// A stage passes its rows on when it holds stageRows of them, or stageBytes.
const (
	stageRows  = 8 * runtime.BlockRows
	stageBytes = 64 << 20
)

// Stage makes an appender of a table that belongs to no catalog: it passes what is
// appended on to take, some blocks at a time, and keeps none of it. PassOn passes on what
// is left at the end. Its Rows are those that it holds.
func (tx *Tx) Stage(def Definition, take func(*Table) error) (*Appender, error) {
	t, err := NewTable(def)
	if err != nil {
		return nil, err
	}
	a := t.Append()
	a.memory, a.take = tx.cat.memory, take
	return a, nil
}

// passFull passes the rows of a stage on when there are enough of them.
func (a *Appender) passFull() error {
	var bytes int64
	for i := range a.blocks {
		bytes += a.blocks[i].bytes()
	}
	if a.rows < stageRows && bytes < stageBytes {
		return nil
	}
	return a.PassOn()
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
			g.dict = &dictionaryIndex{codes: map[string]uint32{}}
		}
	}
	return a.take(t)
}
