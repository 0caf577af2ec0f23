package store

import (
	"fmt"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Buffer gathers the values of one column, row after row, before they are
// encoded. Which of its methods may be called follows from the column's type;
// the caller has made sure that a value lies in the type's range. A Buffer is
// used by one goroutine at a time.
type Buffer struct {
	typ   algebra.Type
	ints  []int64        // integers, dates, timestamps, decimals
	wide  []value.Int128 // decimals instead of ints, once one does not fit 64 bits
	flts  []float64
	nums  []value.Num
	spans []value.Interval
	bools bitmap
	text  textBuffer

	rows  int
	nulls int
	valid bitmap // empty while there is no NULL
}

func newBuffer(t algebra.Type, dict bool) *Buffer {
	b := &Buffer{typ: t}
	b.text.init(dict)
	return b
}

// Rows is the number of values gathered.
func (b *Buffer) Rows() int { return b.rows }

// one counts a value that is not NULL.
func (b *Buffer) one() {
	b.rows++
	if b.nulls > 0 {
		b.valid.append(true)
	}
}

// many counts n values that are not NULL.
func (b *Buffer) many(n int) {
	b.rows += n
	if b.nulls > 0 {
		b.valid.appendSet(n)
	}
}

// Null appends a NULL.
func (b *Buffer) Null() {
	if b.nulls == 0 {
		b.valid.appendSet(b.rows)
	}
	b.valid.append(false)
	b.nulls++
	b.rows++
	switch {
	case storedAsInts(b.typ):
		b.integer(0)
	case b.typ.Kind == algebra.Bool:
		b.bools.append(false)
	case b.typ.IsFloat():
		b.flts = append(b.flts, 0)
	case b.typ.Kind == algebra.Numeric:
		b.nums = append(b.nums, value.Num{})
	case b.typ.Kind == algebra.Interval:
		b.spans = append(b.spans, value.Interval{})
	default:
		b.text.null()
	}
}

// Int appends an integer, a date in days, a timestamp in microseconds since
// 1970, or a decimal without its point.
func (b *Buffer) Int(v int64) {
	b.integer(v)
	b.one()
}

// Ints appends many values as Int does.
func (b *Buffer) Ints(vs []int64) {
	if b.wide == nil {
		b.ints = append(b.ints, vs...)
	} else {
		for _, v := range vs {
			b.integer(v)
		}
	}
	b.many(len(vs))
}

func (b *Buffer) integer(v int64) {
	if b.wide != nil {
		b.wide = append(b.wide, value.Int128Of(v))
		return
	}
	b.ints = append(b.ints, v)
}

// Decimal appends a decimal without its point.
func (b *Buffer) Decimal(v value.Int128) {
	b.decimal(v)
	b.one()
}

// decimal appends to wide, which it makes of ints when v is the first value
// that needs it.
func (b *Buffer) decimal(v value.Int128) {
	if b.wide == nil {
		if v.IsInt64() {
			b.ints = append(b.ints, int64(v.Lo))
			return
		}
		b.wide = make([]value.Int128, len(b.ints), cap(b.ints)+1)
		for i, x := range b.ints {
			b.wide[i] = value.Int128Of(x)
		}
		b.ints = b.ints[:0]
	}
	b.wide = append(b.wide, v)
}

// Float appends a float64.
func (b *Buffer) Float(v float64) {
	b.flts = append(b.flts, v)
	b.one()
}

// Num appends a numeric with its scale.
func (b *Buffer) Num(v value.Num) {
	b.nums = append(b.nums, v)
	b.one()
}

// Interval appends an interval.
func (b *Buffer) Interval(v value.Interval) {
	b.spans = append(b.spans, v)
	b.one()
}

// Bool appends a boolean.
func (b *Buffer) Bool(v bool) {
	b.bools.append(v)
	b.one()
}

// Text appends a text, which is copied.
func (b *Buffer) Text(s string) {
	b.text.append(s)
	b.one()
}

// TextBytes appends a text, which is copied.
func (b *Buffer) TextBytes(s []byte) {
	b.text.appendBytes(s)
	b.one()
}

// Append appends a scalar of the column's type, as the binder's conversions
// make it: a decimal of the column's scale.
func (b *Buffer) Append(v value.Value) error {
	kind := b.typ.Kind
	switch {
	case v.Kind == value.Null:
		b.Null()
	case v.Kind == value.Int && storedAsInts(b.typ):
		b.Int(v.I)
	case v.Kind == value.Decimal && kind == algebra.Decimal && v.Num.Scale == b.typ.Scale:
		b.Decimal(v.Num.Coef)
	case v.Kind == value.Decimal && kind == algebra.Numeric:
		b.Num(v.Num)
	case v.Kind == value.Float && b.typ.IsFloat():
		b.Float(v.F)
	case v.Kind == value.Bool && kind == algebra.Bool:
		b.Bool(v.B)
	case v.Kind == value.Text && b.typ.IsString():
		b.Text(v.S)
	case v.Kind == value.Intervals && kind == algebra.Interval:
		b.Interval(v.Interval)
	default:
		return fmt.Errorf("store: a value of kind %d does not fit a column of type %v", v.Kind, b.typ)
	}
	return nil
}

// reset empties the buffer; it keeps the memory that nothing else refers to.
func (b *Buffer) reset(dict bool) {
	b.ints, b.wide = b.ints[:0], nil
	b.flts, b.nums, b.spans = nil, nil, nil
	b.bools, b.valid = bitmap{}, bitmap{}
	b.rows, b.nulls = 0, 0
	b.text.reset(dict)
}
