// Package call finds what a call is of, a scalar function, an aggregate, a window or a
// set-returning function, and has it bound.
package call

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/aggregate"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scalar"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/setfunc"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/bind/window"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Bind binds a call of a function or an aggregate.
func Bind(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	name := e.Name[len(e.Name)-1].Name
	if user := FindUser(x, e); user != nil {
		return user.bind(name)
	}
	if len(e.Name) > 1 && e.Name[0].Name != "pg_catalog" {
		panic(term.NoFunction(e.Name.Dotted(), nil, e.Pos))
	}
	if x.Opts.MayCall != nil && x.Arguments == nil { // but not in the text of another function
		if err := x.Opts.MayCall(name); err != nil {
			panic(err)
		}
	}
	e = inOrder(x, name, e)
	agg := function.Find(function.Aggregate, name)
	if x.Composition != nil && agg != nil {
		e = part(x.Composition, e)
	}
	switch {
	case isComposed(agg):
		return composed(x, agg, name, e)
	case e.Over != nil:
		return window.Call(x, name, e)
	case function.Find(function.Window, name) != nil && !(len(e.WithinGroup) > 0 && agg != nil):
		panic(value.ErrorAt(int(e.Pos), value.CodeWrongObjectType, "window function %s requires an OVER clause", name))
	case function.Refused(function.Aggregate, name):
		panic(term.NotSupported(e.Pos, "the aggregate function "+name+" is"))
	case function.Refused(function.Scalar, name):
		panic(term.NotSupported(e.Pos, "the function "+name+" is"))
	}
	if agg != nil {
		return aggregateOf(x, agg, name, e)
	}
	if len(e.WithinGroup) > 0 {
		panic(aggregate.NoAggregate(x, name, e))
	}
	scalar.PlainCall(name, e)
	if f := function.Find(function.Set, name); f != nil && f.Form != "" {
		return setfunc.Call(x, name, e)
	}
	return scalarOf(x, function.Find(function.Scalar, name), name, e)
}

// aggregateOf binds a call of an aggregate.
func aggregateOf(x *scope.Exprs, f *function.Function, name string, e *sql.FuncCall) algebra.Expr {
	switch f.Form {
	case "hypothetical":
		return aggregate.Hypothetical(x, name, e)
	case "grouping":
		return aggregate.Grouping(x, e)
	}
	if bind := aggregate.OrderedForm(name, e); bind != nil {
		return aggregate.Ordered(x, name, e, bind)
	}
	if len(e.WithinGroup) > 0 {
		panic(aggregate.NoAggregate(x, name, e))
	}
	return aggregate.Bind(x, f.Accumulator, name, e)
}

// scalarOf binds a call of a scalar function; f is nil where the planner has none.
func scalarOf(x *scope.Exprs, f *function.Function, name string, e *sql.FuncCall) algebra.Expr {
	form := function.Form("")
	if f != nil {
		form = f.Form
	}
	if _, ok := variadicArguments[form]; ok && e.Variadic {
		return variadic(x, form, name, e)
	}
	switch form {
	case "clock":
		if len(e.Args) > 0 {
			return scalar.Rounded(x, name, e)
		}
	case "coalesce", "nullif", "greatest", "least":
		return scalar.Conditional(x, name, e)
	case "concat":
		return scalar.ConcatAll(x, e)
	case "concat_ws":
		return scalar.ConcatWithSeparator(x, e)
	case "format":
		return scalar.Format(x, e)
	case "pg_typeof":
		return scalar.TypeOf(x, e)
	case "num_nulls", "num_nonnulls":
		return scalar.CountNulls(x, name, e)
	case "make_interval":
		return scalar.MakeInterval(x, e)
	case "random":
		return scalar.Random(x, e)
	case "gen_random_uuid":
		return scalar.RandomUUID(x, e)
	case "setseed":
		return scalar.SetSeed(x, e)
	case "enum":
		return scalar.EnumValues(x, name, e)
	case "sequence":
		return scalar.Sequence(x, name, e)
	}
	if bind := expression.JSONForms[form]; bind != nil {
		return bind(x, name, e)
	}
	args, positions := convert.Args(x, e)
	site := &expression.CallSite{Exprs: x, Name: name, Positions: positions, Pos: e.Pos}
	if bind := expression.ArrayForms[form]; bind != nil {
		arrays := make([]algebra.Expr, len(args))
		for i, arg := range args {
			arrays[i] = convert.AsArray(arg, positions[i])
		}
		bound, err := sqlstate.Try(func() algebra.Expr { return bind(site, arrays) })
		if err == nil {
			return bound
		}
		if e, ok := err.(*value.Error); !ok || e.Code != value.CodeUndefinedFunction {
			panic(err)
		}
	}
	return scalar.Resolve(site, args)
}

// part is the call of one of the aggregates.
func part(c *scope.Composition, e *sql.FuncCall) *sql.FuncCall {
	part := *e
	part.Over = c.Call.Over
	return &part
}
