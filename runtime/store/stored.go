package store

import (
	"fmt"
	"sync/atomic"

	"github.com/axiomhq/hyperloglog"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// Stored is all that a Storage has to keep of a table version.
type Stored struct {
	Definition Definition
	Columns    []StoredColumn
	Blocks     []StoredBlock
	Sample     *Sample // may be nil; must not be changed
}

// StoredColumn is what is kept of a column as a whole.
type StoredColumn struct {
	Type   kernel.Type
	Texts  []string            // the dictionary, for Code; must not be changed
	Sketch *hyperloglog.Sketch // may be nil; must not be changed
}

// StoredBlock is a block, in memory (File is nil) or in a segment.
type StoredBlock struct {
	Rows int
	Cols []*runtime.Chunk
	File Segment
	At   int // which block of File
}

// Stored takes a table version apart.
func (t *Table) Stored() Stored {
	s := Stored{Definition: t.def, Sample: t.sample}
	for i := range t.cols {
		c := &t.cols[i]
		col := StoredColumn{Type: c.phys, Sketch: c.sketch}
		if c.dict != nil {
			col.Texts = c.dict.Texts
		}
		s.Columns = append(s.Columns, col)
	}
	for _, b := range t.blocks {
		s.Blocks = append(s.Blocks, StoredBlock{Rows: b.rows, Cols: b.cols, File: b.file, At: b.at})
	}
	return s
}

// Restore puts a table version together. It checks that the blocks fit the
// columns; that the chunks' data is sound is for the segments to verify.
func Restore(s Stored) (*Table, error) {
	t, err := NewTable(s.Definition)
	if err != nil {
		return nil, err
	}
	if len(s.Columns) != len(t.cols) {
		return nil, fmt.Errorf("%d stored columns for %d columns", len(s.Columns), len(t.cols))
	}
	for i, c := range s.Columns {
		t.cols[i] = tableColumn{phys: c.Type, sketch: c.Sketch, index: new(atomic.Pointer[dictionaryIndex])}
		if c.Type == kernel.Code {
			t.cols[i].dict = &runtime.Dictionary{Texts: c.Texts}
		}
	}
	for n, b := range s.Blocks {
		if err := t.addStored(b); err != nil {
			return nil, fmt.Errorf("block %d: %w", n, err)
		}
	}
	t.sample = s.Sample
	t.finish()
	return t, nil
}

// Moved is the same version with its blocks lying elsewhere.
func (t *Table) Moved(blocks []StoredBlock) (*Table, error) {
	moved := &Table{def: t.def, cols: t.cols, sample: t.sample}
	for n, b := range blocks {
		if err := moved.addStored(b); err != nil {
			return nil, fmt.Errorf("block %d: %w", n, err)
		}
	}
	moved.shareDictionaries()
	return moved, nil
}

// addStored adds a block.
func (t *Table) addStored(b StoredBlock) error {
	if len(b.Cols) != len(t.cols) {
		return fmt.Errorf("%d columns instead of %d", len(b.Cols), len(t.cols))
	}
	for i, c := range b.Cols {
		if c.Type != t.cols[i].phys || c.Rows != b.Rows {
			return fmt.Errorf("column %d has kernel type %d and %d rows instead of type %d and %d rows",
				i, c.Type, c.Rows, t.cols[i].phys, b.Rows)
		}
		if d := t.cols[i].dict; d != nil && c.HasRange && (c.Min < 0 || c.Max >= int64(len(d.Texts))) {
			return fmt.Errorf("column %d has codes up to %d of a dictionary of %d texts", i, c.Max, len(d.Texts))
		}
	}
	t.rows += int64(b.Rows)
	t.blocks = append(t.blocks, block{rows: b.Rows, cols: b.Cols, file: b.File, at: b.At})
	return nil
}
