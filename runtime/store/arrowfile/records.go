package arrowfile

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// Records is Arrow data in memory as a relation, one block for each record
// batch. It implements store.Source and keeps the records alive by Go's
// references alone, so that their memory must be the garbage collector's (that
// of memory.GoAllocator).
type Records struct {
	store.Header
	batches []arrow.Record
}

// FromReader reads a stream of records to its end.
func FromReader(r array.RecordReader) (*Records, error) {
	out := &Records{}
	out.Describe(Columns(r.Schema().Fields()))
	for r.Next() {
		rec := r.Record()
		rec.Retain()
		out.batches = append(out.batches, rec)
		out.Total += rec.NumRows()
	}
	return out, r.Err()
}

// Blocks implements runtime.Relation.
func (r *Records) Blocks() int { return len(r.batches) }

// Load implements runtime.Relation: it converts the columns that are asked for.
func (r *Records) Load(i int, ordinals []int) (runtime.Block, error) {
	return Block(r.batches[i], r.Columns(), ordinals)
}

// Block converts columns of a record; the others are nil. It fails as CheckReadable does.
func Block(rec arrow.Record, columns []store.Column, ordinals []int) (runtime.Block, error) {
	b := runtime.Block{Rows: int(rec.NumRows()), Cols: make([]*runtime.Chunk, len(columns))}
	for _, o := range ordinals {
		if err := CheckReadable(rec.Schema().Field(o)); err != nil {
			return runtime.Block{}, err
		}
		c, err := Chunk(rec.Column(o), columns[o].Type)
		if err != nil {
			return runtime.Block{}, err
		}
		b.Cols[o] = c
	}
	return b, nil
}
