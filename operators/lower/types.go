package lower

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// PhysicalType is the type of a value of SQL type t where nothing more is
// known of it: what constant rows and columns that several sources give have. A
// decimal of up to 18 digits is I64 and a longer one I128.
func PhysicalType(t algebra.Type) kernel.Type {
	switch t.Kind {
	case algebra.Bool:
		return kernel.Bool
	case algebra.Int16, algebra.Int32, algebra.Date, algebra.Enum:
		return kernel.I32
	case algebra.Int64, algebra.Timestamp, algebra.TimestampTZ, algebra.Time:
		return kernel.I64
	case algebra.Float64, algebra.Float32:
		return kernel.F64
	case algebra.Decimal:
		if t.Precision <= algebra.MaxDigits64 {
			return kernel.I64
		}
		return kernel.I128
	case algebra.Numeric:
		return kernel.Num
	case algebra.Interval:
		return kernel.Interval
	}
	return kernel.Str
}

// scaleOf is the scale of a value of type t held as an integer.
func scaleOf(t algebra.Type) int {
	if t.Kind == algebra.Decimal {
		return int(t.Scale)
	}
	return 0
}
