package disk

import (
	"fmt"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// buffersOf are the buffers of a chunk in the order of the file: validity,
// values, and offsets.
func buffersOf(c *runtime.Chunk) [3][]byte {
	var out [3][]byte
	if c.Nulls > 0 {
		out[0] = c.Valid
	}
	switch c.Enc {
	case runtime.EncU8:
		out[1] = c.U8
	case runtime.EncU16:
		out[1] = asBytes(c.U16)
	case runtime.EncU32:
		out[1] = asBytes(c.U32)
	case runtime.EncI64:
		out[1] = asBytes(c.I64)
	case runtime.EncI128:
		out[1] = asBytes(c.I128)
	case runtime.EncF64:
		out[1] = asBytes(c.F64)
	case runtime.EncBits:
		out[1] = c.Bits
	case runtime.EncStr:
		out[1], out[2] = c.Bytes, asBytes(c.Offsets)
	case runtime.EncNum:
		out[1] = asBytes(c.Nums)
	case runtime.EncIntervals:
		out[1] = asBytes(c.Intervals)
	}
	return out
}

// statisticsFlags are the bits of the metadata that say what is known of a chunk's
// values: bit 0 whether there are bounds, the others the order. Files of versions
// that did not know orders have none.
func statisticsFlags(c *runtime.Chunk) uint64 {
	flags := uint64(c.Order) << 1
	if c.HasRange {
		flags |= 1
	}
	return flags
}

// readFlags is the reverse of statisticsFlags.
func readFlags(c *runtime.Chunk, flags uint64) error {
	c.HasRange, c.Order = flags&1 != 0, runtime.Order(flags>>1)
	if flags>>1 > uint64(runtime.Strict) || c.Order != runtime.Unordered && (c.Nulls > 0 || !c.HasRange) {
		return fmt.Errorf("statistics of kind %d", flags)
	}
	return nil
}

// fill sets a chunk's buffers, which must have the sizes that its rows need.
func fill(c *runtime.Chunk, buffers [3][]byte) error {
	ok := true
	if c.Nulls > 0 {
		c.Valid, ok = buffers[0], len(buffers[0]) == (c.Rows+7)/8
	}
	data := buffers[1]
	switch c.Enc {
	case runtime.EncConst:
	case runtime.EncU8:
		c.U8, ok = data, ok && len(data) == c.Rows
	case runtime.EncU16:
		c.U16, ok = cast[uint16](data, c.Rows, ok)
	case runtime.EncU32:
		c.U32, ok = cast[uint32](data, c.Rows, ok)
	case runtime.EncI64:
		c.I64, ok = cast[int64](data, c.Rows, ok)
	case runtime.EncI128:
		c.I128, ok = cast[value.Int128](data, c.Rows, ok)
	case runtime.EncF64:
		c.F64, ok = cast[float64](data, c.Rows, ok)
	case runtime.EncBits:
		c.Bits, ok = data, ok && len(data) == (c.Rows+7)/8
	case runtime.EncStr:
		c.Bytes = data
		c.Offsets, ok = cast[uint32](buffers[2], c.Rows+1, ok)
	case runtime.EncNum:
		c.Nums, ok = cast[value.Num](data, c.Rows, ok)
	case runtime.EncIntervals:
		c.Intervals, ok = cast[value.Interval](data, c.Rows, ok)
	default:
		ok = false
	}
	if !ok {
		return fmt.Errorf("the buffers do not fit %d rows of encoding %d", c.Rows, c.Enc)
	}
	return nil
}

// asBytes is the memory of a slice.
func asBytes[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// cast is n values over memory that is aligned.
func cast[T any](b []byte, n int, ok bool) ([]T, bool) {
	var zero T
	if len(b) != n*int(unsafe.Sizeof(zero)) {
		return nil, false
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n), ok
}
