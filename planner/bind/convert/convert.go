// Package convert converts expressions to the types that their contexts ask for, as PostgreSQL
// converts them: literals, casts, character(n), reals, moments and names of objects.
package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Coerce converts e to a type, or fails where the context does not allow it.
// Constants are converted at once.
func Coerce(x *scope.Exprs, e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	if to != to.Plain() || how == sqltype.Explicit && e.Type() != to && e.Type().Plain() == to {
		return coerceTime(x, e, to, how, pos)
	}
	from := e.Type().Plain()
	if from == to || from.Kind == algebra.Text && !from.IsVector() && !from.Padded && to == algebra.TText && (from.Alias == algebra.NoAlias || how < sqltype.Explicit) {
		return e
	}
	if c := coerceCatalog(x, e, to, how, pos); c != nil {
		return c
	}
	if from.Kind == algebra.Unknown {
		return coerceUnknown(x, e, to, how, pos)
	}
	if sqltype.ConversionNeeds(from, to) > how {
		panic(value.ErrorAt(int(pos), value.CodeCannotCoerce, "cannot cast type %s to %s", sqltype.Name(from), sqltype.Name(to)))
	}
	switch {
	case from.IsChar() && to.Kind == algebra.Text, to.IsChar() && from.Kind == algebra.Text:
		return coerceChar(x, e, to, how, pos)
	case from.IsChar():
		return Coerce(x, coerceChar(x, e, algebra.TText, how, pos), to, how, pos)
	case to.Kind == algebra.Text && (to.Padded || to.Length > 0 && how == sqltype.Assignment) && from.Kind != algebra.Text:
		return Coerce(x, Coerce(x, e, algebra.TText, how, pos), to, how, pos)
	}
	if shown := shownArray(x, e, to, how, pos); shown != nil {
		return Coerce(x, shown, to, how, pos)
	}
	if from.Kind == algebra.TimestampTZ || to.Kind == algebra.TimestampTZ {
		return coerceMoment(x, e, to, how, pos)
	}
	if named := objectText(x, e, to, pos); named != nil {
		return named
	}
	if styled := styled(x, e, to, pos); styled != nil {
		return Coerce(x, styled, to, how, pos)
	}
	cast := Conversion(e, to, how, pos)
	if _, ok := e.(*algebra.Const); ok {
		if c, err := eval.Fold(x.Opts.Meter, cast); c != nil && err == nil {
			return c
		}
	}
	return cast
}

// coerceTime converts to a time type with a modifier, or from one explicitly. Implicit
// conversions leave values as they are.
func coerceTime(x *scope.Exprs, e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	if c, ok := e.(*algebra.Const); ok && c.Typ.Kind == algebra.Unknown && to.Kind == algebra.Interval && c.Val.Kind == value.Text {
		x.InferParam(c, to.Plain(), pos)
		_, fields := to.TimeModifier()
		v, err := ParseLiteral(x.Binder, c.Val.S, to.Plain(), fields, false)
		if err != nil {
			panic(value.At(err, int(pos)))
		}
		e = &algebra.Const{Val: v, Typ: to.Plain()}
	}
	if e.Type().Kind != to.Kind {
		e = Coerce(x, e, to.Plain(), how, pos)
	}
	if how == sqltype.Implicit || e.Type().Kind != to.Kind {
		return e
	}
	return Modified(x.Binder, e, to, pos)
}

// coerceUnknown reads an untyped literal as a type.
func coerceUnknown(x *scope.Exprs, e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	c, ok := e.(*algebra.Const)
	if !ok {
		panic(value.ErrorAt(int(pos), value.CodeIndeterminateType, "could not determine the type of %s", e))
	}
	x.InferParam(c, to, pos)
	if err := x.TooWide[c]; err != nil && !to.IsFloat() {
		panic(err)
	}
	if c.Val.Kind == value.Null {
		return &algebra.Const{Typ: to}
	}
	if to.Kind == algebra.Record {
		panic(value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "input of anonymous composite types is not implemented"))
	}
	if to.Kind == algebra.Int64 && to.Alias.IsName() {
		return ObjectNamed(x, c, to.Alias, pos)
	}
	if to == algebra.TNumeric {
		n, err := value.ParseNum(c.Val.S)
		if err != nil {
			panic(value.At(err, int(pos)))
		}
		return &algebra.Const{Val: value.Value{Kind: value.Decimal, Num: n}, Typ: to}
	}
	v, err := ParseLiteral(x.Binder, c.Val.S, to, "", how == sqltype.Assignment)
	if err != nil {
		panic(value.At(err, int(pos)))
	}
	return &algebra.Const{Val: v, Typ: to}
}

// coerceMoment converts from or to a timestamp with time zone.
func coerceMoment(x *scope.Exprs, e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	from := e.Type()
	switch {
	case from.Kind == algebra.Text:
		if x.Opts.Style.Order != value.MDY {
			return Zoned(x.Binder, value.StyledMoment, algebra.TTimestampTZ, pos, e, styleConst(x.Binder))
		}
		return Zoned(x.Binder, value.TZParse, algebra.TTimestampTZ, pos, e)
	case to.Kind == algebra.Text && x.Opts.Style.Format != value.ISODates:
		return Coerce(x, Zoned(x.Binder, value.StyledMomentText, algebra.TText, pos, e, styleConst(x.Binder)), to, how, pos)
	case to.Kind == algebra.Text:
		return Coerce(x, Zoned(x.Binder, value.TZText, algebra.TText, pos, e), to, how, pos)
	case from.Kind == algebra.TimestampTZ:
		return Coerce(x, Local(x.Binder, e, pos), to, how, pos)
	}
	e = Coerce(x, e, algebra.TTimestamp, how, pos)
	return Moment(x.Binder, e, pos)
}
