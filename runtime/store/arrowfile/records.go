package arrowfile

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// Records is Arrow data in memory as a relation, one block for each record
// batch. It implements store.Source and keeps the records alive by Go's
// references alone, so that their memory must be the garbage collector's (that
// of memory.GoAllocator).
type Records struct {
	columns []store.Column
	types   []kernel.Type
	batches []arrow.Record
	rows    int64
}

// FromReader reads a stream of records to its end.
func FromReader(r array.RecordReader) (*Records, error) {
	columns, err := Columns(r.Schema())
	if err != nil {
		return nil, err
	}
	out := &Records{columns: columns, types: physicalTypes(columns)}
	for r.Next() {
		rec := r.Record()
		rec.Retain()
		out.batches = append(out.batches, rec)
		out.rows += rec.NumRows()
	}
	return out, r.Err()
}

// physicalTypes are the kernel types of columns whose text is written out.
func physicalTypes(columns []store.Column) []kernel.Type {
	types := make([]kernel.Type, len(columns))
	for i, c := range columns {
		types[i] = store.PhysicalType(c.Type, false)
	}
	return types
}

// Columns implements store.Source.
func (r *Records) Columns() []store.Column { return r.columns }

// Stats implements store.Source; nothing is known.
func (r *Records) Stats(int) algebra.Stats { return algebra.Stats{} }

// Exact implements store.Source.
func (r *Records) Exact() bool { return false }

// Types implements runtime.Relation.
func (r *Records) Types() []kernel.Type { return r.types }

// Blocks implements runtime.Relation.
func (r *Records) Blocks() int { return len(r.batches) }

// Rows implements runtime.Relation.
func (r *Records) Rows() int64 { return r.rows }

// Range implements runtime.Relation; nothing is known.
func (r *Records) Range(int, int) (lo, hi int64, all, ok bool) { return 0, 0, false, false }

// Load implements runtime.Relation: it converts the columns that are asked for.
func (r *Records) Load(i int, ordinals []int) (runtime.Block, error) {
	return Block(r.batches[i], r.columns, ordinals)
}

// Block converts columns of a record; the others are nil.
func Block(rec arrow.Record, columns []store.Column, ordinals []int) (runtime.Block, error) {
	b := runtime.Block{Rows: int(rec.NumRows()), Cols: make([]*runtime.Chunk, len(columns))}
	for _, o := range ordinals {
		c, err := Chunk(rec.Column(o), columns[o].Type)
		if err != nil {
			return runtime.Block{}, err
		}
		b.Cols[o] = c
	}
	return b, nil
}
