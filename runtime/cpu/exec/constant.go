package exec

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Constant makes the vector of a constant.
func Constant(t kernel.Type, val value.Value) *vector.Vector {
	v := vector.New(t, 1)
	v.Const = true
	if val.Kind == value.Null {
		v.Null = []uint8{1}
		return v
	}
	ok := true
	switch t {
	case kernel.Bool:
		vector.Of[uint8](v)[0], ok = vector.B2u(val.B), val.Kind == value.Bool
	case kernel.I32:
		vector.Of[int32](v)[0], ok = int32(val.I), val.Kind == value.Int
	case kernel.I64:
		vector.Of[int64](v)[0], ok = runtime.ConstantInt64(val)
	case kernel.I128:
		vector.Of[value.Int128](v)[0], ok = constantInt128(val)
	case kernel.F64:
		vector.Of[float64](v)[0], ok = val.F, val.Kind == value.Float
	case kernel.Num:
		c, isNum := constantInt128(val)
		vector.Of[value.Num](v)[0], ok = value.Num{Coef: c, Scale: val.Num.Scale}, isNum
	case kernel.Interval:
		vector.Of[value.Interval](v)[0], ok = val.Interval, val.Kind == value.Intervals
	case kernel.Str:
		vector.Of[string](v)[0], ok = val.S, val.Kind == value.Text
	default:
		ok = false
	}
	if !ok {
		panic(Internalf("a constant of kind %d stands for a value of type %d", val.Kind, t))
	}
	return v
}

// constantInt128 is a constant of type I128.
func constantInt128(val value.Value) (value.Int128, bool) {
	if val.Kind == value.Decimal {
		return val.Num.Coef, true
	}
	return value.Int128{Lo: uint64(val.I), Hi: val.I >> 63}, val.Kind == value.Int
}
