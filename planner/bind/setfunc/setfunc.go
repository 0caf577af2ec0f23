// Package setfunc binds functions that give several rows for each row, in a select list and
// in FROM.
package setfunc

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scalar"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bindSet binds a call of a set-returning function, which of unnest takes one
// array only, or of one that returns a single row.
func bindSet(x *scope.Exprs, name string, e *sql.FuncCall) *scope.SetCall {
	f := function.Find(function.Set, name)
	if f == nil {
		return oneRow(x, e)
	}
	switch f.Form {
	case "generate_series":
		return seriesRows(x, e)
	case "generate_subscripts":
		return subscriptRows(x, e)
	case "unnest":
		return unnestRows(x, e)
	case "regexp_matches":
		return matchRows(x, e)
	case "pg_partition_ancestors":
		args, _ := convert.Args(x, e)
		return elementRows(x.SQLText(name, "ARRAY(SELECT a.relid::oid FROM pg_catalog.pg_partition_ancestors($1) AS a)", args, e.Pos), e.Pos)
	case value.JSONElements, value.JSONTexts, value.JSONKeys:
		return jsonRows(x, name, f.Form, e)
	case value.JSONQuery:
		array := expression.QueryPath(x, name, value.JSONQuery, algebra.TArray(algebra.TJSONB), e)
		return elementRows(array, e.Pos)
	case "json_each":
		panic(term.NotSupported(e.Pos, name+" outside of FROM is"))
	}
	return tableOfArray(x, name, f.Form, e)
}

// oneRow is a function in FROM that returns one value.
func oneRow(x *scope.Exprs, e *sql.FuncCall) *scope.SetCall {
	result := x.Call(e)
	return &scope.SetCall{
		Col: algebra.Column{Type: result.Type(), Nullable: true}, Args: []algebra.Expr{result},
		Times: func([]algebra.Expr) algebra.Expr {
			return &algebra.Const{Val: value.Value{Kind: value.Int, I: 1}, Typ: algebra.TInt64}
		},
		Value: func(args []algebra.Expr, _ algebra.Expr) algebra.Expr { return args[0] },
	}
}

// Rows binds a call of a set-returning function, and its name.
func Rows(x *scope.Exprs, name string, e *sql.FuncCall) *scope.SetCall {
	scalar.PlainCall(name, e)
	inner := *x
	inner.Rows, inner.RowsBar = nil, "a set-returning function's arguments"
	c := bindSet(&inner, name, e)
	c.Col.Name = name
	return c
}

func unnestRows(x *scope.Exprs, e *sql.FuncCall) *scope.SetCall {
	arrays := unnested(x, e)
	if len(arrays) > 1 {
		panic(term.NoFunction("unnest", arrays, e.Pos))
	}
	return elementRows(arrays[0], e.Pos)
}

// tableOfArray are the elements of what another function returns, of a form.
func tableOfArray(x *scope.Exprs, name string, array function.Form, e *sql.FuncCall) *scope.SetCall {
	args, positions := convert.Args(x, e)
	site := &expression.CallSite{Exprs: x, Name: string(array), Positions: positions, Pos: e.Pos}
	elements, err := sqlstate.Try(func() algebra.Expr { return expression.ArrayForms[array](site, args) })
	if wrong, ok := err.(*value.Error); ok && wrong.Code == value.CodeUndefinedFunction {
		panic(term.NoFunction(name, args, e.Pos))
	}
	if err != nil {
		panic(err)
	}
	return elementRows(elements, e.Pos)
}

// subscriptRows are the subscripts of an array.
func subscriptRows(x *scope.Exprs, e *sql.FuncCall) *scope.SetCall {
	args, positions := convert.Args(x, e)
	site := &expression.CallSite{Exprs: x, Name: "generate_subscripts", Positions: positions, Pos: e.Pos}
	for i, arg := range args {
		args[i] = convert.AsArray(arg, positions[i])
	}
	length := expression.OfArray(value.ArrayLength, algebra.TInt32, algebra.TInt32)(site, slices.Clone(args))
	lower := expression.OfArray(value.ArrayLower, algebra.TInt32, algebra.TInt32)(site, args)
	return &scope.SetCall{
		Col: algebra.Column{Type: algebra.TInt32}, Args: []algebra.Expr{length, lower},
		Times: func(args []algebra.Expr) algebra.Expr { return term.Call(algebra.Cast, algebra.TInt64, e.Pos, args[0]) },
		Value: func(args []algebra.Expr, ordinal algebra.Expr) algebra.Expr {
			one := &algebra.Const{Val: value.Value{Kind: value.Int, I: 1}, Typ: algebra.TInt32}
			before := term.Call(algebra.Sub, algebra.TInt32, e.Pos, args[1], one)
			return term.Call(algebra.Add, algebra.TInt32, e.Pos, term.Call(algebra.Cast, algebra.TInt32, e.Pos, ordinal), before)
		},
	}
}

// matchRows are what the parentheses of a regular expression match: once, or as
// often as it matches with the flag g.
func matchRows(x *scope.Exprs, e *sql.FuncCall) *scope.SetCall {
	args, positions := convert.Args(x, e)
	if len(args) == 2 {
		args, positions = append(args, term.TextConst("")), append(positions, e.Pos)
	}
	if len(args) != 3 {
		panic(term.NoFunction("regexp_matches", args, e.Pos))
	}
	for i, arg := range args {
		if sqltype.CastNeeds(arg.Type().Kind, algebra.Text) != sqltype.Implicit {
			panic(term.NoFunction("regexp_matches", args[:len(e.Args)], e.Pos))
		}
		args[i] = convert.Coerce(x, arg, algebra.TText, sqltype.Implicit, positions[i])
	}
	return &scope.SetCall{
		Col: algebra.Column{Type: algebra.TArray(algebra.TText)}, Args: args,
		Times: func(args []algebra.Expr) algebra.Expr {
			return term.Call(value.MatchCount, algebra.TInt64, e.Pos, args...)
		},
		Value: func(args []algebra.Expr, ordinal algebra.Expr) algebra.Expr {
			return term.Call(value.MatchNumber, algebra.TArray(algebra.TText), e.Pos, args[0], args[1], args[2], ordinal)
		},
	}
}
