package vector

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Loader returns what makes x the value of a row, of a decoded vector, that is not NULL. Of x only what
// the type needs is written.
func (v *Vector) Loader(x *value.Value) func(row int) {
	m := v.Mask()
	switch v.Type {
	case kernel.Bool:
		x.Kind = value.Bool
		return func(i int) { x.B = Of[uint8](v)[i&m] != 0 }
	case kernel.I32:
		x.Kind = value.Int
		all := Of[int32](v)
		return func(i int) { x.I = int64(all[i&m]) }
	case kernel.I64:
		x.Kind = value.Int
		all := Of[int64](v)
		return func(i int) { x.I = all[i&m] }
	case kernel.F64:
		x.Kind = value.Float
		return func(i int) { x.F = Of[float64](v)[i&m] }
	case kernel.Num:
		x.Kind = value.Decimal
		return func(i int) { x.Num = Of[value.Num](v)[i&m] }
	case kernel.Interval:
		x.Kind = value.Intervals
		return func(i int) { x.Interval = Of[value.Interval](v)[i&m] }
	}
	x.Kind = value.Text
	all := Of[string](v)
	return func(i int) { x.S = all[i&m] }
}

// Set makes a row a value that is not NULL.
func (v *Vector) Set(i int, x *value.Value) {
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
