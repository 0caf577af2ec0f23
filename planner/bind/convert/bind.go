package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ExprList binds a list of expressions.
func ExprList(x *scope.Exprs, list []sql.Expr) ([]algebra.Expr, []sql.Pos) {
	exprs, positions := make([]algebra.Expr, len(list)), make([]sql.Pos, len(list))
	for i, e := range list {
		exprs[i] = x.Expr(e)
		positions[i] = e.Position()
	}
	return exprs, positions
}

// Unify converts expressions to their common type.
func Unify(x *scope.Exprs, exprs []algebra.Expr, what string, positions []sql.Pos) ([]algebra.Expr, algebra.Type) {
	typ := CommonType(exprs, what, positions)
	out := make([]algebra.Expr, len(exprs))
	for i, e := range exprs {
		out[i] = Coerce(x, e, typ, sqltype.Implicit, positions[i])
	}
	return out, typ
}

// Args binds the arguments of a call.
func Args(x *scope.Exprs, e *sql.FuncCall) ([]algebra.Expr, []sql.Pos) {
	args := make([]algebra.Expr, len(e.Args))
	positions := make([]sql.Pos, len(e.Args))
	for i, arg := range e.Args {
		args[i] = x.Expr(arg)
		positions[i] = arg.Position()
	}
	return args, positions
}

// ExprAs binds an expression and converts it to a type.
func ExprAs(x *scope.Exprs, e sql.Expr, typ algebra.Type, how sqltype.Context) algebra.Expr {
	return Coerce(x, x.Expr(e), typ, how, e.Position())
}

// Condition binds an expression that must be boolean; what says whose.
func Condition(x *scope.Exprs, e sql.Expr, what string) algebra.Expr {
	bound := x.Expr(e)
	if k := bound.Type().Kind; k != algebra.Bool && k != algebra.Unknown {
		panic(value.ErrorAt(int(e.Position()), value.CodeDatatypeMismatch,
			"argument of %s must be type boolean, not type %s", what, sqltype.Name(bound.Type())))
	}
	return Coerce(x, bound, algebra.TBool, sqltype.Implicit, e.Position())
}

// Count converts a number of rows to bigint, as an assignment does; what says whose.
func Count(x *scope.Exprs, bound algebra.Expr, what string, pos sql.Pos) algebra.Expr {
	if typ := bound.Type(); sqltype.CastNeeds(typ.Kind, algebra.Int64) > sqltype.Assignment {
		panic(value.ErrorAt(int(pos), value.CodeDatatypeMismatch,
			"argument of %s must be type bigint, not type %s", what, sqltype.Name(typ)))
	}
	return Coerce(x, bound, algebra.TInt64, sqltype.Assignment, pos)
}

// ResolveUnknown makes an untyped literal text.
func ResolveUnknown(x *scope.Exprs, e algebra.Expr, pos sql.Pos) algebra.Expr {
	if e.Type().Kind != algebra.Unknown {
		return e
	}
	return Coerce(x, e, algebra.TText, sqltype.Implicit, pos)
}

func Pair(x *scope.Exprs, l, r sql.Expr) (left, right algebra.Expr) {
	left = x.Expr(l)
	right = x.Expr(r)
	return left, right
}

// Resolved binds an expression; an untyped literal is text.
func Resolved(x *scope.Exprs, e sql.Expr) algebra.Expr {
	return ResolveUnknown(x, x.Expr(e), e.Position())
}

// ConvertTo converts to exactly the given type, even between types that
// differ only in the length of their text.
func ConvertTo(x *scope.Exprs, e algebra.Expr, typ algebra.Type, pos sql.Pos) algebra.Expr {
	if e.Type() != typ && e.Type().Kind == algebra.Text && !e.Type().Padded && typ == algebra.TText {
		return term.Call(algebra.Cast, typ, pos, e)
	}
	if e.Type().Kind == typ.Kind && typ.HasTimeModifier() {
		return Modified(x.Binder, e, typ, pos)
	}
	return Coerce(x, e, typ, sqltype.Implicit, pos)
}
