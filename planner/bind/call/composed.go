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
func composed(x *scope.Exprs, f *function.Function, name string, e *sql.FuncCall) algebra.Expr {
	switch {
	case e.Star:
		panic(term.NoFunction(name, nil, e.Pos))
	case len(e.WithinGroup) > 0:
		panic(aggregate.NoAggregate(x, name, e))
	case e.Distinct: // the arguments of the others may be the same for different ones
		panic(term.NotSupported(e.Pos, name+" with DISTINCT is"))
	}
	of := x.InAggregate()
	if e.Over != nil {
		inCall := *x
		inCall.Window, inCall.InCall = nil, true
		of = &inCall
	}
	args, positions := convert.Args(of, e)
	if e.Over == nil {
		aggregate.LevelOf(x, term.References(args...), "aggregate functions are not allowed in %s", e.Pos)
	} else {
		window.Allowed(x, e.Pos)
		window.RefuseOver(e, true)
	}
	site := &expression.CallSite{Exprs: of, Name: name, Positions: positions, Pos: e.Pos}
	sig := scalar.Choose(site, f.Signatures, args)
	text := *x
	text.Arguments, text.Composition = args, &scope.Composition{Outer: x, Call: e}
	return text.FunctionText(name, string(sig.Of.(function.SQL)), e.Pos)
}
