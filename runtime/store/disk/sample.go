package disk

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// encodeSample writes the sample of a table; files of before there were samples
// end before it.
func encodeSample(e *encoder, s *store.Sample) {
	if s == nil {
		e.uint(0)
		return
	}
	e.uint(uint64(len(s.Keys)))
	for i, key := range s.Keys {
		e.uint(key)
		for _, v := range s.Rows.Rows()[i] {
			encodeValue(e, &v)
		}
	}
}

func encodeValue(e *encoder, v *value.Value) {
	e.uint(uint64(v.Kind))
	switch v.Kind {
	case value.Bool:
		e.bool(v.B)
	case value.Int:
		e.int(v.I)
	case value.Float:
		e.uint(math.Float64bits(v.F))
	case value.Decimal:
		e.uint(v.Num.Coef.Lo)
		e.int(v.Num.Coef.Hi)
		e.uint(uint64(v.Num.Scale))
	case value.Text:
		e.text(v.S)
	case value.Intervals:
		e.int(int64(v.Interval.Months))
		e.int(int64(v.Interval.Days))
		e.int(v.Interval.Micros)
	}
}

// decodeSample reads the sample of a table of so many columns.
func decodeSample(d *decoder, columns int) *store.Sample {
	if len(d.b) == 0 {
		return nil
	}
	s := &store.Sample{}
	var rows [][]value.Value
	for range d.count() {
		s.Keys = append(s.Keys, d.uint())
		row := make([]value.Value, columns)
		for i := range row {
			row[i] = decodeValue(d)
		}
		rows = append(rows, row)
	}
	if len(s.Keys) == 0 {
		return nil
	}
	s.Rows = algebra.NewSample(rows)
	return s
}

func decodeValue(d *decoder) value.Value {
	v := value.Value{Kind: value.Kind(d.uint())}
	switch v.Kind {
	case value.Bool:
		v.B = d.bool()
	case value.Int:
		v.I = d.int()
	case value.Float:
		v.F = math.Float64frombits(d.uint())
	case value.Decimal:
		v.Num.Coef = value.Int128{Lo: d.uint(), Hi: d.int()}
		v.Num.Scale = uint8(d.uint())
	case value.Text:
		v.S = d.text()
	case value.Intervals:
		v.Interval = value.Interval{Months: int32(d.int()), Days: int32(d.int()), Micros: d.int()}
	}
	return v
}
