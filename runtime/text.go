package runtime

import (
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// AppendText appends v, a value of SQL type t that is not NULL, as PostgreSQL
// writes it in a style and in a time zone, of which nil is UTC.
func AppendText(dst []byte, v value.Value, t algebra.Type, style value.Style, zone *time.Location) []byte {
	switch v.Kind {
	case value.Bool:
		return appendBool(dst, v.B)
	case value.Float:
		if t.Kind == algebra.Float32 {
			return value.AppendFloat32(dst, v.F)
		}
		return value.AppendFloat64(dst, v.F)
	case value.Decimal:
		return v.Num.Append(dst)
	case value.Text:
		dst = long.AppendText(dst, v.S)
		if hasBlanks(t) {
			dst = appendBlanks(dst, v.S, t)
		}
		return dst
	case value.Intervals:
		return style.AppendInterval(dst, v.Interval)
	}
	switch t.Kind {
	case algebra.Date:
		return style.AppendDate(dst, int32(v.I))
	case algebra.Timestamp:
		return style.AppendTimestamp(dst, v.I)
	case algebra.TimestampTZ:
		return style.AppendTimestampTZ(dst, v.I, zoneOf(zone))
	}
	return value.AppendInt(dst, v.I)
}

// zoneOf is a time zone, or UTC for nil.
func zoneOf(zone *time.Location) *time.Location {
	if zone == nil {
		return time.UTC
	}
	return zone
}

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, 't')
	}
	return append(dst, 'f')
}

func appendNum(dst []byte, n value.Num) []byte { return n.Append(dst) }
