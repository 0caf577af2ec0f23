package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bindCall binds a call of a function or an aggregate.
func bindCall(x *exprBinder, e *sql.FuncCall) (algebra.Expr, error) {
	name := e.Name[len(e.Name)-1].Name
	if len(e.Name) > 1 && e.Name[0].Name != "pg_catalog" {
		return nil, noFunction(nameText(e.Name), nil, e.Pos)
	}
	if x.opts.MayCall != nil && x.arguments == nil { // but not in the text of another function
		if err := x.opts.MayCall(name); err != nil {
			return nil, err
		}
	}
	aggregate := function.Find(function.Aggregate, name)
	if x.composition != nil && aggregate != nil {
		e = x.composition.part(e)
	}
	switch {
	case isComposed(aggregate):
		return x.composed(aggregate, name, e)
	case e.Over != nil:
		return x.windowCall(name, e)
	case function.Find(function.Window, name) != nil && !(len(e.WithinGroup) > 0 && aggregate != nil):
		return nil, value.ErrorAt(int(e.Pos), value.CodeWrongObjectType, "window function %s requires an OVER clause", name)
	case function.Refused(function.Aggregate, name):
		return nil, notSupported(e.Pos, "the aggregate function "+name+" is")
	case function.Refused(function.Scalar, name):
		return nil, notSupported(e.Pos, "the function "+name+" is")
	}
	if aggregate != nil {
		return x.aggregateOf(aggregate, name, e)
	}
	if len(e.WithinGroup) > 0 {
		return nil, x.noAggregate(name, e)
	}
	if err := plainCall(name, e); err != nil {
		return nil, err
	}
	if f := function.Find(function.Set, name); f != nil && f.Form != "" {
		return x.setFunction(name, e)
	}
	return x.scalarOf(function.Find(function.Scalar, name), name, e)
}

// aggregateOf binds a call of an aggregate.
func (x *exprBinder) aggregateOf(f *function.Function, name string, e *sql.FuncCall) (algebra.Expr, error) {
	switch f.Form {
	case "hypothetical":
		return x.hypothetical(name, e)
	case "grouping":
		return x.grouping(e)
	}
	if bind := orderedAggregate(name, e); bind != nil {
		return x.ordered(name, e, bind)
	}
	if len(e.WithinGroup) > 0 {
		return nil, x.noAggregate(name, e)
	}
	return x.aggregate(f.Accumulator, name, e)
}

// scalarOf binds a call of a scalar function; f is nil where the planner has none.
func (x *exprBinder) scalarOf(f *function.Function, name string, e *sql.FuncCall) (algebra.Expr, error) {
	form := function.Form("")
	if f != nil {
		form = f.Form
	}
	switch form {
	case "coalesce", "nullif", "greatest", "least":
		return x.conditional(name, e)
	case "concat":
		return x.concatAll(e)
	case "concat_ws":
		return x.concatWithSeparator(e)
	case "format":
		return x.format(e)
	case "json_build_object":
		return x.jsonObject(e)
	case "pg_typeof":
		return x.typeOf(e)
	case "num_nulls", "num_nonnulls":
		return x.countNulls(name, e)
	case "make_interval":
		return x.makeInterval(e)
	case "random":
		return x.random(e)
	case "setseed":
		return x.setSeed(e)
	}
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	site := &callSite{exprBinder: x, name: name, positions: positions, pos: e.Pos}
	if bind := arrayForms[form]; bind != nil {
		arrays := make([]algebra.Expr, len(args))
		for i, arg := range args {
			arrays[i] = asArray(arg, positions[i])
		}
		bound, err := bind(site, arrays)
		if e, ok := err.(*value.Error); !ok || e.Code != value.CodeUndefinedFunction {
			return bound, err
		}
	}
	return site.resolve(args)
}

// part is the call of one of the aggregates.
func (c *composition) part(e *sql.FuncCall) *sql.FuncCall {
	part := *e
	part.Over = c.call.Over
	return &part
}
