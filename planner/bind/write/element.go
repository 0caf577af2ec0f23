package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// withElement is what a column has, an array or a value of jsonb, with a part of it set.
func withElement(x *scope.Exprs, s *source, c *scope.CatalogColumn, whole algebra.Expr) algebra.Expr {
	item := elementValue(x, s, c)
	return expression.WithElement(x, whole, s.element, item, s.column.Pos)
}

// elementValue converts what an element or a slice of a column is set to.
func elementValue(x *scope.Exprs, s *source, c *scope.CatalogColumn) algebra.Expr {
	switch {
	case s.expr == nil:
		panic(value.ErrorAt(int(s.column.Pos), value.CodeFeatureNotSupported, "cannot set an array element to DEFAULT"))
	case c.Generated != "":
		panic(errNotDefault(c))
	case c.Type.Kind != algebra.Array && c.Type.Kind != algebra.JSONBinary:
		panic(value.ErrorAt(int(s.column.Pos), value.CodeDatatypeMismatch,
			"cannot subscript type %s because it does not support subscripting", sqltype.Name(c.Type)))
	}
	typ := partType(c.Type, s.element)
	if from := s.expr.Type(); sqltype.ConversionNeeds(from, typ) > sqltype.Assignment {
		panic(&value.Error{
			Code: value.CodeDatatypeMismatch, Pos: int(s.column.Pos), Hint: "You will need to rewrite or cast the expression.",
			Message: "subscripted assignment to \"" + c.Name + "\" requires type " + sqltype.Name(typ) + " but expression is of type " + sqltype.Name(from),
		})
	}
	return convert.Coerce(x, s.expr, typ, sqltype.Assignment, s.pos)
}

// elementOf are the subscripts of what an INSERT sets of its column i, nil for all of it.
func elementOf(ins *sql.Insert, i int) []sql.Bounds {
	if i >= len(ins.Elements) {
		return nil
	}
	return ins.Elements[i]
}

// givenType is the type of the values that an INSERT gives for its column i, which is of type typ.
func givenType(ins *sql.Insert, i int, typ algebra.Type) algebra.Type {
	return partType(typ, elementOf(ins, i))
}

// partType is the type of what subscripts lead to in a value of type typ, and of all of it where there are none.
func partType(typ algebra.Type, subscripts []sql.Bounds) algebra.Type {
	if subscripts == nil || subscripts[0].Slice || typ.Kind != algebra.Array {
		return typ
	}
	return typ.Element()
}
