package scalar

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Conditional binds the functions that do not evaluate all of their
// arguments, or skip those that are NULL.
func Conditional(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	if name == "coalesce" {
		x = x.Without("COALESCE")
	}
	args, positions := convert.Args(x, e)
	if len(args) == 0 || name == "nullif" && len(args) != 2 {
		panic(value.ErrorAt(int(e.Pos), value.CodeSyntax, "wrong number of arguments of %s", term.Upper(name)))
	}
	if name == "nullif" {
		return nullif(x, args, positions, e)
	}
	args, typ := convert.Unify(x, args, term.Upper(name), positions)
	if name != "coalesce" && expression.HasNoOrder(typ) {
		panic(value.Errorf(value.CodeUndefinedFunction, "could not identify a comparison function for type %s", sqltype.Name(typ)))
	}
	switch name {
	case "greatest":
		return extreme(x.Binder, algebra.Ge, args, typ)
	case "least":
		return extreme(x.Binder, algebra.Le, args, typ)
	}
	return term.Coalesce(args, typ)
}

// nullif is CASE WHEN a = b THEN NULL ELSE a END.
func nullif(x *scope.Exprs, args []algebra.Expr, positions []sql.Pos, e *sql.FuncCall) algebra.Expr {
	eq := expression.Compare(x, algebra.Eq, args[0], args[1], term.Operands{Op: "=", Left: positions[0], Right: positions[1], Pos: e.Pos})
	a := convert.ConvertTo(x, args[0], nullifType(args[0], args[1], eq), positions[0])
	null := &algebra.Const{Typ: a.Type()}
	return &algebra.Case{Whens: []algebra.When{{Cond: eq, Then: null}}, Else: a, Typ: a.Type()}
}

// nullifType is the type of NULLIF: what the comparison takes its first operand as.
// PostgreSQL compares integers with each other as they are, and so floating numbers and
// times.
func nullifType(a, b, eq algebra.Expr) algebra.Type {
	l, r := a.Type(), b.Type()
	switch {
	case l.Kind == algebra.Unknown:
		if call, ok := eq.(*algebra.Call); ok && len(call.Args) > 0 {
			return call.Args[0].Type()
		}
		return algebra.TText
	case l.IsChar() && (r.IsChar() || r.Kind == algebra.Unknown || r.Length > 0):
		return l
	case l.Kind == algebra.Text:
		return algebra.TText
	case !l.IsNumber() || !r.IsNumber(), l.IsInteger() && r.IsInteger(), l.IsFloat():
		return l
	case r.IsFloat():
		return algebra.TFloat64
	}
	return sqltype.AsDecimal(l)
}

// extreme is GREATEST or LEAST: the first argument that is not NULL and, by
// cmp, beats all others that are not.
func extreme(b *scope.Binder, cmp algebra.Func, args []algebra.Expr, typ algebra.Type) algebra.Expr {
	c := &algebra.Case{Typ: typ}
	keys := make([]algebra.Expr, len(args))
	for i, arg := range args {
		keys[i] = convert.ComparedChar(b, expression.OrderKey(b, arg, sql.NoPos))
	}
	for i, arg := range args {
		if err := b.Opts.Meter.Grow(len(args) * comparedBytes); err != nil {
			panic(err)
		}
		conds := []algebra.Expr{term.NotNull(arg)}
		for k, other := range args {
			if k != i {
				beats := term.Call(cmp, algebra.TBool, sql.NoPos, keys[i], keys[k])
				conds = append(conds, term.Call(algebra.Or, algebra.TBool, sql.NoPos, term.IsNull(other), beats))
			}
		}
		c.Whens = append(c.Whens, algebra.When{Cond: algebra.Conjunction(conds), Then: arg})
	}
	return c
}

// comparedBytes is what the comparison of two arguments takes in a plan.
const comparedBytes = 512
