package main

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// A duckdbAppender adds Arrow records without NULLs to a table.
type duckdbAppender struct {
	lib      *duckdbLibrary
	appender unsafe.Pointer
	chunk    unsafe.Pointer
	types    []unsafe.Pointer
}

func (d *duckdb) newAppender(t workload.Table) (*duckdbAppender, error) {
	a := &duckdbAppender{lib: d.lib}
	if d.lib.CreateAppender(d.conn, nil, t.Name, &a.appender) != 0 {
		return nil, fmt.Errorf("DuckDB: %s", d.lib.AppenderError(a.appender))
	}
	for _, f := range t.Schema.Fields() {
		typ, err := a.logicalType(f.Type)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", f.Name, err)
		}
		a.types = append(a.types, typ)
	}
	a.chunk = d.lib.CreateChunk(&a.types[0], uint64(len(a.types)))
	return a, nil
}

func (a *duckdbAppender) logicalType(t arrow.DataType) (unsafe.Pointer, error) {
	switch t := t.(type) {
	case *arrow.Int32Type:
		return a.lib.CreateType(duckdbInteger), nil
	case *arrow.Int64Type:
		return a.lib.CreateType(duckdbBigint), nil
	case *arrow.Float64Type:
		return a.lib.CreateType(duckdbDouble), nil
	case *arrow.StringType:
		return a.lib.CreateType(duckdbVarchar), nil
	case *arrow.Date32Type:
		return a.lib.CreateType(duckdbDate), nil
	case *arrow.Decimal128Type:
		// Of 18 digits and less DuckDB stores 64 bits.
		if t.Precision > 9 && t.Precision <= 18 {
			return a.lib.DecimalType(uint8(t.Precision), uint8(t.Scale)), nil
		}
	}
	return nil, fmt.Errorf("type %s is not transferred to DuckDB", t)
}

// append adds a record.
func (a *duckdbAppender) append(rec arrow.Record) error {
	step := int64(a.lib.VectorSize())
	for first := int64(0); first < rec.NumRows(); first += step {
		n := min(step, rec.NumRows()-first)
		a.lib.ResetChunk(a.chunk)
		for c := range int(rec.NumCols()) {
			a.fill(a.lib.ChunkVector(a.chunk, uint64(c)), rec.Column(c), int(first), int(n))
		}
		a.lib.SetChunkSize(a.chunk, uint64(n))
		if a.lib.AppendChunk(a.appender, a.chunk) != 0 {
			return fmt.Errorf("DuckDB: %s", a.lib.AppenderError(a.appender))
		}
	}
	return nil
}

// fill copies rows of a column into a vector.
func (a *duckdbAppender) fill(vector unsafe.Pointer, col arrow.Array, first, n int) {
	data := a.lib.VectorData(vector)
	switch col := col.(type) {
	case *array.Int32:
		copy(unsafe.Slice((*int32)(data), n), col.Int32Values()[first:])
	case *array.Date32:
		copy(unsafe.Slice((*arrow.Date32)(data), n), col.Date32Values()[first:])
	case *array.Float64:
		copy(unsafe.Slice((*float64)(data), n), col.Float64Values()[first:])
	case *array.Int64:
		copy(unsafe.Slice((*int64)(data), n), col.Int64Values()[first:])
	case *array.Decimal128:
		to := unsafe.Slice((*int64)(data), n)
		for i := range to {
			to[i] = int64(col.Value(first + i).LowBits())
		}
	case *array.String:
		to := unsafe.Slice((*duckdbText)(data), n)
		for i := range to {
			s := col.Value(first + i)
			if len(s) <= len(to[i].inline) {
				to[i].set(s)
				continue
			}
			a.lib.AssignText(vector, uint64(i), unsafe.Pointer(unsafe.StringData(s)), uint64(len(s)))
			runtime.KeepAlive(s)
		}
	}
}

// A duckdbText is the struct duckdb_string_t: up to twelve bytes in place;
// longer ones are four bytes of prefix and a pointer.
type duckdbText struct {
	length uint32
	inline [12]byte
}

func (t *duckdbText) set(s string) {
	t.length, t.inline = uint32(len(s)), [12]byte{}
	copy(t.inline[:], s)
}

// value is a copy of the text.
func (t *duckdbText) value() string {
	if int(t.length) <= len(t.inline) {
		return string(t.inline[:t.length])
	}
	p := *(*unsafe.Pointer)(unsafe.Pointer(&t.inline[4]))
	return string(bytesAt(p, int(t.length)))
}

// finish writes what is buffered.
func (a *duckdbAppender) finish() error {
	if a.lib.DestroyAppender(&a.appender) != 0 {
		return fmt.Errorf("DuckDB does not accept the rows of an appender")
	}
	return nil
}

func (a *duckdbAppender) destroy() {
	if a.appender != nil {
		a.lib.DestroyAppender(&a.appender)
	}
	a.lib.DestroyChunk(&a.chunk)
	for i := range a.types {
		a.lib.DestroyType(&a.types[i])
	}
}
