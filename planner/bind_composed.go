package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
)

// isComposed reports whether an aggregate is an expression over others.
func isComposed(f *function.Function) bool {
	return f != nil && len(f.Signatures) > 0 && f.Signatures[0].Of != nil
}

// composed binds a call of an aggregate that is an expression over others.
func (x *exprBinder) composed(f *function.Function, name string, e *sql.FuncCall) (algebra.Expr, error) {
	switch {
	case e.Star:
		return nil, noFunction(name, nil, e.Pos)
	case len(e.WithinGroup) > 0:
		return nil, x.noAggregate(name, e)
	case e.Distinct: // the arguments of the others may be the same for different ones
		return nil, notSupported(e.Pos, name+" with DISTINCT is")
	}
	of := x.inAggregate()
	if e.Over != nil {
		inCall := *x
		inCall.window, inCall.inCall = nil, true
		of = &inCall
	}
	args, positions, err := of.args(e)
	if err != nil {
		return nil, err
	}
	if e.Over == nil {
		_, err = x.levelOf(references(args...), "aggregate functions are not allowed in %s", e.Pos)
	} else if err = x.windowAllowed(e.Pos); err == nil {
		err = refuseOver(e, true)
	}
	if err != nil {
		return nil, err
	}
	site := &callSite{exprBinder: of, name: name, positions: positions, pos: e.Pos}
	sig, err := site.choose(f.Signatures, args)
	if err != nil {
		return nil, err
	}
	text := *x
	text.arguments, text.composition = args, &composition{outer: x, call: e}
	return text.functionText(name, string(sig.Of.(function.SQL)), e.Pos)
}
