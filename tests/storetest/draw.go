// Package storetest draws random tables for property-based tests and reads
// relations back. Only tests import it.
package storetest

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Rows reads all rows of a relation whose columns have the given types.
func Rows(rel runtime.Relation, types []algebra.Type) ([][]value.Value, error) {
	var rows [][]value.Value
	ordinals := make([]int, len(types))
	for i := range ordinals {
		ordinals[i] = i
	}
	for n := range rel.Blocks() {
		b, err := rel.Load(n, ordinals)
		if err != nil {
			return nil, err
		}
		for i := range b.Rows {
			row := make([]value.Value, len(types))
			for c, t := range types {
				row[c] = b.Cols[c].Value(i, t)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// All are the types that a column can have.
var All = []algebra.Type{
	algebra.TBool, algebra.TInt16, algebra.TInt32, algebra.TInt64, algebra.TFloat64, algebra.TFloat32, algebra.TDecimal(9, 2),
	algebra.TDecimal(18, 4), algebra.TDecimal(38, 3), algebra.TNumeric, algebra.TText, algebra.TDate,
	algebra.TTimestamp, algebra.TInterval, algebra.TTimestampTZ, algebra.TTime, algebra.TUUID, algebra.TBytea, algebra.TArray(algebra.TInt64), algebra.TArray(algebra.TText), algebra.TArray(algebra.TTimestampTZ),
}

// Types draws the types of one to five columns from a list.
func Types(t *rapid.T, from []algebra.Type) []algebra.Type {
	return rapid.SliceOfN(rapid.SampledFrom(from), 1, 5).Draw(t, "types")
}

// drawInt draws an integer of one of several widths, so that every encoding
// occurs.
func drawInt(t *rapid.T, bits int) int64 {
	width := rapid.SampledFrom([]int{0, 3, 8, 15, 31, 40, 63}).Draw(t, "width")
	width = min(width, bits-1)
	return rapid.Int64Range(-1<<width, 1<<width-1).Draw(t, "int")
}

// Value draws a value of a type, sometimes NULL.
func Value(t *rapid.T, typ algebra.Type) value.Value {
	if rapid.IntRange(0, 9).Draw(t, "null") == 0 {
		return value.Value{}
	}
	switch typ.Kind {
	case algebra.Bool:
		return value.Value{Kind: value.Bool, B: rapid.Bool().Draw(t, "bool")}
	case algebra.Int16:
		return value.Value{Kind: value.Int, I: drawInt(t, 16)}
	case algebra.Int32:
		return value.Value{Kind: value.Int, I: drawInt(t, 32)}
	case algebra.Int64:
		return value.Value{Kind: value.Int, I: drawInt(t, 64)}
	case algebra.Date: // finite, as those of all formats of files
		return value.Value{Kind: value.Int, I: min(max(drawInt(t, 32), value.MinDate), value.MaxDate)}
	case algebra.Timestamp, algebra.TimestampTZ:
		return value.Value{Kind: value.Int, I: min(max(drawInt(t, 64), value.MinTimestamp), value.MaxTimestamp)}
	case algebra.Time:
		return value.Value{Kind: value.Int, I: rapid.Int64Range(0, value.MaxTime).Draw(t, "time")}
	case algebra.UUID:
		return value.Value{Kind: value.Text, S: string(value.AppendUUID(nil, rapid.SliceOfN(rapid.Byte(), value.UUIDSize, value.UUIDSize).Draw(t, "uuid")))}
	case algebra.Bytea:
		return value.Value{Kind: value.Text, S: value.HeldBytea(nil, rapid.SliceOf(rapid.Byte()).Draw(t, "bytea"))}
	case algebra.Float32:
		return value.Value{Kind: value.Float, F: float64(rapid.Float32().Draw(t, "real"))}
	case algebra.Float64:
		return value.Value{Kind: value.Float, F: rapid.Float64().Draw(t, "float")}
	case algebra.Decimal:
		coef := value.Int128Of(drawInt(t, 30))
		if typ.Precision == 38 && rapid.Bool().Draw(t, "wide") {
			coef = value.Int128{Lo: rapid.Uint64().Draw(t, "lo"), Hi: drawInt(t, 61)}
		}
		return value.Value{Kind: value.Decimal, Num: value.Num{Coef: coef, Scale: typ.Scale}}
	case algebra.Numeric:
		return value.Value{Kind: value.Decimal, Num: value.Num{Coef: value.Int128Of(drawInt(t, 64)), Scale: uint8(rapid.IntRange(0, 20).Draw(t, "scale"))}}
	case algebra.Interval:
		return value.Value{Kind: value.Intervals, Interval: value.Interval{Months: int32(drawInt(t, 32)), Days: int32(drawInt(t, 32)), Micros: drawInt(t, 64)}}
	case algebra.Array:
		items := make([]value.Item, rapid.IntRange(0, 3).Draw(t, "elements"))
		for i := range items {
			if v := Value(t, typ.Element()); v.Kind == value.Null {
				items[i].Null = true
			} else {
				if typ.Elem == algebra.TimestampTZ {
					v.I >>= 7 // a moment that has a text which can be read
				}
				items[i].Text = algebra.ElementOf(typ).Text(v)
			}
		}
		array := value.JoinArray(nil, items)
		return value.Value{Kind: value.Text, S: array}
	}
	character := rapid.Rune().Filter(func(r rune) bool { return r != 0 }) // which no text has
	return value.Value{Kind: value.Text, S: strings.Repeat(rapid.StringOfN(character, 0, 5, -1).Draw(t, "text"), rapid.IntRange(1, 3).Draw(t, "times"))}
}

// Table draws up to most rows of columns of the given types.
func Table(t *rapid.T, types []algebra.Type, most int) [][]value.Value {
	rows := make([][]value.Value, rapid.IntRange(0, most).Draw(t, "rows"))
	for i := range rows {
		rows[i] = make([]value.Value, len(types))
		for c := range types {
			rows[i][c] = Value(t, types[c])
		}
	}
	return rows
}
