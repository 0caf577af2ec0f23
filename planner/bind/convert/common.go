package convert

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CommonType is the type that CASE, UNION, VALUES and their kin give several
// expressions: PostgreSQL's select_common_type. Decimals of one scale keep it;
// of several scales, each value keeps its own, so that the type is Numeric.
func CommonType(exprs []algebra.Expr, what string, positions []sql.Pos) algebra.Type {
	typ := algebra.TUnknown
	literal := false
	for i, e := range exprs {
		next := e.Type()
		if c, ok := e.(*algebra.Const); ok && next.Kind == algebra.Unknown {
			literal = literal || c.Val.Kind != value.Null
		}
		if typ.Kind == algebra.Enum && next.Kind == algebra.Enum && typ != next {
			panic(value.ErrorAt(int(positions[i]), value.CodeCannotCoerce, "%s could not convert type %s to %s", what, sqltype.Name(next), sqltype.Name(typ)))
		}
		var ok bool
		if typ, ok = sqltype.Wider(typ, next); !ok {
			panic(value.ErrorAt(int(positions[i]), value.CodeDatatypeMismatch,
				"%s types %s and %s cannot be matched", what, sqltype.Name(typ), sqltype.Name(next)))
		}
	}
	switch {
	case literal && typ.IsChar():
		return algebra.TBPChar
	case typ != typ.Plain() && slices.ContainsFunc(exprs, func(e algebra.Expr) bool { return e.Type() != typ }):
		return typ.Plain()
	case typ.Kind == algebra.Unknown, literal && typ.Kind == algebra.Text:
		return algebra.TText
	case literal && typ.Kind == algebra.Decimal:
		return algebra.TNumeric // a literal keeps its digits
	}
	return typ
}
