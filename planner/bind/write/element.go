package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/value"
)

// withElement is an array, which a column has, with one element or a slice set.
func withElement(x *scope.Exprs, s *source, c *scope.CatalogColumn, array algebra.Expr) algebra.Expr {
	switch {
	case s.expr == nil:
		panic(value.ErrorAt(int(s.column.Pos), value.CodeFeatureNotSupported, "cannot set an array element to DEFAULT"))
	case c.Generated != "":
		panic(errNotDefault(c))
	case c.Type.Kind != algebra.Array:
		panic(value.ErrorAt(int(s.column.Pos), value.CodeDatatypeMismatch,
			"cannot subscript type %s because it does not support subscripting", sqltype.Name(c.Type)))
	}
	typ, with := c.Type.Element(), expression.WithElement
	if s.element.Slice {
		typ, with = c.Type, expression.WithSlice
	}
	if from := s.expr.Type(); sqltype.ConversionNeeds(from, typ) > sqltype.Assignment {
		panic(&value.Error{
			Code: value.CodeDatatypeMismatch, Pos: int(s.column.Pos), Hint: "You will need to rewrite or cast the expression.",
			Message: "subscripted assignment to \"" + c.Name + "\" requires type " + sqltype.Name(typ) + " but expression is of type " + sqltype.Name(from),
		})
	}
	item := convert.Coerce(x, s.expr, typ, sqltype.Assignment, s.pos)
	return with(x, array, s.element, item, s.column.Pos)
}
