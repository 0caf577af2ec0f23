package sqltype

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CheckArrayStyle fails with 0A000 for arrays whose elements a style writes in another
// form than that in which arrays are kept.
func CheckArrayStyle(t algebra.Type, style value.Style) error {
	if t.Kind != algebra.Array {
		return nil
	}
	dates := style.Format != value.ISODates || style.Order != value.MDY
	switch {
	case dates && (t.Elem == algebra.Date || t.Elem == algebra.Timestamp):
		return value.Errorf(value.CodeFeatureNotSupported, "arrays of dates are not supported where DateStyle is %q", style.DateStyle())
	case t.Elem == algebra.Interval && style.Interval != value.PostgresIntervals:
		return value.Errorf(value.CodeFeatureNotSupported, "arrays of intervals are not supported where IntervalStyle is not postgres")
	}
	return nil
}

// CheckRowStyle is CheckArrayStyle of rows, whose texts are read in that form.
func CheckRowStyle(row algebra.Type, style value.Style) error {
	for _, f := range row.Fields() {
		err := CheckArrayStyle(algebra.TArray(f.Type), style)
		if f.Type.Kind == algebra.Record {
			err = CheckRowStyle(f.Type, style)
		}
		if err != nil {
			return value.Errorf(value.CodeFeatureNotSupported, "comparing rows with dates or intervals is not supported in this DateStyle and IntervalStyle")
		}
	}
	return nil
}
