// Package expression binds every kind of expression but calls of functions: operators,
// predicates, CASE, arrays and subqueries.
package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// InDefault names the default of a column, which says itself that it takes no
// columns.
const InDefault = "DEFAULT expression"

// Bind binds an expression of any kind.
func Bind(x *scope.Exprs, e sql.Expr) algebra.Expr {
	if e == nil {
		panic(value.Errorf(value.CodeInternal, "an expression is missing in the syntax tree"))
	}
	x.Enter(e.Position())
	defer x.Leave()
	switch e := e.(type) {
	case *sql.Literal:
		return literal(x, e, "")
	case *sql.TypedLiteral:
		return typedLiteral(x, unlimitedChar(e))
	case *sql.ColumnRef:
		return column(x, e)
	case *sql.Param:
		return param(x, e)
	case *sql.Unary:
		return unary(x, e)
	case *sql.Binary:
		return binary(x, e)
	case *sql.Is:
		return is(x, e)
	case *sql.IsDistinct:
		return isDistinct(x, e)
	case *sql.Between:
		return between(x, e)
	case *sql.In:
		return in(x, e)
	case *sql.Like:
		return like(x, e)
	case *sql.Case:
		return caseExpr(x, e)
	case *sql.Cast:
		return cast(x, e)
	case *sql.FuncCall:
		return x.Call(e)
	case *sql.Collate:
		return collate(x, e)
	case *sql.Exists:
		return exists(x, e)
	case *sql.Subquery:
		return scalarSubquery(x, e)
	case *sql.Quantified:
		return quantified(x, e)
	case *sql.Array:
		return array(x, e)
	case *sql.ArrayQuery:
		return arrayQuery(x, e)
	case *sql.Subscript:
		return subscript(x, e)
	case *sql.Row:
		return row(x, e)
	case *sql.Field:
		return field(x, e)
	case *sql.Star:
		if len(e.Qualifier) > 0 && x.Alone == "" {
			return wholeRow(x, x.RowOf(e.Qualifier), e.Pos)
		}
	}
	panic(refuseExpr(e))
}

func column(x *scope.Exprs, e *sql.ColumnRef) algebra.Expr {
	if out := x.OutputColumn(e.Name); out != nil {
		return out
	}
	if arg := x.Argument(e.Name); arg != nil {
		return x.Substituted(arg)
	}
	if x.Alone == InDefault {
		panic(notInAlone(e.Position(), "column reference", x.Alone))
	}
	if row := rowNamed(x, e); row != nil {
		return wholeRow(x, row, e.Position())
	}
	return reference(x, x.Resolve(e.Name).Col, e.Position())
}

// param returns the value of $n that came with the statement. A value that came as
// text without a type is an untyped literal.
func param(x *scope.Exprs, e *sql.Param) algebra.Expr {
	for level := x; level != nil; level = level.Env.Enclosing() {
		if level.Arguments == nil {
			continue
		}
		if e.Index < 1 || e.Index > len(level.Arguments) {
			panic(value.ErrorAt(int(e.Pos), "42P02", "there is no parameter $%d", e.Index))
		}
		return x.Substituted(level.Arguments[e.Index-1])
	}
	if e.Index > scope.MaxParams || x.Alone != "" {
		panic(value.ErrorAt(int(e.Pos), "42P02", "there is no parameter $%d", e.Index))
	}
	if x.Opts.InferParams {
		return x.UnknownParam(e)
	}
	if e.Index < 1 || e.Index > len(x.Opts.Params) {
		panic(value.ErrorAt(int(e.Pos), "42P02", "there is no parameter $%d", e.Index))
	}
	p := x.Opts.Params[e.Index-1]
	return &algebra.Const{Val: p.Value, Typ: p.Type}
}

// quantified binds x op ANY (…) and x op ALL (…). ALL is that there is none
// for which the comparison does not hold.
func quantified(x *scope.Exprs, e *sql.Quantified) algebra.Expr {
	if e.Query == nil {
		return quantifiedArray(x, e)
	}
	return term.NegateIf(e.All, anyOf(x, e.X, e.Query, e))
}
