package term

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

func SignatureText(name string, args []algebra.Expr) string {
	types := lists.Map(args, func(arg algebra.Expr) string { return sqltype.Name(arg.Type()) })
	return name + "(" + strings.Join(types, ", ") + ")"
}

func NoFunction(name string, args []algebra.Expr, pos sql.Pos) error {
	return &value.Error{
		Code: value.CodeUndefinedFunction, Message: "function " + SignatureText(name, args) + " does not exist",
		Hint: "No function matches the given name and argument types. You might need to add explicit type casts.", Pos: int(pos),
	}
}

// Ambiguous is the error that arguments suit several overloads of a function equally.
func Ambiguous(name string, args []algebra.Expr, pos sql.Pos) error {
	return &value.Error{
		Code: value.CodeAmbiguousFunction, Message: "function " + SignatureText(name, args) + " is not unique",
		Hint: "Could not choose a best candidate function. You might need to add explicit type casts.", Pos: int(pos),
	}
}
