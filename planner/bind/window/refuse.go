package window

import (
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Allowed refuses a window function where none may stand.
func Allowed(x *scope.Exprs, pos sql.Pos) {
	switch {
	case x.InAgg:
		panic(value.ErrorAt(int(pos), value.CodeGrouping, "aggregate function calls cannot contain window function calls"))
	case x.InCall:
		panic(value.ErrorAt(int(pos), value.CodeWindowing, "window function calls cannot be nested"))
	case x.Window == nil:
		panic(value.ErrorAt(int(pos), value.CodeWindowing, "window functions are not allowed in %s", x.Clause))
	}
}

// RefuseOver names what window functions do not take.
func RefuseOver(e *sql.FuncCall, aggregate bool) {
	what := ""
	switch {
	case e.Distinct:
		what = "DISTINCT is not implemented for window functions"
	case len(e.OrderBy) > 0:
		what = "aggregate ORDER BY is not implemented for window functions"
	case e.Filter != nil && !aggregate:
		what = "FILTER is not implemented for non-aggregate window functions"
	default:
		return
	}
	panic(value.ErrorAt(int(e.Pos), value.CodeFeatureNotSupported, "%s", what))
}
