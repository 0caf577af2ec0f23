package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// valueAt is a row that is not NULL as a value.
func (v *Vector) valueAt(i int) value.Value {
	switch v.Type {
	case kernel.Bool:
		return value.Value{Kind: value.Bool, B: of[uint8](v)[i] != 0}
	case kernel.I32:
		return value.Value{Kind: value.Int, I: int64(of[int32](v)[i])}
	case kernel.I64:
		return value.Value{Kind: value.Int, I: of[int64](v)[i]}
	case kernel.F64:
		return value.Value{Kind: value.Float, F: of[float64](v)[i]}
	case kernel.Num:
		return value.Value{Kind: value.Decimal, Num: of[value.Num](v)[i]}
	case kernel.Interval:
		return value.Value{Kind: value.Intervals, Interval: of[value.Interval](v)[i]}
	}
	return value.Value{Kind: value.Text, S: of[string](v)[i]}
}

// set makes a row a value that is not NULL.
func (v *Vector) set(i int, x value.Value) {
	switch v.Type {
	case kernel.Bool:
		of[uint8](v)[i] = b2u(x.B)
	case kernel.I32:
		of[int32](v)[i] = int32(x.I)
	case kernel.I64:
		of[int64](v)[i] = x.I
	case kernel.F64:
		of[float64](v)[i] = x.F
	case kernel.Num:
		of[value.Num](v)[i] = x.Num
	case kernel.Interval:
		of[value.Interval](v)[i] = x.Interval
	default:
		of[string](v)[i] = x.S
	}
}
