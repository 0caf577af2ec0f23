package runtime

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// NewRows makes a relation of constant rows, each in the form of
// kernel.Param.Val, in one block.
func NewRows(types []kernel.Type, rows [][]value.Value) Relation {
	return NewBlocks(types, []Block{blockOf(types, rows)})
}

// NewColumns is NewRows of so many rows, of which fill sets one column after the other.
func NewColumns(types []kernel.Type, rows int, fill func(i int, column []value.Value)) Relation {
	return NewBlocks(types, []Block{columnsBlock(types, rows, fill)})
}

// blockOf is the block of NewRows.
func blockOf(types []kernel.Type, rows [][]value.Value) Block {
	return columnsBlock(types, len(rows), func(i int, column []value.Value) {
		for j, row := range rows {
			column[j] = row[i]
		}
	})
}

// columnsBlock is the block of NewColumns.
func columnsBlock(types []kernel.Type, rows int, fill func(i int, column []value.Value)) Block {
	block := Block{Rows: rows, Cols: make([]*Chunk, len(types))}
	column := make([]value.Value, rows)
	for i, t := range types {
		fill(i, column)
		block.Cols[i] = chunkOf(t, column)
	}
	return block
}

// NewBlocks makes a relation of blocks in memory.
func NewBlocks(types []kernel.Type, blocks []Block) Relation {
	m := &inMemory{types: types, blocks: blocks}
	for i := range blocks {
		m.rows += int64(blocks[i].Rows)
	}
	return m
}

// inMemory is a relation of blocks in memory.
type inMemory struct {
	types  []kernel.Type
	blocks []Block
	rows   int64
}

// Types implements Relation.
func (m *inMemory) Types() []kernel.Type { return m.types }

// Blocks implements Relation.
func (m *inMemory) Blocks() int {
	if m.rows == 0 {
		return 0
	}
	return len(m.blocks)
}

// Rows implements Relation.
func (m *inMemory) Rows() int64 { return m.rows }

// Load implements Relation.
func (m *inMemory) Load(i int, _ []int) (Block, error) { return m.blocks[i], nil }

// Range implements Relation.
func (m *inMemory) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	c := m.blocks[i].Cols[ordinal]
	return c.Min, c.Max, c.Nulls == 0, c.HasRange
}

// repeatChunk makes a chunk of n times the same value, in the form of
// kernel.Param.Val.
func repeatChunk(t kernel.Type, v value.Value, n int) *Chunk {
	if v.Kind == value.Null || t == kernel.I32 || t == kernel.I64 {
		c := &Chunk{Type: t, Enc: EncConst, Rows: n, Base: v.I}
		if v.Kind == value.Null {
			c.Valid, c.Nulls = make([]byte, (n+7)/8), n
		} else {
			c.HasRange, c.Min, c.Max = true, v.I, v.I
		}
		return c
	}
	column := make([]value.Value, n)
	for i := range column {
		column[i] = v
	}
	return chunkOf(t, column)
}

// chunkOf makes a chunk of the values, which are NULL or in the form of
// kernel.Param.Val for type t.
func chunkOf(t kernel.Type, column []value.Value) *Chunk {
	n := len(column)
	c := &Chunk{Type: t, Rows: n}
	for i, v := range column {
		if v.Kind != value.Null {
			continue
		}
		if c.Valid == nil {
			c.Valid = allValid(n)
		}
		c.Valid[i>>3] &^= 1 << (i & 7)
		c.Nulls++
	}
	if c.Nulls == n && n > 0 {
		c.Enc = EncConst
		return c
	}
	c.fill(column)
	return c
}

// allValid is a validity bitmap of n rows without NULLs.
func allValid(n int) []byte {
	bits := make([]byte, (n+7)/8)
	for i := range bits {
		bits[i] = 0xff
	}
	return bits
}

// fill stores the values in the plain encoding of the chunk's type.
func (c *Chunk) fill(column []value.Value) {
	switch c.Type {
	case kernel.I32, kernel.I64:
		c.Enc, c.I64 = EncI64, make([]int64, len(column))
		c.HasRange, c.Min, c.Max = true, math.MaxInt64, math.MinInt64
		for i, v := range column {
			c.I64[i] = v.I
			if v.Kind != value.Null {
				c.Min, c.Max = min(c.Min, v.I), max(c.Max, v.I)
			}
		}
	case kernel.I128:
		c.Enc, c.I128 = EncI128, make([]value.Int128, len(column))
		for i, v := range column {
			c.I128[i] = v.Num.Coef
		}
	case kernel.F64:
		c.Enc, c.F64 = EncF64, make([]float64, len(column))
		for i, v := range column {
			c.F64[i] = v.F
		}
	case kernel.Num:
		c.Enc, c.Nums = EncNum, make([]value.Num, len(column))
		for i, v := range column {
			c.Nums[i] = v.Num
		}
	case kernel.Interval:
		c.Enc, c.Intervals = EncIntervals, make([]value.Interval, len(column))
		for i, v := range column {
			c.Intervals[i] = v.Interval
		}
	case kernel.Bool:
		c.Enc, c.Bits = EncBits, make([]byte, (len(column)+7)/8)
		for i, v := range column {
			if v.B {
				c.Bits[i>>3] |= 1 << (i & 7)
			}
		}
	case kernel.Str:
		c.fillText(column)
	}
}

// fillText stores texts as offsets and bytes.
func (c *Chunk) fillText(column []value.Value) {
	c.Enc, c.Offsets = EncStr, make([]uint32, 1, len(column)+1)
	for _, v := range column {
		c.Bytes = long.AppendText(c.Bytes, v.S)
		c.Offsets = append(c.Offsets, uint32(len(c.Bytes)))
	}
}
