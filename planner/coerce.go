package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// coerce converts e to a type, or fails where the context does not allow it.
// Constants are converted at once.
func (x *exprBinder) coerce(e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) (algebra.Expr, error) {
	from := e.Type()
	if from == to || from.Kind == algebra.Text && !from.IsVector() && !from.Padded && to == algebra.TText && (from.Alias == algebra.NoAlias || how < sqltype.Explicit) {
		return e, nil
	}
	if sqltype.IsInt64(from) && sqltype.IsInt64(to) {
		return retag(e, to, how, pos), nil
	}
	if err := sqltype.NoMoments(to.Elem, pos); err != nil {
		return nil, err
	}
	if err := x.opts.checkElements(from, to, pos); err != nil {
		return nil, err
	}
	if from.Kind == algebra.Unknown {
		return x.coerceUnknown(e, to, how, pos)
	}
	if sqltype.ConversionNeeds(from, to) > how {
		return nil, value.ErrorAt(int(pos), value.CodeCannotCoerce, "cannot cast type %s to %s", sqltype.Name(from), sqltype.Name(to))
	}
	switch {
	case from.IsChar() && to.Kind == algebra.Text, to.IsChar() && from.Kind == algebra.Text:
		return x.coerceChar(e, to, how, pos), nil
	case from.IsChar():
		return x.coerce(x.coerceChar(e, algebra.TText, how, pos), to, how, pos)
	case to.Kind == algebra.Text && (to.Padded || to.Length > 0 && how == sqltype.Assignment) && from.Kind != algebra.Text:
		text, err := x.coerce(e, algebra.TText, how, pos)
		if err != nil {
			return nil, err
		}
		return x.coerce(text, to, how, pos)
	}
	if from.Kind == algebra.TimestampTZ || to.Kind == algebra.TimestampTZ {
		return x.coerceMoment(e, to, how, pos)
	}
	if named, err := x.objectText(e, to, pos); named != nil || err != nil {
		return named, err
	}
	if styled := x.styled(e, to, pos); styled != nil {
		return x.coerce(styled, to, how, pos)
	}
	cast := conversion(e, to, how, pos)
	if _, ok := e.(*algebra.Const); ok {
		if c, err := eval.Fold(x.opts.Meter, cast); c != nil && err == nil {
			return c, nil
		}
	}
	return cast, nil
}

// conversion is the call that converts e to a type.
func conversion(e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	from := e.Type()
	switch {
	case to.Kind == algebra.Array:
		return arrayConversion(e, to, how, pos)
	case from.Kind == algebra.Float32 || to.Kind == algebra.Float32:
		return realConversion(e, to, how, pos)
	case from.Kind == algebra.Text && to.Length > 0 && how == sqltype.Assignment:
		return call(algebra.Assign, to, pos, e)
	}
	return call(algebra.Cast, to, pos, e)
}

// coerceUnknown reads an untyped literal as a type.
func (x *exprBinder) coerceUnknown(e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) (algebra.Expr, error) {
	c, ok := e.(*algebra.Const)
	if !ok {
		return nil, value.ErrorAt(int(pos), value.CodeIndeterminateType, "could not determine the type of %s", e)
	}
	if err := x.inferParam(c, to, pos); err != nil {
		return nil, err
	}
	if err := x.tooWide[c]; err != nil && !to.IsFloat() {
		return nil, err
	}
	if c.Val.Kind == value.Null {
		return &algebra.Const{Typ: to}, nil
	}
	if to.Kind == algebra.Int64 && to.Alias.IsName() {
		return x.objectNamed(c, to.Alias, pos)
	}
	if to == algebra.TNumeric {
		n, err := value.ParseNum(c.Val.S)
		if err != nil {
			return nil, value.At(err, int(pos))
		}
		return &algebra.Const{Val: value.Value{Kind: value.Decimal, Num: n}, Typ: to}, nil
	}
	v, err := x.parseLiteral(c.Val.S, to, "", how == sqltype.Assignment)
	if err != nil {
		return nil, value.At(err, int(pos))
	}
	return &algebra.Const{Val: v, Typ: to}, nil
}

// cast binds CAST(x AS type) and x::type.
func (x *exprBinder) cast(e *sql.Cast) (algebra.Expr, error) {
	if bound, err := x.objectCast(e); bound != nil || err != nil {
		return bound, err
	}
	if lit, ok := e.X.(*sql.Literal); ok && lit.Kind == sql.StringLiteral {
		return x.typedLiteral(&sql.TypedLiteral{Type: e.Type, Text: lit.Text, TextPos: lit.Pos, Pos: lit.Pos})
	}
	plain := *e
	if m, ok, err := cutModifier(&plain.Type); ok || err != nil {
		if err != nil {
			return nil, err
		}
		bound, err := x.cast(&plain)
		if err != nil {
			return nil, err
		}
		return m.apply(x.binder, bound, e.Pos), nil
	}
	to, err := sqltype.Resolve(e.Type)
	if err != nil {
		return nil, err
	}
	if array, ok := e.X.(*sql.Array); ok && to.Kind == algebra.Array {
		return x.arrayAs(array, to, sqltype.Explicit)
	}
	bound, err := x.expr(e.X)
	if err != nil {
		return nil, err
	}
	if from := bound.Type(); sqltype.ConversionNeeds(from, to) == sqltype.NoCast {
		return nil, value.ErrorAt(int(e.Pos), value.CodeCannotCoerce, "cannot cast type %s to %s", sqltype.Name(from), sqltype.Name(to))
	}
	if to == algebra.TNumeric {
		if to = sqltype.AsDecimal(bound.Type()); to.Kind != algebra.Decimal {
			to = algebra.TNumeric
		}
	}
	converted, err := x.coerce(bound, to, sqltype.Explicit, e.Pos)
	if c, ok := converted.(*algebra.Const); ok && len(e.Type.Args) > 0 && converted != bound {
		x.declared[c] = true
	}
	return converted, err
}

// commonType is the type that CASE, UNION, VALUES and their kin give several
// expressions: PostgreSQL's select_common_type. Decimals of one scale keep it;
// of several scales, each value keeps its own, so that the type is Numeric.
func commonType(exprs []algebra.Expr, what string, positions []sql.Pos) (algebra.Type, error) {
	typ := algebra.TUnknown
	literal := false
	for i, e := range exprs {
		next := e.Type()
		if c, ok := e.(*algebra.Const); ok && next.Kind == algebra.Unknown {
			literal = literal || c.Val.Kind != value.Null
		}
		var ok bool
		if typ, ok = sqltype.Wider(typ, next); !ok {
			return typ, value.ErrorAt(int(positions[i]), value.CodeDatatypeMismatch,
				"%s types %s and %s cannot be matched", what, sqltype.Name(typ), sqltype.Name(next))
		}
	}
	switch {
	case literal && typ.IsChar():
		return algebra.TBPChar, nil
	case typ.Kind == algebra.Unknown, literal && typ.Kind == algebra.Text:
		return algebra.TText, nil
	case literal && typ.Kind == algebra.Decimal:
		return algebra.TNumeric, nil // a literal keeps its digits
	}
	return typ, nil
}
