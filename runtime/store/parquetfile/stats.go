package parquetfile

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/metadata"

	"github.com/cubeloom/cubeloom/sql/value"
)

// rangeOf is what a row group's statistics say of a column.
type rangeOf struct {
	lo, hi int64
	ok     bool // lo and hi are known
	all    bool // no row is NULL
	nulls  int64
	known  bool // nulls is known
}

// rangeFrom reads the bounds of integers, dates, timestamps and decimals.
func rangeFrom(s metadata.TypedStatistics, t arrow.DataType) (r rangeOf) {
	if !s.HasMinMax() {
		return r
	}
	switch t.ID() {
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.DATE32,
		arrow.TIMESTAMP, arrow.TIME32, arrow.TIME64, arrow.DECIMAL128:
	default:
		return r
	}
	switch s := s.(type) {
	case *metadata.Int32Statistics:
		r.lo, r.hi, r.ok = int64(s.Min()), int64(s.Max()), true
	case *metadata.Int64Statistics:
		r.lo, r.hi, r.ok = s.Min(), s.Max(), true
	case *metadata.FixedLenByteArrayStatistics:
		lo, okLo := bigEndian(s.Min())
		hi, okHi := bigEndian(s.Max())
		r.lo, r.hi, r.ok = lo, hi, okLo && okHi
	}
	if ts, ok := t.(arrow.TemporalWithUnit); ok && r.ok {
		r.toMicros(ts.TimeUnit())
	}
	r.ok = r.ok && r.lo <= r.hi
	return r
}

// toMicros converts bounds of timestamps and times; rounding keeps them bounds.
func (r *rangeOf) toMicros(unit arrow.TimeUnit) {
	switch unit {
	case arrow.Nanosecond:
		r.lo, r.hi = r.lo/1000-1, r.hi/1000+1
	case arrow.Millisecond:
		var okLo, okHi bool
		r.lo, okLo = value.MulOverflow64(r.lo, 1000)
		r.hi, okHi = value.MulOverflow64(r.hi, 1000)
		r.ok = okLo && okHi
	}
}

// bigEndian reads a decimal of any width that fits 64 bits.
func bigEndian(b parquet.FixedLenByteArray) (v int64, ok bool) {
	if len(b) == 0 {
		return 0, false
	}
	sign := byte(0)
	if b[0]&0x80 != 0 {
		sign, v = 0xff, -1
	}
	for len(b) > 8 {
		if b[0] != sign {
			return 0, false
		}
		b = b[1:]
	}
	if len(b) == 8 && b[0]&0x80 != sign&0x80 {
		return 0, false
	}
	for _, c := range b {
		v = v<<8 | int64(c)
	}
	return v, true
}
