package file

import (
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Exact returns a relation with its columns as a Parquet file keeps them without loss:
// intervals, arrays, JSON, and numerics that have a scale each, for which the format has no
// type, are texts as PostgreSQL writes them, in UTC, and so are dates and timestamps of which
// one is infinite. Load reads them back.
func Exact(rel runtime.Relation, columns []store.Column) (runtime.Relation, []store.Column) {
	e := &recast{Relation: rel, types: append([]kernel.Type(nil), rel.Types()...), cast: map[int]castChunk{}}
	out := append([]store.Column(nil), columns...)
	for i, c := range columns {
		if !hasType(c.Type) || holdsInfinite(rel, i, c.Type) {
			out[i].Type = algebra.TText
			e.types[i] = store.PhysicalType(algebra.TText, false)
			e.cast[i] = func(chunk *runtime.Chunk, _ int) (*runtime.Chunk, error) { return texts(chunk, c.Type) }
		}
	}
	return e, out
}

// hasType reports whether Parquet has a type for the values of another.
func hasType(t algebra.Type) bool {
	switch t.Kind {
	case algebra.Interval, algebra.Array, algebra.Numeric, algebra.JSONText, algebra.JSONBinary, algebra.JSONPath:
		return false
	}
	return true
}

// holdsInfinite reports whether the bounds of a column say that one of its dates or timestamps
// is infinite.
func holdsInfinite(rel runtime.Relation, ordinal int, t algebra.Type) bool {
	if !algebra.CanBeInfinite(t) {
		return false
	}
	least, greatest := algebra.FiniteBounds(t)
	for i := range rel.Blocks() {
		if lo, hi, _, ok := rel.Range(i, ordinal); ok && (lo < least || hi > greatest) {
			return true
		}
	}
	return false
}

// texts are the values of a chunk as PostgreSQL writes them.
func texts(c *runtime.Chunk, t algebra.Type) (*runtime.Chunk, error) {
	batch := store.NewBatch([]store.Column{{Type: algebra.TText}})
	var text []byte
	for i := range c.Rows {
		if !c.IsValid(i) {
			batch.Col(0).Null()
			continue
		}
		text = runtime.AppendText(text[:0], c.Value(i, t), t, value.Style{}, nil)
		batch.Col(0).TextBytes(text)
	}
	b, err := batch.Block()
	if err != nil {
		return nil, err
	}
	return b.Cols[0], nil
}

// parsed returns a source with its texts read as values of the types that the columns of a
// table have, and its times as their modifiers have them. ordinals says which column of the
// source each takes.
func parsed(source store.Source, from origin, table []store.Column, ordinals []int) runtime.Relation {
	p := &recast{Relation: source, types: append([]kernel.Type(nil), source.Types()...), cast: map[int]castChunk{}}
	fields := source.Columns()
	for i, o := range ordinals {
		if o < 0 {
			continue
		}
		if t := table[i].Type; t.Kind == fields[o].Type.Kind && t != t.Plain() {
			p.cast[o] = func(chunk *runtime.Chunk, _ int) (*runtime.Chunk, error) { return modified(chunk, t), nil }
		}
		if !isWritten(fields[o].Type, table[i].Type) {
			continue
		}
		column := store.Column{Name: table[i].Name, Type: table[i].Type}
		p.types[o] = store.PhysicalType(column.Type, false)
		p.cast[o] = func(chunk *runtime.Chunk, first int) (*runtime.Chunk, error) {
			if fits(chunk, column.Type) {
				return chunk, nil
			}
			return csvfile.Texts(chunk, column, csvfile.Place{File: from.file, Table: from.table}, first+1)
		}
	}
	p.count()
	return p
}

// modified has the values of a chunk as the modifier of a time type has them.
func modified(c *runtime.Chunk, t algebra.Type) *runtime.Chunk {
	switch {
	case c.Nulls == c.Rows:
		return c
	case t.Kind == algebra.Interval:
		out := *c
		out.Intervals = make([]value.Interval, c.Rows)
		for i, iv := range c.Intervals {
			out.Intervals[i] = t.Cut(iv)
		}
		return &out
	}
	micros := store.DecodeInts(nil, c, 0, c.Rows)
	for i := range micros {
		micros[i] = t.Rounded(micros[i])
	}
	return store.EncodeInts(c.Type, micros, c.Valid, c.Nulls)
}

// fits reports whether texts are values of a type already, as nearly all are: whether it
// is a text type, and none of them is longer than it allows or may have to lose blanks.
func fits(chunk *runtime.Chunk, t algebra.Type) bool {
	if t.Kind != algebra.Text || t.IsVector() || t.Alias != algebra.NoAlias {
		return false
	}
	if t.Length == 0 || chunk.Nulls == chunk.Rows {
		return true
	}
	for i := range chunk.Rows {
		if !chunk.IsValid(i) {
			continue
		}
		s := chunk.TextAt(i)
		if len(s) > int(t.Length) && utf8.RuneCountInString(s) > int(t.Length) || t.Padded && strings.HasSuffix(s, " ") {
			return false
		}
	}
	return true
}

// count finds out which row of the relation is the first of each block.
func (r *recast) count() {
	rows := 0
	for i := range r.Blocks() {
		b := sqlstate.Must(r.Relation.Load(i, nil))
		r.first = append(r.first, rows)
		rows += b.Rows
	}
}

// isWritten reports whether a column of a file has the values of a column of a table as
// texts, or has texts that may be too long for it.
func isWritten(field, column algebra.Type) bool {
	return field.Kind == algebra.Text && field != column
}

// castChunk makes another chunk of one whose first row has a number in its relation.
type castChunk func(chunk *runtime.Chunk, first int) (*runtime.Chunk, error)

// recast is a relation of which some columns are made of others of the same place.
type recast struct {
	runtime.Relation
	types []kernel.Type
	cast  map[int]castChunk
	first []int // the number of the first row of each block; nil: nobody asks
}

// Types implements runtime.Relation.
func (r *recast) Types() []kernel.Type { return r.types }

// LoadBytes implements runtime.Decoded.
func (r *recast) LoadBytes(i int, ordinals []int) int64 {
	const perValue = 24
	bytes := runtime.LoadBytes(r.Relation, i, ordinals)
	if b, err := r.Relation.Load(i, nil); err == nil {
		bytes += perValue * int64(b.Rows) * int64(len(r.cast))
	}
	return bytes
}

// Load implements runtime.Relation.
func (r *recast) Load(i int, ordinals []int) (runtime.Block, error) {
	b, err := r.Relation.Load(i, ordinals)
	if err != nil || len(r.cast) == 0 {
		return b, err
	}
	b.Cols = append([]*runtime.Chunk(nil), b.Cols...)
	first := 0
	if r.first != nil {
		first = r.first[i]
	}
	for _, o := range ordinals {
		if cast := r.cast[o]; cast != nil {
			if b.Cols[o], err = cast(b.Cols[o], first); err != nil {
				return b, err
			}
		}
	}
	return b, nil
}

// Range implements runtime.Relation.
func (r *recast) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	if r.cast[ordinal] != nil {
		return 0, 0, false, false
	}
	return r.Relation.Range(i, ordinal)
}

// origin says where columns come from, for errors: from a file, or from records for a
// table.
type origin struct{ file, table string }
