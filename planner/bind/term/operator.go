package term

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Operands says how an operator was written and where, for messages.
type Operands struct {
	Op               string
	Left, Right, Pos sql.Pos
}

// NoOperator is PostgreSQL's message for operands that an operator does not
// take.
func NoOperator(op string, l, r algebra.Expr, pos sql.Pos) error {
	return &value.Error{
		Code:    value.CodeUndefinedFunction,
		Message: "operator does not exist: " + sqltype.Name(l.Type()) + " " + op + " " + sqltype.Name(r.Type()),
		Hint:    "No operator matches the given name and argument types. You might need to add explicit type casts.",
		Pos:     int(pos),
	}
}

func NotUnique(at Operands, l, r algebra.Expr) error {
	return &value.Error{
		Code:    value.CodeAmbiguousFunction,
		Message: "operator is not unique: " + sqltype.Name(l.Type()) + " " + at.Op + " " + sqltype.Name(r.Type()),
		Hint:    "Could not choose a best candidate operator. You might need to add explicit type casts.",
		Pos:     int(at.Pos),
	}
}
