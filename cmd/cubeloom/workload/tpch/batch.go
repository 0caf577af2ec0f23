package tpch

import (
	"math"
	"strconv"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/decimal128"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// A batch collects rows of one table, value by value from left to right.
type batch struct {
	builder *array.RecordBuilder
	column  int
	buffer  []byte // of a text that is put together
}

func newBatch(schema *arrow.Schema, rows int) *batch {
	b := &batch{builder: array.NewRecordBuilder(memory.DefaultAllocator, schema)}
	b.builder.Reserve(rows)
	return b
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

func (b *batch) bytes(s []byte) *batch {
	b.next().(*array.StringBuilder).BinaryBuilder.Append(s)
	return b
}

// numbered adds a name and a number of nine digits.
func (b *batch) numbered(name string, n int64) *batch {
	b.buffer = appendDigits(append(b.buffer[:0], name...), n, 9)
	return b.bytes(b.buffer)
}

// address adds an address of about 25 letters.
func (b *batch) address(s *stream) *batch {
	b.buffer = s.address(b.buffer[:0], 25)
	return b.bytes(b.buffer)
}

// phone adds a telephone number of a nation (clause 4.2.2.9).
func (b *batch) phone(s *stream, nation int64) *batch {
	to := appendDigits(b.buffer[:0], 10+nation, 2)
	to = appendDigits(append(to, '-'), s.between(100, 999), 3)
	to = appendDigits(append(to, '-'), s.between(100, 999), 3)
	b.buffer = appendDigits(append(to, '-'), s.between(1000, 9999), 4)
	return b.bytes(b.buffer)
}

// appendDigits appends a number with zeros in front of it.
func appendDigits(to []byte, n int64, digits int) []byte {
	for limit := int64(math.Pow10(digits - 1)); limit > max(n, 1); limit /= 10 {
		to = append(to, '0')
	}
	return strconv.AppendInt(to, n, 10)
}

var firstDay = arrow.Date32FromTime(time.Date(1992, 1, 1, 0, 0, 0, 0, time.UTC))

// day adds a date given in days from the first of 1992.
func (b *batch) day(n int64) *batch {
	b.next().(*array.Date32Builder).Append(firstDay + arrow.Date32(n))
	return b
}

// endRow ends a row and goes to the next row's numbers.
func (b *batch) endRow(streams ...*stream) {
	b.column = 0
	for _, s := range streams {
		s.endRow()
	}
}

// record is what was collected.
func (b *batch) record() arrow.Record {
	defer b.builder.Release()
	return b.builder.NewRecord()
}
