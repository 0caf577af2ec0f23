package arrowfile

import (
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Exporter turns blocks of a relation into Arrow records. Columns whose layout
// is Arrow's already (double precision, 64-bit integers stored as they are,
// 128-bit decimals, text, booleans, and every validity bitmap) share their
// memory with the records and keep it alive; the others are written out.
// Integers and dates have their SQL type's width, timestamps and times are microseconds
// without a time zone, uuids 16 bytes, enums texts. Numerics with a scale each become decimal128(38, s) with
// the largest scale s among them; what has more than 38 digits then fails with
// 22003. Infinite dates and timestamps fail with 0A000. Arrays become lists, without their bounds. It is safe for concurrent use.
type Exporter struct {
	rel      runtime.Relation
	columns  []store.Column
	ordinals []int
	schema   *arrow.Schema
}

// NewExporter prepares a relation, whose columns are named and typed by
// columns. For numerics with a scale each it reads their columns once.
func NewExporter(rel runtime.Relation, columns []store.Column) (*Exporter, error) {
	e := &Exporter{rel: rel, columns: columns}
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		e.ordinals = append(e.ordinals, i)
		scale, err := e.largestScale(i)
		if err != nil {
			return nil, err
		}
		fields[i] = arrowField(c.Name, c.Type, scale, !c.NotNull)
	}
	e.schema = arrow.NewSchema(fields, nil)
	return e, nil
}

// largestScale is the largest scale of column i if it is numeric, or an array of numerics.
func (e *Exporter) largestScale(i int) (uint8, error) {
	var scale uint8
	t := e.columns[i].Type
	if t.Kind != algebra.Numeric && t != algebra.TArray(algebra.TNumeric) {
		return 0, nil
	}
	for n := range e.rel.Blocks() {
		b, err := e.rel.Load(n, []int{i})
		if err != nil {
			return 0, err
		}
		c := b.Cols[i]
		if t.Kind == algebra.Array {
			if c, _, err = elements(c, t); err != nil {
				return 0, err
			}
		}
		for row, v := range c.Nums {
			if c.IsValid(row) {
				scale = max(scale, v.Scale)
			}
		}
	}
	return min(scale, 38), nil
}

// Schema is the schema of the records.
func (e *Exporter) Schema() *arrow.Schema { return e.schema }

// Records is the number of records: one for each block.
func (e *Exporter) Records() int { return e.rel.Blocks() }

// Record returns record i. The caller releases it.
func (e *Exporter) Record(i int) (_ arrow.Record, err error) {
	defer sqlstate.Catch(&err)
	b := sqlstate.Must(e.rel.Load(i, e.ordinals))
	arrays := make([]arrow.Array, len(e.columns))
	for c := range e.columns {
		arrays[c] = array.MakeFromData(exportChunk(b.Cols[c], e.columns[c].Type, e.schema.Field(c).Type))
	}
	return array.NewRecord(e.schema, arrays, int64(b.Rows)), nil
}

// exportChunk makes the data of an array of a chunk of SQL type typ.
func exportChunk(c *runtime.Chunk, typ algebra.Type, t arrow.DataType) arrow.ArrayData {
	if typ.Kind == algebra.Array {
		return exportArrays(c, typ, t.(*arrow.ListType))
	}
	sqlstate.Check(checkExported(c, typ))
	buffers := []*memory.Buffer{nil}
	if c.Nulls > 0 {
		buffers[0] = share(c, c.Valid)
	}
	switch {
	case c.Nulls == c.Rows:
		buffers = append(buffers, emptyBuffers(t, c.Rows)...)
	case t.ID() == arrow.BINARY:
		buffers = append(buffers, sqlstate.Must(exportBytea(c))...)
	case t.ID() == arrow.FIXED_SIZE_BINARY:
		buffers = append(buffers, exportUUIDs(c))
	case typ.Kind == algebra.Enum:
		buffers = append(buffers, sqlstate.Must(exportLabels(c, typ.Enum))...)
	case c.Type == kernel.Str || c.Type == kernel.Code:
		buffers = append(buffers, sqlstate.Must(exportText(c))...)
	default:
		buffers = append(buffers, sqlstate.Must(exportValues(c, t)))
	}
	return array.NewData(t, c.Rows, buffers, nil, c.Nulls, 0)
}

// exportArrays makes the data of lists.
func exportArrays(c *runtime.Chunk, typ algebra.Type, t *arrow.ListType) arrow.ArrayData {
	elems, offsets, err := elements(c, typ)
	sqlstate.Check(err)
	child := exportChunk(elems, typ.Element(), t.Elem())
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(asBytes(offsets))}
	if c.Nulls > 0 {
		buffers[0] = share(c, c.Valid)
	}
	return array.NewData(t, c.Rows, buffers, []arrow.ArrayData{child}, c.Nulls, 0)
}

// emptyBuffers are the buffers of a column that is all NULL.
func emptyBuffers(t arrow.DataType, rows int) []*memory.Buffer {
	if t.ID() == arrow.STRING || t.ID() == arrow.BINARY {
		return []*memory.Buffer{memory.NewBufferBytes(make([]byte, 4*(rows+1))), memory.NewBufferBytes(nil)}
	}
	width := t.(arrow.FixedWidthDataType).BitWidth()
	return []*memory.Buffer{memory.NewBufferBytes(make([]byte, (rows*width+7)/8))}
}

// singles are the values of reals in 32 bits.
func singles(values []float64) []float32 {
	return lists.Map(values, func(v float64) float32 { return float32(v) })
}

// exportValues makes the buffer of values of one width.
func exportValues(c *runtime.Chunk, t arrow.DataType) (*memory.Buffer, error) {
	switch c.Type {
	case kernel.Bool:
		return share(c, c.Bits), nil
	case kernel.F64:
		if t.ID() == arrow.FLOAT32 {
			return memory.NewBufferBytes(asBytes(singles(c.F64))), nil
		}
		return share(c, asBytes(c.F64)), nil
	case kernel.Interval:
		return exportIntervals(c)
	case kernel.Num:
		return exportNums(c, int(t.(*arrow.Decimal128Type).Scale))
	}
	switch t.ID() {
	case arrow.DECIMAL128:
		if c.Enc == runtime.EncI128 {
			return share(c, asBytes(c.I128)), nil
		}
		out := make([]value.Int128, c.Rows)
		for i, v := range store.DecodeInts(nil, c, 0, c.Rows) {
			out[i] = value.Int128Of(v)
		}
		return memory.NewBufferBytes(asBytes(out)), nil
	case arrow.INT16:
		return memory.NewBufferBytes(asBytes(narrowed[int16](c))), nil
	case arrow.INT32, arrow.DATE32:
		return memory.NewBufferBytes(asBytes(narrowed[int32](c))), nil
	}
	if c.Enc == runtime.EncI64 && c.Base == 0 {
		return share(c, asBytes(c.I64)), nil
	}
	return memory.NewBufferBytes(asBytes(store.DecodeInts(nil, c, 0, c.Rows))), nil
}

func narrowed[T int16 | int32](c *runtime.Chunk) []T {
	out := make([]T, c.Rows)
	for i, v := range store.DecodeInts(nil, c, 0, c.Rows) {
		out[i] = T(v)
	}
	return out
}

func exportIntervals(c *runtime.Chunk) (*memory.Buffer, error) {
	out := make([]arrow.MonthDayNanoInterval, c.Rows)
	for i, v := range c.Intervals {
		nanos, ok := value.MulOverflow64(v.Micros, 1000)
		if !ok && c.IsValid(i) {
			return nil, value.Errorf(value.CodeDatetimeOverflow, "interval out of range for Arrow's nanoseconds")
		}
		out[i] = arrow.MonthDayNanoInterval{Months: v.Months, Days: v.Days, Nanoseconds: nanos}
	}
	return memory.NewBufferBytes(asBytes(out)), nil
}

func exportNums(c *runtime.Chunk, scale int) (*memory.Buffer, error) {
	out := make([]value.Int128, c.Rows)
	for i, v := range c.Nums {
		if !c.IsValid(i) {
			continue
		}
		unscaled, err := v.Decimal(38, scale)
		if err != nil {
			return nil, err
		}
		out[i] = unscaled
	}
	return memory.NewBufferBytes(asBytes(out)), nil
}

// mostBytes is what the offsets of one array can count.
const mostBytes = 1<<31 - 1

// exportText makes the offsets and bytes of texts; codes are looked up.
func exportText(c *runtime.Chunk) ([]*memory.Buffer, error) {
	if c.Enc == runtime.EncStr {
		if n := len(c.Offsets); c.Offsets[n-1] > mostBytes {
			return nil, errTextTooLarge()
		}
		return []*memory.Buffer{share(c, asBytes(c.Offsets)), share(c, c.Bytes)}, nil
	}
	codes := store.DecodeInts(nil, c, 0, c.Rows)
	return exportBytes(c, func(dst []byte, i int) []byte { return append(dst, c.Dict.Texts[codes[i]]...) })
}

// exportBytea makes the offsets and bytes of bytea.
func exportBytea(c *runtime.Chunk) ([]*memory.Buffer, error) {
	return exportBytes(c, func(dst []byte, i int) []byte { return value.AppendBytea(nil, dst, c.TextAt(i)) })
}

// exportLabels makes the offsets and bytes of the labels of an enum.
func exportLabels(c *runtime.Chunk, e *algebra.EnumType) ([]*memory.Buffer, error) {
	values := store.DecodeInts(nil, c, 0, c.Rows)
	return exportBytes(c, func(dst []byte, i int) []byte { return append(dst, e.Label(values[i])...) })
}

// exportBytes makes the offsets and bytes of the rows that are not NULL.
func exportBytes(c *runtime.Chunk, appendRow func(dst []byte, i int) []byte) ([]*memory.Buffer, error) {
	offsets, bytes := make([]int32, 1, c.Rows+1), []byte(nil)
	for i := range c.Rows {
		if c.IsValid(i) {
			bytes = appendRow(bytes, i)
		}
		if len(bytes) > mostBytes {
			return nil, errTextTooLarge()
		}
		offsets = append(offsets, int32(len(bytes)))
	}
	return []*memory.Buffer{memory.NewBufferBytes(asBytes(offsets)), memory.NewBufferBytes(bytes)}, nil
}

func errTextTooLarge() error {
	return value.Errorf(value.CodeProgramLimit, "the texts of one block take more than Arrow's 2 GiB")
}

// exportUUIDs makes the buffer of the bytes of uuids.
func exportUUIDs(c *runtime.Chunk) *memory.Buffer {
	bytes := make([]byte, 0, c.Rows*value.UUIDSize)
	for i := range c.Rows {
		if !c.IsValid(i) {
			bytes = append(bytes, make([]byte, value.UUIDSize)...)
			continue
		}
		bytes = value.AppendUUIDBytes(bytes, c.TextAt(i))
	}
	return memory.NewBufferBytes(bytes)
}

// asBytes is the memory of a slice.
func asBytes[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// share makes a buffer of a chunk's memory that keeps the chunk alive, and with
// it the file that it may be mapped from.
func share(c *runtime.Chunk, b []byte) *memory.Buffer {
	return memory.NewBufferWithAllocator(b, keeper{c})
}

// keeper refers to a chunk whose memory a buffer has; it allocates for no one.
type keeper struct{ chunk *runtime.Chunk }

// Allocate implements memory.Allocator.
func (keeper) Allocate(size int) []byte { return make([]byte, size) }

// Reallocate implements memory.Allocator.
func (keeper) Reallocate(size int, b []byte) []byte {
	return append(make([]byte, 0, size), b...)[:size]
}

// Free implements memory.Allocator; the memory is the garbage collector's.
func (keeper) Free([]byte) {}
