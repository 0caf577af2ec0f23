package vector

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// Encode makes a chunk of the first rows of a decoded vector, integers as
// narrow as their range allows. The chunk may keep v's slices, which are not to
// be written afterwards.
func Encode(v *Vector, rows int) *runtime.Chunk {
	c := &runtime.Chunk{Type: v.Type, Rows: rows}
	if v.Const {
		v = spread(v, rows)
	}
	EncodeNulls(c, v.Null, rows)
	switch v.Type {
	case kernel.I32:
		encodeInts(c, Of[int32](v)[:rows], v.Null)
	case kernel.I64:
		encodeInts(c, Of[int64](v)[:rows], v.Null)
	case kernel.Code:
		encodeInts(c, Of[uint32](v)[:rows], v.Null)
		c.Dict = v.Dict
		if c.Dict == nil {
			c.Dict = &runtime.Dictionary{}
		}
	case kernel.Str:
		encodeTexts(c, Of[string](v)[:rows], v.Null)
	default:
		encodeValues(c, v)
	}
	return c
}

// encodeValues stores the first values of a decoded vector of another type than integers,
// codes and texts, as many as the chunk has rows.
func encodeValues(c *runtime.Chunk, v *Vector) {
	switch v.Type {
	case kernel.I128:
		encodeWide(c, Of[value.Int128](v)[:c.Rows], v.Null)
	case kernel.F64:
		c.Enc, c.F64 = runtime.EncF64, Of[float64](v)[:c.Rows]
	case kernel.Num:
		c.Enc, c.Nums = runtime.EncNum, Of[value.Num](v)[:c.Rows]
	case kernel.Interval:
		c.Enc, c.Intervals = runtime.EncIntervals, Of[value.Interval](v)[:c.Rows]
	case kernel.Bool:
		c.Enc, c.Bits = runtime.EncBits, packBits(Of[uint8](v)[:c.Rows])
	}
}

// spread makes a vector of rows copies of a constant.
func spread(v *Vector, rows int) *Vector {
	out := &Vector{Type: v.Type}
	out.AppendRows(v, Identity(rows))
	return out
}

// EncodeNulls sets the validity of c, if any row is NULL.
func EncodeNulls(c *runtime.Chunk, null []uint8, rows int) {
	if null == nil {
		return
	}
	valid := packBits(null[:rows])
	for i, flags := range valid {
		c.Nulls += bits.OnesCount8(flags)
		valid[i] = ^flags
	}
	if c.Nulls == 0 {
		return
	}
	c.Valid = valid
	if tail := rows & 7; tail != 0 {
		c.Valid[len(c.Valid)-1] &= 1<<tail - 1
	}
}

// packBits makes a bitmap of flags, 0 or 1 each.
func packBits(flags []uint8) []byte {
	packed := make([]byte, (len(flags)+7)/8)
	whole := len(flags) / 8
	for i := range packed[:whole] {
		// The product has flag k of the word, bit 8k, at bit 56 + k.
		packed[i] = byte(binary.LittleEndian.Uint64(flags[8*i:]) * 0x0102040810204080 >> 56)
	}
	for i, f := range flags[8*whole:] {
		packed[whole] |= f << i
	}
	return packed
}

// encodeInts stores integers in the narrowest encoding.
func encodeInts[T Integer](c *runtime.Chunk, values []T, null []uint8) {
	if c.Nulls == c.Rows {
		c.Enc = runtime.EncConst
		return
	}
	lo, hi := bound(values, null)
	c.HasRange, c.Min, c.Max, c.Base = true, int64(lo), int64(hi), int64(lo)
	switch width := uint64(c.Max) - uint64(c.Min); {
	case width == 0:
		c.Enc = runtime.EncConst
	case width <= math.MaxUint8:
		c.Enc, c.U8 = runtime.EncU8, narrow[uint8](values, lo)
	case width <= math.MaxUint16:
		c.Enc, c.U16 = runtime.EncU16, narrow[uint16](values, lo)
	case width <= math.MaxUint32:
		c.Enc, c.U32 = runtime.EncU32, narrow[uint32](values, lo)
	default:
		c.Enc, c.Base = runtime.EncI64, 0
		if wide, ok := any(values).([]int64); ok {
			c.I64 = wide
		}
	}
}

// bound returns the least and the greatest of the values that are not NULL, 0 where there
// is none.
func bound[T Integer | Stored](values []T, null []uint8) (lo, hi T) {
	first := firstValue(null)
	if first >= len(values) {
		return 0, 0
	}
	return extend(values[first], values[first], values, null)
}

// firstValue is the first row that is not NULL, the number of rows where there is none.
func firstValue(null []uint8) (row int) {
	for row < len(null) && null[row] != 0 {
		row++
	}
	return row
}

// extend returns the bounds of those that are given, lo and hi, and of the values that are not
// NULL.
func extend[T Integer | Stored](lo, hi T, values []T, null []uint8) (T, T) {
	if null == nil {
		for _, x := range values {
			lo, hi = min(lo, x), max(hi, x)
		}
		return lo, hi
	}
	null = null[:len(values)]
	for i, x := range values {
		if null[i] == 0 {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	return lo, hi
}

// narrow stores value−lo of each value. What stands for NULL is of no account.
func narrow[S Stored, T Integer](values []T, lo T) []S {
	out := make([]S, len(values))
	for i, x := range values {
		out[i] = S(x - lo)
	}
	return out
}

// encodeWide stores decimals: as integers where all of them fit.
func encodeWide(c *runtime.Chunk, values []value.Int128, null []uint8) {
	c.Enc, c.I128 = runtime.EncI128, values
	ints := make([]int64, len(values))
	for i, x := range values {
		if x.Hi != int64(x.Lo)>>63 {
			if null != nil && null[i] != 0 {
				continue
			}
			return
		}
		ints[i] = int64(x.Lo)
	}
	c.I128 = nil
	encodeInts(c, ints, null)
}

// encodeTexts stores texts one after the other.
func encodeTexts(c *runtime.Chunk, texts []string, null []uint8) {
	c.Enc = runtime.EncStr
	size := textBytes(texts, null)
	c.Offsets = make([]uint32, 1, len(texts)+1)
	c.Bytes = make([]byte, 0, size)
	for i, s := range texts {
		if null == nil || null[i] == 0 {
			c.Bytes = long.AppendText(c.Bytes, s)
		}
		c.Offsets = append(c.Offsets, uint32(len(c.Bytes)))
	}
}

// TextBytes is what the texts of rows take together.
func TextBytes(v *Vector, rows int) int64 { return textBytes(Of[string](v)[:rows], v.Null) }

func textBytes(texts []string, null []uint8) (size int64) {
	for i, s := range texts {
		if null == nil || null[i] == 0 {
			size += int64(len(s))
		}
	}
	return size
}

// StoredBytes is what rows of a chunk take, at their stored width.
func StoredBytes(c *runtime.Chunk, rows int) int64 {
	n := int64(rows)
	var bytes int64
	switch c.Enc {
	case runtime.EncU8:
		bytes = n
	case runtime.EncU16:
		bytes = 2 * n
	case runtime.EncU32:
		bytes = 4 * n
	case runtime.EncI64, runtime.EncF64:
		bytes = 8 * n
	case runtime.EncI128, runtime.EncIntervals:
		bytes = 16 * n
	case runtime.EncNum:
		bytes = 24 * n
	case runtime.EncBits:
		bytes = (n + 7) / 8
	case runtime.EncStr:
		bytes = 4*n + int64(len(c.Bytes))*n/int64(max(c.Rows, 1))
	}
	if c.Valid != nil {
		bytes += (n + 7) / 8
	}
	return bytes
}
