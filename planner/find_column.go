package planner

import "github.com/cubeloom/cubeloom/sql"

// firstColumn finds a column that an expression of simple operators names, or
// nil.
func firstColumn(e sql.Expr) *sql.ColumnRef {
	switch e := e.(type) {
	case *sql.ColumnRef:
		return e
	case *sql.Unary:
		return firstColumn(e.X)
	case *sql.Cast:
		return firstColumn(e.X)
	case *sql.Binary:
		for _, operand := range chain(e) {
			if ref := firstColumn(operand); ref != nil {
				return ref
			}
		}
	}
	return nil
}
