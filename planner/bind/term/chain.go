package term

import "github.com/cubeloom/cubeloom/sql"

// Chain returns the operands of a chain of one operator that leans to the left,
// in order.
func Chain(e *sql.Binary) []sql.Expr {
	var reversed []sql.Expr
	for {
		reversed = append(reversed, e.R)
		left, ok := e.L.(*sql.Binary)
		if !ok || left.Op != e.Op {
			reversed = append(reversed, e.L)
			break
		}
		e = left
	}
	for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
		reversed[i], reversed[j] = reversed[j], reversed[i]
	}
	return reversed
}

// FirstColumn finds a column that an expression of simple operators names, or
// nil.
func FirstColumn(e sql.Expr) *sql.ColumnRef {
	switch e := e.(type) {
	case *sql.ColumnRef:
		return e
	case *sql.Unary:
		return FirstColumn(e.X)
	case *sql.Cast:
		return FirstColumn(e.X)
	case *sql.Binary:
		for _, operand := range Chain(e) {
			if ref := FirstColumn(operand); ref != nil {
				return ref
			}
		}
	}
	return nil
}
