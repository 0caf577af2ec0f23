package arrowfile

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// checkImported refuses days and microseconds of an array that no date or timestamp has. The
// numbers that infinity is held as are among them: Arrow has no infinity.
func checkImported(c *runtime.Chunk, t algebra.Type) error {
	least, greatest := algebra.FiniteBounds(t)
	if algebra.CanBeInfinite(t) && c.HasRange && (c.Min < least || c.Max > greatest) {
		name := "timestamp"
		if t.Kind == algebra.Date {
			name = "date"
		}
		return value.Errorf(value.CodeDatetimeOverflow, "%s out of range", name)
	}
	return nil
}

// checkExported refuses infinite dates and timestamps, which Arrow and Parquet do not have.
func checkExported(c *runtime.Chunk, t algebra.Type) error {
	if !algebra.CanBeInfinite(t) || c.Nulls == c.Rows {
		return nil
	}
	least, greatest := algebra.FiniteBounds(t)
	for i, v := range store.DecodeInts(nil, c, 0, c.Rows) {
		if (v < least || v > greatest) && c.IsValid(i) {
			return value.Errorf(value.CodeFeatureNotSupported, "infinite dates and timestamps are not supported in Arrow and Parquet")
		}
	}
	return nil
}
