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
func ExprList(x *scope.Exprs, list []sql.Expr) ([]algebra.Expr, []sql.Pos, error) {
	exprs, positions := make([]algebra.Expr, len(list)), make([]sql.Pos, len(list))
	for i, e := range list {
		var err error
		if exprs[i], err = x.Expr(e); err != nil {
			return nil, nil, err
		}
		positions[i] = e.Position()
	}
	return exprs, positions, nil
}

// Unify converts expressions to their common type.
func Unify(x *scope.Exprs, exprs []algebra.Expr, what string, positions []sql.Pos) ([]algebra.Expr, algebra.Type, error) {
	typ, err := CommonType(exprs, what, positions)
	if err != nil {
		return nil, typ, err
	}
	out := make([]algebra.Expr, len(exprs))
	for i, e := range exprs {
		if out[i], err = Coerce(x, e, typ, sqltype.Implicit, positions[i]); err != nil {
			return nil, typ, err
		}
	}
	return out, typ, nil
}

// Args binds the arguments of a call.
func Args(x *scope.Exprs, e *sql.FuncCall) ([]algebra.Expr, []sql.Pos, error) {
	args := make([]algebra.Expr, len(e.Args))
	positions := make([]sql.Pos, len(e.Args))
	for i, arg := range e.Args {
		var err error
		if args[i], err = x.Expr(arg); err != nil {
			return nil, nil, err
		}
		positions[i] = arg.Position()
	}
	return args, positions, nil
}

// ExprAs binds an expression and converts it to a type.
func ExprAs(x *scope.Exprs, e sql.Expr, typ algebra.Type, how sqltype.Context) (algebra.Expr, error) {
	bound, err := x.Expr(e)
	if err != nil {
		return nil, err
	}
	return Coerce(x, bound, typ, how, e.Position())
}

// Condition binds an expression that must be boolean; what says whose.
func Condition(x *scope.Exprs, e sql.Expr, what string) (algebra.Expr, error) {
	bound, err := x.Expr(e)
	if err != nil {
		return nil, err
	}
	if k := bound.Type().Kind; k != algebra.Bool && k != algebra.Unknown {
		return nil, value.ErrorAt(int(e.Position()), value.CodeDatatypeMismatch,
			"argument of %s must be type boolean, not type %s", what, sqltype.Name(bound.Type()))
	}
	return Coerce(x, bound, algebra.TBool, sqltype.Implicit, e.Position())
}

// ResolveUnknown makes an untyped literal text.
func ResolveUnknown(x *scope.Exprs, e algebra.Expr, pos sql.Pos) (algebra.Expr, error) {
	if e.Type().Kind != algebra.Unknown {
		return e, nil
	}
	return Coerce(x, e, algebra.TText, sqltype.Implicit, pos)
}

func Pair(x *scope.Exprs, l, r sql.Expr) (left, right algebra.Expr, err error) {
	if left, err = x.Expr(l); err != nil {
		return nil, nil, err
	}
	right, err = x.Expr(r)
	return left, right, err
}

// Resolved binds an expression; an untyped literal is text.
func Resolved(x *scope.Exprs, e sql.Expr) (algebra.Expr, error) {
	bound, err := x.Expr(e)
	if err != nil {
		return nil, err
	}
	return ResolveUnknown(x, bound, e.Position())
}

// ConvertTo converts to exactly the given type, even between types that
// differ only in the length of their text.
func ConvertTo(x *scope.Exprs, e algebra.Expr, typ algebra.Type, pos sql.Pos) (algebra.Expr, error) {
	if e.Type() != typ && e.Type().Kind == algebra.Text && !e.Type().Padded && typ == algebra.TText {
		return term.Call(algebra.Cast, typ, pos, e), nil
	}
	if e.Type().Kind == typ.Kind && typ.HasTimeModifier() {
		return Modified(x.Binder, e, typ, pos), nil
	}
	return Coerce(x, e, typ, sqltype.Implicit, pos)
}
