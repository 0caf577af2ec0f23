package vector

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ValueAt is a row that is not NULL as a value.
func (v *Vector) ValueAt(i int) value.Value {
	switch v.Type {
	case kernel.Bool:
		return value.Value{Kind: value.Bool, B: Of[uint8](v)[i] != 0}
	case kernel.I32:
		return value.Value{Kind: value.Int, I: int64(Of[int32](v)[i])}
	case kernel.I64:
		return value.Value{Kind: value.Int, I: Of[int64](v)[i]}
	case kernel.F64:
		return value.Value{Kind: value.Float, F: Of[float64](v)[i]}
	case kernel.Num:
		return value.Value{Kind: value.Decimal, Num: Of[value.Num](v)[i]}
	case kernel.Interval:
		return value.Value{Kind: value.Intervals, Interval: Of[value.Interval](v)[i]}
	}
	return value.Value{Kind: value.Text, S: Of[string](v)[i]}
}

// Set makes a row a value that is not NULL.
func (v *Vector) Set(i int, x value.Value) {
	switch v.Type {
	case kernel.Bool:
		Of[uint8](v)[i] = B2u(x.B)
	case kernel.I32:
		Of[int32](v)[i] = int32(x.I)
	case kernel.I64:
		Of[int64](v)[i] = x.I
	case kernel.F64:
		Of[float64](v)[i] = x.F
	case kernel.Num:
		Of[value.Num](v)[i] = x.Num
	case kernel.Interval:
		Of[value.Interval](v)[i] = x.Interval
	default:
		Of[string](v)[i] = x.S
	}
}
