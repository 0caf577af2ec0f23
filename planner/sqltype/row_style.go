package sqltype

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CheckRowStyle fails with 0A000 for rows whose dates, intervals or floats are written in a style other than
// that in which comparisons read them.
func CheckRowStyle(row algebra.Type, style value.Style) error {
	for _, f := range row.Fields() {
		of := f.Type
		if of.Kind == algebra.Array {
			of = of.Element()
		}
		refused := algebra.ShownElement(algebra.TArray(of), style, nil).Differs()
		if refused || of.Kind == algebra.Record && CheckRowStyle(of, style) != nil {
			return value.Errorf(value.CodeFeatureNotSupported, "comparing rows with dates, intervals or floats is not supported with these values of DateStyle, IntervalStyle and extra_float_digits")
		}
	}
	return nil
}
