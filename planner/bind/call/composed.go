package call

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/aggregate"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scalar"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/bind/window"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
)

// isComposed reports whether an aggregate is an expression over others.
func isComposed(f *function.Function) bool {
	return f != nil && len(f.Signatures) > 0 && f.Signatures[0].Of != nil
}

// composed binds a call of an aggregate that is an expression over others.
func composed(x *scope.Exprs, f *function.Function, name string, e *sql.FuncCall) (algebra.Expr, error) {
	switch {
	case e.Star:
		return nil, term.NoFunction(name, nil, e.Pos)
	case len(e.WithinGroup) > 0:
		return nil, aggregate.NoAggregate(x, name, e)
	case e.Distinct: // the arguments of the others may be the same for different ones
		return nil, term.NotSupported(e.Pos, name+" with DISTINCT is")
	}
	of := x.InAggregate()
	if e.Over != nil {
		inCall := *x
		inCall.Window, inCall.InCall = nil, true
		of = &inCall
	}
	args, positions, err := convert.Args(of, e)
	if err != nil {
		return nil, err
	}
	if e.Over == nil {
		_, err = aggregate.LevelOf(x, term.References(args...), "aggregate functions are not allowed in %s", e.Pos)
	} else if err = window.Allowed(x, e.Pos); err == nil {
		err = window.RefuseOver(e, true)
	}
	if err != nil {
		return nil, err
	}
	site := &expression.CallSite{Exprs: of, Name: name, Positions: positions, Pos: e.Pos}
	sig, err := scalar.Choose(site, f.Signatures, args)
	if err != nil {
		return nil, err
	}
	text := *x
	text.Arguments, text.Composition = args, &scope.Composition{Outer: x, Call: e}
	return text.FunctionText(name, string(sig.Of.(function.SQL)), e.Pos)
}
