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
func Call(x *scope.Exprs, name string, e *sql.FuncCall) (algebra.Expr, error) {
	inner := *x
	inner.Window, inner.InCall = nil, true
	call, typ, err := overCall(&inner, name, e)
	if err != nil {
		return nil, err
	}
	if err := Allowed(x, e.Pos); err != nil {
		return nil, err
	}
	if call.Filter, err = aggregate.Filter(x, e); err != nil {
		return nil, err
	}
	w, err := over(x.Window, e.Over)
	if err != nil {
		return nil, err
	}
	call.Frame = algebra.DefaultFrame()
	if call.UsesFrame() {
		call.Frame = w.Frame
	}
	call.Column = algebra.Column{Name: name, Type: typ, Nullable: term.CanGiveNull(call.Func)}
	if convert.IsRealSum(algebra.AggFunc(call.Func), typ) {
		call.Column.Type = algebra.TFloat64
		return convert.RoundedToReal(x.Window.Add(x.Binder, w, call).Ref(), e.Pos), nil
	}
	if fallback, ok := lagDefault(&call); ok {
		return withDefault(x.Window, x, w, call, fallback), nil
	}
	return x.Window.Add(x.Binder, w, call).Ref(), nil
}

// Allowed refuses a window function where none may stand.
func Allowed(x *scope.Exprs, pos sql.Pos) error {
	switch {
	case x.InAgg:
		return value.ErrorAt(int(pos), value.CodeGrouping, "aggregate function calls cannot contain window function calls")
	case x.InCall:
		return value.ErrorAt(int(pos), value.CodeWindowing, "window function calls cannot be nested")
	case x.Window == nil:
		return value.ErrorAt(int(pos), value.CodeWindowing, "window functions are not allowed in %s", x.Clause)
	}
	return nil
}

// overCall binds the function of a call with OVER and its arguments, and returns
// the type of its result.
func overCall(x *scope.Exprs, name string, e *sql.FuncCall) (algebra.WindowCall, algebra.Type, error) {
	var none algebra.WindowCall
	if f := aggregate.Accumulator(name); f != "" && f != algebra.ApproxCountDistinct {
		agg, typ, err := aggregate.Call(x, f, name, e)
		if err == nil {
			err = RefuseOver(e, true)
		}
		call := algebra.WindowCall{Func: algebra.WindowFunc(agg.Func)}
		if agg.Arg != nil {
			call.Args = []algebra.Expr{agg.Arg}
		}
		if agg.Arg2 != nil {
			call.Args = append(call.Args, agg.Arg2)
		}
		return call, typ, err
	}
	switch {
	case aggregate.WithinGroup(name):
		return none, algebra.Type{}, value.ErrorAt(int(e.Pos), value.CodeFeatureNotSupported, "OVER is not supported for ordered-set aggregate %s", name)
	case function.Refused(function.Aggregate, name) || name == "approx_count_distinct" || aggregate.OrderedForm(name, e) != nil:
		return none, algebra.Type{}, term.NotSupported(e.Pos, "the aggregate function "+name+" with OVER is")
	}
	f := function.Find(function.Window, name)
	args, positions, err := convert.Args(x, e)
	if err != nil {
		return none, algebra.Type{}, err
	}
	if f == nil {
		if function.Find(function.Scalar, name) == nil {
			return none, algebra.Type{}, term.NoFunction(name, args, e.Pos)
		}
		return none, algebra.Type{}, value.ErrorAt(int(e.Pos), value.CodeWrongObjectType,
			"OVER specified, but %s is not a window function nor an aggregate function", name)
	}
	if err := RefuseOver(e, false); err != nil {
		return none, algebra.Type{}, err
	}
	return Forms[f.Form](&expression.CallSite{Exprs: x, Name: name, Positions: positions, Pos: e.Pos}, f, args)
}

// RefuseOver names what window functions do not take.
func RefuseOver(e *sql.FuncCall, aggregate bool) error {
	what := ""
	switch {
	case e.Distinct:
		what = "DISTINCT is not implemented for window functions"
	case len(e.OrderBy) > 0:
		what = "aggregate ORDER BY is not implemented for window functions"
	case e.Filter != nil && !aggregate:
		what = "FILTER is not implemented for non-aggregate window functions"
	default:
		return nil
	}
	return value.ErrorAt(int(e.Pos), value.CodeFeatureNotSupported, "%s", what)
}
