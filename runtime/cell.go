package runtime

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// Value is row i as a value of SQL type t, which is what the chunk's integers
// mean: a decimal's scale stands there.
func (c *Chunk) Value(i int, t algebra.Type) value.Value {
	if !c.IsValid(i) {
		return value.Value{}
	}
	switch c.Type {
	case kernel.Bool:
		return value.Value{Kind: value.Bool, B: c.Bits[i>>3]&(1<<(i&7)) != 0}
	case kernel.F64:
		return value.Value{Kind: value.Float, F: c.F64[i]}
	case kernel.Num:
		return value.Value{Kind: value.Decimal, Num: c.Nums[i]}
	case kernel.Interval:
		return value.Value{Kind: value.Intervals, Interval: c.Intervals[i]}
	case kernel.Str, kernel.Code:
		return value.Value{Kind: value.Text, S: c.TextAt(i)}
	}
	if t.Kind == algebra.Decimal || c.Type == kernel.I128 {
		return value.Value{Kind: value.Decimal, Num: value.Num{Coef: c.wide(i), Scale: t.Scale}}
	}
	return value.Value{Kind: value.Int, I: c.Int(i)}
}

// texts are the texts of rows from to to-1, empty where they are NULL.
func (c *Chunk) texts(from, to int) []string {
	texts := make([]string, to-from)
	for i := range texts {
		if c.IsValid(from + i) {
			texts[i] = c.TextAt(from + i)
		}
	}
	return texts
}

// TextAt is the text of row i, which must not be NULL. It shares the chunk's
// memory.
func (c *Chunk) TextAt(i int) string {
	if c.Type == kernel.Code {
		return c.Dict.Texts[c.Int(i)]
	}
	return bytesText(c.Bytes[c.Offsets[i]:c.Offsets[i+1]])
}

// TextBytes is the length of the texts of rows from to to-1; 0 for other types.
func (c *Chunk) TextBytes(from, to int) (bytes int64) {
	switch {
	case c.Nulls == c.Rows:
	case c.Type == kernel.Str:
		return int64(c.Offsets[to] - c.Offsets[from])
	case c.Type == kernel.Code:
		for i := from; i < to; i++ {
			if c.IsValid(i) {
				bytes += int64(len(c.Dict.Texts[c.Int(i)]))
			}
		}
	}
	return bytes
}

// wide is the integer of row i in 128 bits.
func (c *Chunk) wide(i int) value.Int128 {
	if c.Enc == EncI128 {
		return c.I128[i]
	}
	return value.Int128Of(c.Int(i))
}

// param is row i in the form of kernel.Param.Val. It does not share the chunk's
// memory.
func (c *Chunk) param(i int) value.Value {
	v := c.Value(i, algebra.TInt64)
	v.S = long.Clone(v.S)
	return v
}
