package csvfile

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// Texts returns the values of a column that texts stand for, in the zero Style and UTC,
// as fields of a file are read. Errors name the place, and the text; the first row of the
// chunk is that of line.
func Texts(texts *runtime.Chunk, column store.Column, at Place, line int) (*runtime.Chunk, error) {
	batch := store.NewBatch([]store.Column{column})
	p := newParser(&Options{}, at, batch)
	p.unclean = true
	field := target{column: column, buffer: batch.Col(0)}
	for i := range texts.Rows {
		if !texts.IsValid(i) {
			field.buffer.Null()
			continue
		}
		p.line = line + i
		if err := p.convert(&field, []byte(texts.Value(i, algebra.TText).S)); err != nil {
			return nil, err
		}
	}
	block, err := batch.Block()
	if err != nil {
		return nil, err
	}
	return block.Cols[0], nil
}
