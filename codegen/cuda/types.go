package cuda

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// ctypes are the types of values in the source. A Bool is a mask of rows.
var ctypes = map[kernel.Type]string{
	kernel.Bool: "u32", kernel.I32: "i32", kernel.I64: "i64", kernel.I128: "i128", kernel.F64: "f64", kernel.Code: "u32",
	kernel.Num: "Num", kernel.Interval: "Interval", kernel.Str: "Text",
}

// ctype is the type of a value in the source.
func (r *renderer) ctype(t kernel.Type) string {
	c, ok := ctypes[t]
	if !ok {
		r.refuse("there is no device code for values of type %s", t)
		return "i64"
	}
	switch t {
	case kernel.Num:
		r.include("num.cuh")
	case kernel.Str:
		r.include("text.cuh")
	case kernel.Interval:
		r.include("dates.cuh")
		r.include("intervals.cuh")
	}
	return c
}

// zeroOf is a value of a type for rows that have none.
func zeroOf(t kernel.Type) string {
	if t == kernel.Num || t == kernel.Interval || t == kernel.Str {
		return ctypes[t] + "{}"
	}
	return "0"
}

// words is how many 32-bit registers a value takes for each row.
func words(t kernel.Type) int {
	switch t {
	case kernel.Bool:
		return 0
	case kernel.I32, kernel.Code:
		return 1
	case kernel.I64, kernel.F64, kernel.Str:
		return 2
	case kernel.Num:
		return 5
	}
	return 4
}

// elements are the types of a column's elements in memory.
var elements = map[Encoding]string{
	EncU8: "u8", EncU16: "u16", EncU32: "u32", EncI64: "i64", EncI128: "u64", EncF64: "f64", EncBits: "u32", EncNum: "u64", EncIntervals: "u64",
	EncStr: "u32", EncTexts: "Text",
}

// checkColumn refuses columns of encodings that are not rendered.
func (r *renderer) checkColumn(c ColumnShape) {
	if _, ok := elements[c.Encoding]; !ok && c.Encoding != EncNull {
		r.refuse("there is no device code for columns of type %s", c.Type)
	}
}

// isOffset reports whether a column holds differences to a base.
func (e Encoding) isOffset() bool { return e == EncU8 || e == EncU16 || e == EncU32 }

// outputShape is how values are stored by a kernel: as narrow as what is known
// of them allows.
func outputShape(v kernel.Value) (shape ColumnShape, base int64) {
	shape = ColumnShape{Type: v.Type, Nullable: v.Nullable}
	switch v.Type {
	case kernel.Bool:
		shape.Encoding = EncBits
	case kernel.F64:
		shape.Encoding = EncF64
	case kernel.I128:
		shape.Encoding = EncI128
	case kernel.Num:
		shape.Encoding = EncNum
	case kernel.Interval:
		shape.Encoding = EncIntervals
	case kernel.Str:
		shape.Encoding = EncTexts
	default:
		shape.Encoding, base = outputInteger(v)
	}
	return shape, base
}

func outputInteger(v kernel.Value) (Encoding, int64) {
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	switch v.Type {
	case kernel.I32:
		lo, hi = math.MinInt32, math.MaxInt32
	case kernel.Code:
		lo, hi = 0, math.MaxInt32
	}
	if v.Range.Known {
		lo, hi = max(lo, v.Range.Lo), min(hi, v.Range.Hi)
	}
	switch width := uint64(hi) - uint64(lo); {
	case lo > hi || width <= math.MaxUint8:
		return EncU8, lo
	case width <= math.MaxUint16:
		return EncU16, lo
	case width <= math.MaxUint32:
		return EncU32, lo
	}
	return EncI64, 0
}
