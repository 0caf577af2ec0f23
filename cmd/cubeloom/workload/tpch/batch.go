package tpch

import (
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/decimal128"
)

// batchRows is the number of rows of a record.
const batchRows = 1 << 16

// A batch collects rows of one table, value by value from left to right.
type batch struct {
	table   string
	builder *array.RecordBuilder
	column  int
	rows    int
}

func (b *batch) next() array.Builder {
	b.column++
	return b.builder.Field(b.column - 1)
}

func (b *batch) int32(v int64) *batch {
	b.next().(*array.Int32Builder).Append(int32(v))
	return b
}

func (b *batch) int64(v int64) *batch {
	b.next().(*array.Int64Builder).Append(v)
	return b
}

// cents adds an amount given in hundredths.
func (b *batch) cents(v int64) *batch {
	b.next().(*array.Decimal128Builder).Append(decimal128.FromI64(v))
	return b
}

func (b *batch) text(s string) *batch {
	b.next().(*array.StringBuilder).Append(s)
	return b
}

// day adds a date given as yyyy-mm-dd.
func (b *batch) day(s string) *batch {
	digits := func(s string) (n int) {
		for _, c := range []byte(s) {
			n = n*10 + int(c-'0')
		}
		return n
	}
	t := time.Date(digits(s[:4]), time.Month(digits(s[5:7])), digits(s[8:]), 0, 0, 0, 0, time.UTC)
	b.next().(*array.Date32Builder).Append(arrow.Date32FromTime(t))
	return b
}

// end closes the row.
func (b *batch) end() {
	b.column = 0
	b.rows++
}
