package runtime

import (
	"strconv"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
)

// AppendText appends v, a value of SQL type t that is not NULL, as PostgreSQL
// writes it.
func AppendText(dst []byte, v value.Value, t algebra.Type) []byte {
	switch v.Kind {
	case value.Bool:
		if v.B {
			return append(dst, 't')
		}
		return append(dst, 'f')
	case value.Float:
		return value.AppendFloat64(dst, v.F)
	case value.Decimal:
		return v.Num.Append(dst)
	case value.Text:
		return append(dst, v.S...)
	case value.Spans:
		return v.Interval.Append(dst)
	}
	switch t.Kind {
	case algebra.Date:
		return value.AppendDate(dst, int32(v.I))
	case algebra.Timestamp:
		return value.AppendTimestamp(dst, v.I)
	}
	return strconv.AppendInt(dst, v.I, 10)
}
