package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// assign converts an expression to the type of the column that it goes into.
func assign(x *scope.Exprs, e algebra.Expr, c scope.CatalogColumn, pos sql.Pos) algebra.Expr {
	from := e.Type()
	if sqltype.ConversionNeeds(from, c.Type) > sqltype.Assignment {
		panic(&value.Error{
			Code:    value.CodeDatatypeMismatch,
			Message: "column \"" + c.Name + "\" is of type " + sqltype.Name(c.Type) + " but expression is of type " + sqltype.Name(from),
			Hint:    "You will need to rewrite or cast the expression.",
			Pos:     int(pos),
		})
	}
	if from != c.Type && from.Kind == algebra.Text && c.Type == algebra.TText {
		return convert.ConvertTo(x, e, c.Type, pos)
	}
	return convert.Coerce(x, e, c.Type, sqltype.Assignment, pos)
}
