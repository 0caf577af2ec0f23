package arrowfile

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Chunk makes a chunk of a column of SQL type t, as Columns returns it, of an
// Arrow array. Text is written out. The chunk may share the array's memory,
// which has to be the garbage collector's.
func Chunk(a arrow.Array, t algebra.Type) (*runtime.Chunk, error) {
	if d, ok := a.(*array.Dictionary); ok {
		return dictionaryChunk(d, t)
	}
	c := &runtime.Chunk{Type: store.PhysicalType(t, false), Rows: a.Len()}
	c.Valid, c.Nulls = validity(a)
	if c.Nulls == c.Rows {
		c.Enc = runtime.EncConst
		return c, nil
	}
	switch a := a.(type) {
	case *array.Boolean:
		c.Enc, c.Bits = runtime.EncBits, bits(a.Data().Buffers()[1].Bytes(), a.Data().Offset(), a.Len())
	case *array.Float16:
		c.Enc, c.F64 = runtime.EncF64, make([]float64, a.Len())
		for i := range c.F64 {
			c.F64[i] = float64(a.Value(i).Float32())
		}
	case *array.Float32:
		c.Enc, c.F64 = runtime.EncF64, make([]float64, a.Len())
		for i, v := range a.Float32Values() {
			c.F64[i] = float64(v)
		}
	case *array.Float64:
		c.Enc, c.F64 = runtime.EncF64, a.Float64Values()
	case *array.String:
		offsets := a.ValueOffsets()
		c.Enc = runtime.EncStr
		c.Offsets = unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(offsets))), len(offsets))
		c.Bytes = textBytes(a.Data())
		return c, checkTexts(c)
	case *array.FixedSizeBinary:
		return heldChunk(a, t, func(i int) string { return string(value.AppendUUID(nil, a.Value(i))) })
	case *array.Binary:
		return heldChunk(a, t, func(i int) string { return value.HeldBytea(nil, a.Value(i)) })
	case *array.LargeBinary:
		return heldChunk(a, t, func(i int) string { return value.HeldBytea(nil, a.Value(i)) })
	case *array.LargeString:
		return largeText(c, a)
	case *array.Decimal128:
		return decimals(c, a, int(t.Precision))
	case array.ListLike, *array.Struct:
		return nestedChunk(a, t)
	case *array.MonthDayNanoInterval:
		c.Enc, c.Intervals = runtime.EncIntervals, make([]value.Interval, a.Len())
		for i, v := range a.MonthDayNanoIntervalValues() {
			c.Intervals[i] = value.Interval{Months: v.Months, Days: v.Days, Micros: v.Nanoseconds / 1000}
		}
	default:
		ints, err := integerChunk(c, a)
		if err == nil {
			err = checkImported(ints, t)
		}
		return ints, err
	}
	return c, nil
}

// validity returns the bitmap of an array, from bit 0 on, and its NULL count.
func validity(a arrow.Array) ([]byte, int) {
	n := a.NullN()
	switch {
	case n == 0:
		return nil, 0
	case n == a.Len():
		return make([]byte, (n+7)/8), n
	}
	return bits(a.NullBitmapBytes(), a.Data().Offset(), a.Len()), n
}

// bits are n bits from an offset on; shared where they start at a byte.
func bits(b []byte, offset, n int) []byte {
	size := (n + 7) / 8
	if offset&7 == 0 {
		return b[offset>>3 : offset>>3+size]
	}
	out := make([]byte, size)
	for i := range n {
		if k := offset + i; b[k>>3]>>(k&7)&1 != 0 {
			out[i>>3] |= 1 << (i & 7)
		}
	}
	return out
}

// textBytes are all texts of an array; there is no buffer where all are empty.
func textBytes(d arrow.ArrayData) []byte {
	if b := d.Buffers()[2]; b != nil {
		return b.Bytes()
	}
	return nil
}

// checkTexts checks that offsets stay within the bytes and stand between characters, and
// that the bytes are UTF-8 without zeros, which everything that reads a chunk relies on.
func checkTexts(c *runtime.Chunk) error {
	first := c.Offsets[0]
	last := first
	for _, o := range c.Offsets {
		if o < last || uint64(o) > uint64(len(c.Bytes)) {
			return value.Errorf(value.CodeDataCorrupted, "the offsets of a text column are out of order or out of bounds")
		}
		if uint64(o) < uint64(len(c.Bytes)) && o > first && o > last && !utf8.RuneStart(c.Bytes[o]) {
			return errNoText()
		}
		last = o
	}
	if texts := c.Bytes[first:last]; !utf8.Valid(texts) || bytes.IndexByte(texts, 0) >= 0 {
		return errNoText()
	}
	return nil
}

func errNoText() error {
	return value.Errorf(value.CodeUntranslatable, "a text column holds bytes that are not UTF-8, or zeros")
}

func largeText(c *runtime.Chunk, a *array.LargeString) (*runtime.Chunk, error) {
	offsets := a.ValueOffsets()
	first, last := offsets[0], offsets[len(offsets)-1]
	if last-first > maxText {
		return nil, value.Errorf(value.CodeProgramLimit, "the texts of one record batch take more than %d bytes", maxText)
	}
	c.Enc, c.Offsets = runtime.EncStr, make([]uint32, len(offsets))
	for i, o := range offsets {
		c.Offsets[i] = uint32(o - first)
	}
	c.Bytes = textBytes(a.Data())[first:]
	return c, checkTexts(c)
}

// maxText is how many bytes of text a chunk takes.
const maxText = 1<<32 - 1

// decimals makes 128-bit values, or 64-bit ones for up to 18 digits. Nothing but this
// keeps a file from values of more digits than its type has.
func decimals(c *runtime.Chunk, a *array.Decimal128, precision int) (*runtime.Chunk, error) {
	vals := unsafe.Slice((*value.Int128)(unsafe.Pointer(unsafe.SliceData(a.Values()))), a.Len())
	limit := value.Pow10(precision)
	least, _ := limit.Neg()
	for i, v := range vals {
		if !(least.Less(v) && v.Less(limit)) && c.IsValid(i) {
			return nil, value.Errorf(value.CodeDataCorrupted, "row %d holds a decimal of more than %d digits", i, precision)
		}
	}
	if c.Type == kernel.I128 {
		c.Enc, c.I128 = runtime.EncI128, vals
		return c, nil
	}
	ints := lists.Map(vals, func(v value.Int128) int64 { return int64(v.Lo) })
	return store.EncodeInts(c.Type, ints, c.Valid, c.Nulls), nil
}

// integerChunk packs integers, dates and timestamps.
func integerChunk(c *runtime.Chunk, a arrow.Array) (*runtime.Chunk, error) {
	if u, ok := a.(*array.Uint64); ok {
		c.Enc, c.I128 = runtime.EncI128, make([]value.Int128, u.Len())
		for i, v := range u.Uint64Values() {
			c.I128[i] = value.Int128{Lo: v}
		}
		return c, nil
	}
	switch a := a.(type) {
	case *array.Int8:
		return packed(c, a.Int8Values()), nil
	case *array.Uint8:
		return packed(c, a.Uint8Values()), nil
	case *array.Int16:
		return packed(c, a.Int16Values()), nil
	case *array.Uint16:
		return packed(c, a.Uint16Values()), nil
	case *array.Int32:
		return packed(c, a.Int32Values()), nil
	case *array.Uint32:
		return packed(c, a.Uint32Values()), nil
	case *array.Int64:
		return packed(c, a.Int64Values()), nil
	case *array.Date32:
		return packed(c, a.Date32Values()), nil
	case *array.Date64:
		days := make([]int64, a.Len())
		for i, v := range a.Date64Values() {
			days[i] = floorDiv(int64(v), 86400e3)
		}
		return store.EncodeInts(c.Type, days, c.Valid, c.Nulls), nil
	case *array.Timestamp:
		micros, err := inMicros(a.TimestampValues(), a)
		if err != nil {
			return nil, err
		}
		return store.EncodeInts(c.Type, micros, c.Valid, c.Nulls), nil
	case *array.Time32:
		return times(c, a.Time32Values(), a)
	case *array.Time64:
		return times(c, a.Time64Values(), a)
	}
	return nil, fmt.Errorf("arrowfile: arrays of type %v are not converted", a.DataType())
}

// packed packs the values of an array, which stay as they are.
func packed[T store.Integers](c *runtime.Chunk, vals []T) *runtime.Chunk {
	if c.Nulls > 0 {
		vals = slices.Clone(vals)
	}
	return store.EncodeInts(c.Type, vals, c.Valid, c.Nulls)
}

// inMicros returns the values of an array of timestamps or times as microseconds.
func inMicros[T ~int32 | ~int64](values []T, a arrow.Array) ([]int64, error) {
	unit := a.DataType().(arrow.TemporalWithUnit).TimeUnit()
	out := make([]int64, a.Len())
	for i, v := range values {
		switch unit {
		case arrow.Nanosecond:
			out[i] = floorDiv(int64(v), 1000)
		case arrow.Microsecond:
			out[i] = int64(v)
		default:
			factor := int64(1000)
			if unit == arrow.Second {
				factor = 1e6
			}
			product, ok := value.MulOverflow64(int64(v), factor)
			if !ok && a.IsValid(i) {
				return nil, value.Errorf(value.CodeDatetimeOverflow, "timestamp out of range")
			}
			out[i] = product
		}
	}
	return out, nil
}

// times makes a chunk of times of day.
func times[T ~int32 | ~int64](c *runtime.Chunk, values []T, a arrow.Array) (*runtime.Chunk, error) {
	micros, err := inMicros(values, a)
	for i := 0; i < len(micros) && err == nil; i++ {
		if a.IsValid(i) {
			err = value.CheckTime(micros[i])
		}
	}
	if err != nil {
		return nil, err
	}
	return store.EncodeInts(c.Type, micros, c.Valid, c.Nulls), nil
}

// heldChunk makes a chunk of the texts that bytes are held as.
func heldChunk(a arrow.Array, t algebra.Type, text func(i int) string) (*runtime.Chunk, error) {
	buf := store.NewBatch([]store.Column{{Type: t}}).Col(0)
	for i := range a.Len() {
		if a.IsNull(i) {
			buf.Null()
			continue
		}
		buf.Text(text(i))
	}
	return buf.Chunk()
}

// floorDiv divides and rounds down.
func floorDiv(x, y int64) int64 {
	q := x / y
	if x%y < 0 {
		q--
	}
	return q
}

// dictionaryChunk looks the values of a dictionary-encoded array up.
func dictionaryChunk(a *array.Dictionary, t algebra.Type) (_ *runtime.Chunk, err error) {
	defer sqlstate.Catch(&err)
	dict := sqlstate.Must(Chunk(a.Dictionary(), t))
	buf := store.NewBatch([]store.Column{{Type: t}}).Col(0)
	for i := range a.Len() {
		if a.IsNull(i) {
			buf.Null()
			continue
		}
		k := a.GetValueIndex(i)
		if k < 0 || k >= dict.Rows {
			return nil, value.Errorf(value.CodeDataCorrupted, "row %d has index %d into a dictionary of %d values", i, k, dict.Rows)
		}
		sqlstate.Check(buf.AppendChunk(dict, k, k+1))
	}
	return buf.Chunk()
}

// nestedChunk writes the values of a nested array as the engine keeps arrays and jsonb.
func nestedChunk(a arrow.Array, t algebra.Type) (_ *runtime.Chunk, err error) {
	defer sqlstate.Catch(&err)
	w := newNestedWriter(a, arrow.Field{Type: a.DataType()})
	buf := store.NewBatch([]store.Column{{Type: t}}).Col(0)
	for i := range a.Len() {
		if a.IsNull(i) {
			buf.Null()
			continue
		}
		if t.Kind == algebra.Array {
			buf.Text(w.array(i))
			continue
		}
		buf.Text(sqlstate.Must(value.JSONB(nil, string(w.appendJSON(nil, i)))))
	}
	return buf.Chunk()
}

func newNestedWriter(a arrow.Array, field arrow.Field) *nestedWriter {
	w := &nestedWriter{of: a}
	var parts []arrow.Array
	fields := []arrow.Field(nil)
	if nested, ok := field.Type.(arrow.NestedType); ok {
		fields = nested.Fields()
	}
	switch a := a.(type) {
	case *array.Map:
		parts, fields = []arrow.Array{a.Keys(), a.Items()}, fields[0].Type.(*arrow.StructType).Fields()
	case array.ListLike:
		parts = []arrow.Array{a.ListValues()}
	case *array.Struct:
		for i, f := range fields {
			parts, w.names = append(parts, a.Field(i)), append(w.names, f.Name)
		}
	default:
		w.leafType, _ = typeOf(field) // nestedType has seen it
		w.elem = algebra.ElementOf(algebra.TArray(w.leafType))
		w.leaf = sqlstate.Must(Chunk(a, w.leafType))
		return w
	}
	for i, part := range parts {
		w.parts = append(w.parts, newNestedWriter(part, fields[i]))
	}
	return w
}
