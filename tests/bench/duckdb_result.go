package main

import (
	"fmt"
	"math/big"
	"strings"
	"time"
	"unsafe"
)

// A duckdbAnswer is a materialized result. Its rows can be read once.
type duckdbAnswer struct {
	lib    *duckdbLibrary
	result duckdbResult
}

// Close implements Answer.
func (a *duckdbAnswer) Close() { a.lib.Destroy(&a.result) }

// A duckdbColumn says how the values of a column are read.
type duckdbColumn struct {
	id    int32 // the physical type
	scale int   // of a decimal, -1 for others
}

func (a *duckdbAnswer) columns() []duckdbColumn {
	columns := make([]duckdbColumn, a.lib.Columns(&a.result))
	for i := range columns {
		t := a.lib.ColumnType(&a.result, uint64(i))
		columns[i] = duckdbColumn{id: a.lib.TypeID(t), scale: -1}
		if columns[i].id == duckdbDecimal {
			columns[i] = duckdbColumn{id: a.lib.DecimalID(t), scale: int(a.lib.DecimalScale(t))}
		}
		a.lib.DestroyType(&t)
	}
	return columns
}

// Each implements Answer.
func (a *duckdbAnswer) Each(visit func(row []Value) error) error {
	columns := a.columns()
	row := make([]Value, len(columns))
	for {
		chunk := a.lib.FetchChunk(a.result)
		if chunk == nil {
			return nil
		}
		err := a.eachOf(chunk, columns, row, visit)
		a.lib.DestroyChunk(&chunk)
		if err != nil {
			return err
		}
	}
}

func (a *duckdbAnswer) eachOf(chunk unsafe.Pointer, columns []duckdbColumn, row []Value, visit func([]Value) error) error {
	n := int(a.lib.ChunkSize(chunk))
	data, validity := make([]unsafe.Pointer, len(columns)), make([]unsafe.Pointer, len(columns))
	for c := range columns {
		vector := a.lib.ChunkVector(chunk, uint64(c))
		data[c], validity[c] = a.lib.VectorData(vector), a.lib.Validity(vector)
	}
	for i := range n {
		for c, column := range columns {
			if validity[c] != nil && unsafe.Slice((*uint64)(validity[c]), i/64+1)[i/64]>>(i%64)&1 == 0 {
				row[c] = Value{Kind: Null}
				continue
			}
			v, err := column.value(data[c], i)
			if err != nil {
				return err
			}
			row[c] = v
		}
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}

func at[T any](data unsafe.Pointer, i int) T {
	return *(*T)(unsafe.Add(data, uintptr(i)*unsafe.Sizeof(*new(T))))
}

// value reads row i of a vector.
func (c duckdbColumn) value(data unsafe.Pointer, i int) (Value, error) {
	var n int64
	switch c.id {
	case duckdbTinyint:
		n = int64(at[int8](data, i))
	case duckdbSmallint:
		n = int64(at[int16](data, i))
	case duckdbInteger:
		n = int64(at[int32](data, i))
	case duckdbBigint:
		n = at[int64](data, i)
	case duckdbHugeint:
		h := at[[2]int64](data, i)
		if h[1] == 0 && h[0] >= 0 || h[1] == -1 && h[0] < 0 {
			n = h[0]
			break
		}
		wide := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(h[1]), 64), new(big.Int).SetUint64(uint64(h[0])))
		return Value{Kind: Text, Text: decimalText(wide.String(), max(c.scale, 0))}, nil
	case duckdbBoolean:
		return Value{Kind: Text, Text: fmt.Sprintf("%.1s", fmt.Sprint(at[bool](data, i)))}, nil
	case duckdbDouble:
		return Value{Kind: Float, Float: at[float64](data, i)}, nil
	case duckdbDate:
		day := time.Unix(int64(at[int32](data, i))*86_400, 0).UTC()
		return Value{Kind: Text, Text: day.Format(time.DateOnly)}, nil
	case duckdbVarchar:
		t := at[duckdbText](data, i)
		return Value{Kind: Text, Text: t.value()}, nil
	default:
		return Value{}, fmt.Errorf("DuckDB's type number %d is not read", c.id)
	}
	if c.scale > 0 {
		return Value{Kind: Text, Text: decimalText(fmt.Sprint(n), c.scale)}, nil
	}
	return Value{Kind: Integer, Int: n}, nil
}

// decimalText puts the point into the digits of an unscaled number.
func decimalText(digits string, scale int) string {
	if scale == 0 {
		return digits
	}
	digits, negative := strings.CutPrefix(digits, "-")
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale+1-len(digits)) + digits
	}
	text := digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	if negative {
		return "-" + text
	}
	return text
}
