package store

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// AppendChunk appends rows from … to-1 of a chunk, such as a query's result
// has. Its physical type must be one that the buffer's SQL type can have: any
// integer encoding for integers, decimals of the column's scale in 64 or 128
// bits, Code or Str for text.
func (b *Buffer) AppendChunk(c *runtime.Chunk, from, to int) error {
	if !accepts(b.typ, c.Type) {
		return fmt.Errorf("store: a chunk of kernel type %d does not fit a column of type %v", c.Type, b.typ)
	}
	if c.Nulls == c.Rows {
		for range to - from {
			b.Null()
		}
		return nil
	}
	switch {
	case storedAsInts(b.typ):
		b.appendInts(c, from, to)
	case b.typ.Kind == algebra.Bool:
		b.bools.appendBits(c.Bits, from, to)
	case b.typ.IsFloat():
		b.flts = append(b.flts, c.F64[from:to]...)
	case b.typ.Kind == algebra.Numeric:
		b.nums = append(b.nums, c.Nums[from:to]...)
	case b.typ.Kind == algebra.Interval:
		b.spans = append(b.spans, c.Intervals[from:to]...)
	case c.Type == kernel.Code:
		b.appendCodes(c, from, to)
	default:
		b.appendTexts(c, from, to)
	}
	b.appendValid(c, from, to)
	return nil
}

// accepts reports whether a column of type t can take chunks of physical type k.
func accepts(t algebra.Type, k kernel.Type) bool {
	switch k {
	case kernel.I32, kernel.I64:
		return storedAsInts(t)
	case kernel.I128:
		return t.Kind == algebra.Decimal
	case kernel.Code, kernel.Str:
		return t.IsString()
	}
	return PhysicalType(t, false) == k
}

// appendValid takes over the NULLs of rows whose values have been appended.
func (b *Buffer) appendValid(c *runtime.Chunk, from, to int) {
	n := to - from
	nulls := 0
	if c.Valid != nil {
		nulls = runtime.ClearBits(c.Valid, from, to)
	}
	if nulls == 0 {
		b.many(n)
		return
	}
	if b.nulls == 0 {
		b.valid.appendSet(b.rows)
	}
	b.valid.appendBits(c.Valid, from, to)
	b.nulls += nulls
	b.rows += n
}

func (b *Buffer) appendInts(c *runtime.Chunk, from, to int) {
	if c.Enc == runtime.EncI128 {
		b.appendDecimals(c, from, to)
		return
	}
	if b.wide == nil {
		b.ints = DecodeInts(b.ints, c, from, to)
		return
	}
	for _, v := range DecodeInts(nil, c, from, to) {
		b.wide = append(b.wide, value.Int128Of(v))
	}
}

func (b *Buffer) appendDecimals(c *runtime.Chunk, from, to int) {
	for i := from; i < to; i++ {
		if !c.IsValid(i) {
			b.integer(0)
			continue
		}
		b.decimal(c.I128[i])
	}
}

func (b *Buffer) appendCodes(c *runtime.Chunk, from, to int) {
	for i := from; i < to; i++ {
		if !c.IsValid(i) {
			b.text.null()
			continue
		}
		b.text.appendFrom(c.Dict, uint32(c.Int(i)))
	}
}

func (b *Buffer) appendTexts(c *runtime.Chunk, from, to int) {
	for i := from; i < to; i++ {
		if !c.IsValid(i) {
			b.text.null()
			continue
		}
		b.text.appendBytes(c.Bytes[c.Offsets[i]:c.Offsets[i+1]])
	}
}
