// Package window binds window functions, windows and their frames.
package window

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/aggregate"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Call binds a call with OVER to a column. Equal calls share one.
func Call(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	if text := textCall(x, name, e); text != nil {
		return text
	}
	inner := *x
	inner.Window, inner.InCall = nil, true
	call, typ := overCall(&inner, name, e)
	Allowed(x, e.Pos)
	call.Filter = aggregate.Filter(x, e)
	w := over(x.Window, e.Over)
	call.Frame = algebra.DefaultFrame()
	if call.UsesFrame() {
		call.Frame = w.Frame
	}
	accumulated := aggregate.Accumulated(algebra.AggFunc(call.Func), typ)
	call.Column = algebra.Column{Name: name, Type: accumulated, Nullable: term.CanGiveNull(call.Func)}
	if fallback, ok := lagDefault(&call); ok {
		return withDefault(x.Window, x, w, call, fallback)
	}
	return aggregate.Finished(x.Window.Add(x.Binder, w, call), typ, e.Pos)
}

// overCall binds the function of a call with OVER and its arguments, and returns
// the type of its result.
func overCall(x *scope.Exprs, name string, e *sql.FuncCall) (algebra.WindowCall, algebra.Type) {
	if f := aggregate.Accumulator(name); f != "" && f != algebra.ApproxCountDistinct {
		agg, typ := aggregate.Call(x, f, name, e)
		RefuseOver(e, true)
		call := algebra.WindowCall{Func: algebra.WindowFunc(agg.Func)}
		if agg.Arg != nil {
			call.Args = []algebra.Expr{agg.Arg}
		}
		if agg.Arg2 != nil {
			call.Args = append(call.Args, agg.Arg2)
		}
		return call, typ
	}
	switch {
	case aggregate.WithinGroup(name):
		panic(value.ErrorAt(int(e.Pos), value.CodeFeatureNotSupported, "OVER is not supported for ordered-set aggregate %s", name))
	case function.Refused(function.Aggregate, name) || name == "approx_count_distinct" || aggregate.OrderedForm(name, e) != nil:
		panic(term.NotSupported(e.Pos, "the aggregate function "+name+" with OVER is"))
	}
	f := function.Find(function.Window, name)
	args, positions := convert.Args(x, e)
	if f == nil {
		if function.Find(function.Scalar, name) == nil {
			panic(term.NoFunction(name, args, e.Pos))
		}
		panic(value.ErrorAt(int(e.Pos), value.CodeWrongObjectType,
			"OVER specified, but %s is not a window function nor an aggregate function", name))
	}
	RefuseOver(e, false)
	return Forms[f.Form](&expression.CallSite{Exprs: x, Name: name, Positions: positions, Pos: e.Pos}, f, args)
}
