package workload

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/decimal128"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// int32Array takes over vals as an Arrow array without NULLs.
func int32Array(vals []int32) arrow.Array {
	return fixedArray(arrow.PrimitiveTypes.Int32, len(vals), arrow.Int32Traits.CastToBytes(vals))
}

// int32Arrays takes over columns.
func int32Arrays(cols ...[]int32) []arrow.Array {
	arrays := make([]arrow.Array, len(cols))
	for i := range cols {
		arrays[i] = int32Array(cols[i])
	}
	return arrays
}

// int64Array takes over vals as an Arrow array without NULLs.
func int64Array(vals []int64) arrow.Array {
	return fixedArray(arrow.PrimitiveTypes.Int64, len(vals), arrow.Int64Traits.CastToBytes(vals))
}

// float64Array takes over vals as an Arrow array without NULLs.
func float64Array(vals []float64) arrow.Array {
	return fixedArray(arrow.PrimitiveTypes.Float64, len(vals), arrow.Float64Traits.CastToBytes(vals))
}

// decimalArray takes over vals, unscaled, as an array of the decimal type t.
func decimalArray(t *arrow.Decimal128Type, vals []decimal128.Num) arrow.Array {
	return fixedArray(t, len(vals), arrow.Decimal128Traits.CastToBytes(vals))
}

func fixedArray(t arrow.DataType, n int, bytes []byte) arrow.Array {
	data := array.NewData(t, n, []*memory.Buffer{nil, memory.NewBufferBytes(bytes)}, nil, 0, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// A texts collects the values of one text column.
type texts struct {
	offsets []int32
	bytes   []byte
}

// newTexts makes room for n values of about width bytes.
func newTexts(n, width int) *texts {
	return &texts{offsets: append(make([]int32, 0, n+1), 0), bytes: make([]byte, 0, n*width)}
}

func (t *texts) add(s string) {
	t.bytes = append(t.bytes, s...)
	t.end()
}

// end closes the value whose bytes were appended to t.bytes.
func (t *texts) end() { t.offsets = append(t.offsets, int32(len(t.bytes))) }

// array hands the values over as an Arrow array.
func (t *texts) array() arrow.Array {
	data := array.NewData(arrow.BinaryTypes.String, len(t.offsets)-1, []*memory.Buffer{
		nil,
		memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(t.offsets)),
		memory.NewBufferBytes(t.bytes),
	}, nil, 0, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// record makes a record of arrays and releases the caller's references.
func record(schema *arrow.Schema, arrays []arrow.Array) arrow.Record {
	rec := array.NewRecord(schema, arrays, int64(arrays[0].Len()))
	for _, a := range arrays {
		a.Release()
	}
	return rec
}
