package vector

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
)

// ChunkBuilder makes chunks of rows that come batch by batch. It keeps them in the form
// of a chunk: integers as narrow as those that have come allow, texts one after the
// other. Stored values are copied without being decoded.
type ChunkBuilder struct {
	typ  kernel.Type
	rows int
	null []uint8 // 1 where NULL; nil: no row is
	vals builderValues
}

// builderValues are the values of a ChunkBuilder.
type builderValues interface {
	// size prepares a vector of a batch for append: what is not read as it is stored is
	// decoded. It returns the length of the listed texts, 0 for other types.
	size(b *Batch, v *Vector, rows *Rows) int64
	// append appends the listed values.
	append(v *Vector, rows *Rows)
	// take appends the values that entries name of decoded vectors.
	take(src []*Vector, entries []Entry)
	// grow makes room for so many values of a fixed width, of which some are there, and
	// capacity is for how many there is memory.
	grow(rows int)
	capacity() int
	// encode makes all values those of a chunk, null being its NULL flags, and leaves
	// none.
	encode(c *runtime.Chunk, null []uint8, life Lifetime)
}

// NewChunkBuilder makes a builder of chunks of type t, which takes memory of a run.
func NewChunkBuilder(t kernel.Type, arrays *spare.Arrays) *ChunkBuilder {
	c := &ChunkBuilder{typ: t}
	switch t {
	case kernel.I32, kernel.I64, kernel.Code:
		c.vals = newIntegers(t, arrays)
	case kernel.Str:
		c.vals = &Texts{arrays: arrays}
	default:
		c.vals = &plain{of: Vector{Type: t}, arrays: arrays}
	}
	return c
}

// Texts are the texts of the builder, nil where the type is another one.
func (c *ChunkBuilder) Texts() *Texts {
	t, _ := c.vals.(*Texts)
	return t
}

// RowBytes is the most that a row takes, in bytes, its text aside.
func (c *ChunkBuilder) RowBytes() int64 {
	if c.typ == kernel.Str {
		return TextEnd + 1
	}
	return ValueBytes(c.typ) + 1
}

// Grow makes room for so many rows, of which some are there. For texts it is Texts.Grow
// that does.
func (c *ChunkBuilder) Grow(rows int) { c.vals.grow(rows) }

// Capacity is for how many rows there is memory, texts aside.
func (c *ChunkBuilder) Capacity() int { return c.vals.capacity() }

// Size prepares a vector of a batch for Append, and returns the length of the listed
// texts, 0 for other types.
func (c *ChunkBuilder) Size(b *Batch, v *Vector, rows *Rows) int64 { return c.vals.size(b, v, rows) }

// Append appends the listed rows of a vector that Size has prepared.
func (c *ChunkBuilder) Append(v *Vector, rows *Rows) {
	if v.Raw != nil {
		v.Read()
		c.null = appendStoredNulls(c.null, v.Raw, rows.of(v), c.rows)
	} else {
		c.null = appendNulls(c.null, v, rows.List, c.rows)
	}
	c.vals.append(v, rows)
	c.rows += len(rows.List)
}

// Take appends the rows that entries name of decoded vectors of the same type.
func (c *ChunkBuilder) Take(src []*Vector, entries []Entry) {
	c.null = takeNulls(c.null, src, entries, c.rows)
	c.vals.take(src, entries)
	c.rows += len(entries)
}

// Finish makes a chunk of the rows, which is read so long, and leaves none.
func (c *ChunkBuilder) Finish(life Lifetime) *runtime.Chunk {
	out := &runtime.Chunk{Type: c.typ, Rows: c.rows}
	EncodeNulls(out, c.null, c.rows)
	c.vals.encode(out, c.null, life)
	c.rows, c.null = 0, nil
	return out
}

// Join makes one chunk of several of one type, in the order that is given (nil: as they
// stand). Where there is one, in its order, it is that chunk. Elsewhere the chunk is gone when the
// arrays are.
func Join(t kernel.Type, parts []*runtime.Chunk, order []int32, arrays *spare.Arrays) *runtime.Chunk {
	if len(parts) == 1 && order == nil {
		return parts[0]
	}
	all := NewChunkBuilder(t, arrays)
	rows, texts := 0, 0
	for _, part := range parts {
		rows, texts = rows+part.Rows, texts+len(part.Bytes)
	}
	all.Grow(rows)
	switch vals := all.vals.(type) {
	case *integers:
		vals.expect(parts)
	case *Texts:
		vals.Grow(rows, texts)
	}
	for _, part := range parts {
		all.appendChunk(part, nil)
	}
	if order == nil {
		return all.Finish(Lent)
	}
	joined := all.Finish(Lent)
	if all.Texts() != nil {
		all.Texts().Grow(rows, texts)
	}
	all.appendChunk(joined, order)
	Discard(joined, arrays)
	return all.Finish(Lent)
}

// appendChunk appends the rows of a chunk, or those at the places that are given.
func (c *ChunkBuilder) appendChunk(from *runtime.Chunk, at []int32) {
	var rows Rows
	for start := 0; start < from.Rows; start += joinRows {
		b := &Batch{Rows: min(joinRows, from.Rows-start)}
		v := &Vector{Type: c.typ, Raw: from, Start: start, Dict: from.Dict}
		if at != nil {
			v.At = at[start : start+b.Rows]
		}
		rows.Set(Identity(b.Rows))
		c.Size(b, v, &rows)
		c.Append(v, &rows)
	}
}

// joinRows is how many rows of a chunk are copied at once.
const joinRows = 1 << 14

// plain are the values of a ChunkBuilder that a chunk keeps as they are.
type plain struct {
	of     Vector
	arrays *spare.Arrays
}

func (t *plain) size(b *Batch, v *Vector, _ *Rows) int64 {
	if v.Raw != nil && !(v.Raw.Enc == runtime.EncF64 && v.Raw.Nulls < v.Raw.Rows) {
		v.Decode(b.Rows, b.Sel)
	}
	return 0
}

func (t *plain) append(v *Vector, rows *Rows) {
	if v.Raw != nil {
		Set(&t.of, appendAt(Of[float64](&t.of), v.Raw.F64, rows.of(v)))
		return
	}
	t.of.Column().appendRows(v.Column(), rows.List, v.Const)
}

func (t *plain) take(src []*Vector, entries []Entry) {
	cols := make([]values, len(src))
	for i, s := range src {
		cols[i] = s.Column()
	}
	t.of.Column().takeRows(cols, entries)
}

func (t *plain) grow(rows int) { t.of.Column().Grow(rows, t.arrays) }

func (t *plain) capacity() int { return t.of.Column().Capacity() }

func (t *plain) encode(c *runtime.Chunk, null []uint8, life Lifetime) {
	t.of.Null = null
	encodeValues(c, &t.of)
	t.of.Null = nil
	switch c.Enc {
	case runtime.EncI128:
		c.I128 = handOver(t, c.I128, life)
	case runtime.EncF64:
		c.F64 = handOver(t, c.F64, life)
	case runtime.EncNum:
		c.Nums = handOver(t, c.Nums, life)
	case runtime.EncIntervals:
		c.Intervals = handOver(t, c.Intervals, life)
	}
	t.of.Column().Truncate()
}

// handOver returns the values of a builder as a slice of their own, which is read so long: that
// of the builder, which has it no more, where they fill most of it.
func handOver[T any](t *plain, values []T, life Lifetime) []T {
	own, shared := fitted(values, t.arrays, life)
	if shared {
		t.of.Vals = nil
	}
	return own
}
