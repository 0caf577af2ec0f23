package pgcatalog

import "github.com/cubeloom/cubeloom/sql/value"

// Row is a row by the names of its columns: string, bool, int, int64,
// value.Interval or nil.
type Row map[string]any

// cellValue is a cell as a value.
func cellValue(cell any) value.Value {
	switch c := cell.(type) {
	case string:
		return value.Value{Kind: value.Text, S: c}
	case bool:
		return value.Value{Kind: value.Bool, B: c}
	case int:
		return value.Value{Kind: value.Int, I: int64(c)}
	case float64:
		return value.Value{Kind: value.Float, F: c}
	case int64:
		return value.Value{Kind: value.Int, I: c}
	case value.Interval:
		return value.Value{Kind: value.Intervals, Interval: c}
	}
	return value.Value{}
}
