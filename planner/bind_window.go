package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// windowCall binds a call with OVER to a column. Equal calls share one.
func (x *exprBinder) windowCall(name string, e *sql.FuncCall) (algebra.Expr, error) {
	inner := *x
	inner.window, inner.inCall = nil, true
	call, typ, err := inner.overCall(name, e)
	if err != nil {
		return nil, err
	}
	if err := x.windowAllowed(e.Pos); err != nil {
		return nil, err
	}
	if call.Filter, err = x.filter(e); err != nil {
		return nil, err
	}
	w, err := x.window.over(e.Over)
	if err != nil {
		return nil, err
	}
	call.Frame = algebra.DefaultFrame()
	if call.UsesFrame() {
		call.Frame = w.frame
	}
	call.Column = algebra.Column{Name: name, Type: typ, Nullable: canGiveNull(call.Func)}
	if isRealSum(algebra.AggFunc(call.Func), typ) {
		call.Column.Type = algebra.TFloat64
		return roundedToReal(x.window.add(x.binder, w, call).Ref(), e.Pos), nil
	}
	if fallback, ok := lagDefault(&call); ok {
		return x.window.withDefault(x, w, call, fallback), nil
	}
	return x.window.add(x.binder, w, call).Ref(), nil
}

// windowAllowed refuses a window function where none may stand.
func (x *exprBinder) windowAllowed(pos sql.Pos) error {
	switch {
	case x.inAgg:
		return value.ErrorAt(int(pos), value.CodeGrouping, "aggregate function calls cannot contain window function calls")
	case x.inCall:
		return value.ErrorAt(int(pos), value.CodeWindowing, "window function calls cannot be nested")
	case x.window == nil:
		return value.ErrorAt(int(pos), value.CodeWindowing, "window functions are not allowed in %s", x.clause)
	}
	return nil
}

// overCall binds the function of a call with OVER and its arguments, and gives
// the type of its result.
func (x *exprBinder) overCall(name string, e *sql.FuncCall) (algebra.WindowCall, algebra.Type, error) {
	var none algebra.WindowCall
	if f := accumulator(name); f != "" && f != algebra.ApproxCountDistinct {
		agg, typ, err := x.aggregateCall(f, name, e)
		if err == nil {
			err = refuseOver(e, true)
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
	case withinGroup(name):
		return none, algebra.Type{}, value.ErrorAt(int(e.Pos), value.CodeFeatureNotSupported, "OVER is not supported for ordered-set aggregate %s", name)
	case function.Refused(function.Aggregate, name) || name == "approx_count_distinct" || orderedAggregate(name, e) != nil:
		return none, algebra.Type{}, notSupported(e.Pos, "the aggregate function "+name+" with OVER is")
	}
	f := function.Find(function.Window, name)
	args, positions, err := x.args(e)
	if err != nil {
		return none, algebra.Type{}, err
	}
	if f == nil {
		if function.Find(function.Scalar, name) == nil {
			return none, algebra.Type{}, noFunction(name, args, e.Pos)
		}
		return none, algebra.Type{}, value.ErrorAt(int(e.Pos), value.CodeWrongObjectType,
			"OVER specified, but %s is not a window function nor an aggregate function", name)
	}
	if err := refuseOver(e, false); err != nil {
		return none, algebra.Type{}, err
	}
	return windowForms[f.Form](&callSite{exprBinder: x, name: name, positions: positions, pos: e.Pos}, f, args)
}

// refuseOver names what window functions do not take.
func refuseOver(e *sql.FuncCall, aggregate bool) error {
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

// add gives the column of a call over a window.
func (g *windowing) add(b *binder, w *boundWindow, call algebra.WindowCall) algebra.Column {
	spec := g.spec(w)
	for i := range spec.calls {
		if have := &spec.calls[i]; sameCall(have, &call) {
			return have.Column
		}
	}
	call.Column = b.newColumn(call.Column.Name, call.Column.Type, call.Column.Nullable)
	spec.calls = append(spec.calls, call)
	g.made.Add(call.Column.ID)
	return call.Column
}

// spec finds or makes the window of a partition and an order.
func (g *windowing) spec(w *boundWindow) *windowSpec {
	for _, have := range g.specs {
		if sameExprs(have.partition, w.partition) && sameKeys(have.order, w.order) {
			return have
		}
	}
	spec := &windowSpec{partition: w.partition, order: w.order}
	g.specs = append(g.specs, spec)
	return spec
}

func sameCall(a, b *algebra.WindowCall) bool {
	bound := func(a, b *algebra.FrameBound) bool {
		return a.Kind == b.Kind && a.Offset == b.Offset && algebra.Equal(a.Limit, b.Limit)
	}
	return a.Func == b.Func && sameExprs(a.Args, b.Args) && algebra.Equal(a.Filter, b.Filter) &&
		a.Frame.Unit == b.Frame.Unit && a.Frame.Exclude == b.Frame.Exclude &&
		bound(&a.Frame.Start, &b.Frame.Start) && bound(&a.Frame.End, &b.Frame.End)
}

// columns are the columns of all calls.
func (g *windowing) columns() []algebra.Column {
	var cols []algebra.Column
	for _, spec := range g.specs {
		for i := range spec.calls {
			cols = append(cols, spec.calls[i].Column)
		}
	}
	return cols
}

// mapExprs replaces every expression of the windows and of QUALIFY.
func (g *windowing) mapExprs(f func(algebra.Expr) (algebra.Expr, error)) error {
	var err error
	replace := func(e algebra.Expr) algebra.Expr {
		if err != nil {
			return e
		}
		var out algebra.Expr
		out, err = f(e)
		return out
	}
	for _, spec := range g.specs {
		n := &algebra.Window{PartitionBy: spec.partition, OrderBy: spec.order, Calls: spec.calls}
		if mapped, ok := algebra.MapExprs(n, replace).(*algebra.Window); ok && err == nil {
			spec.partition, spec.order, spec.calls = mapped.PartitionBy, mapped.OrderBy, mapped.Calls
		}
	}
	if g.qualify != nil {
		g.qualify = replace(g.qualify)
	}
	return err
}

// bindQualify binds QUALIFY, which is applied once the windows are computed.
// It may use the names of the select list.
func (s *block) bindQualify() error {
	if s.sel.Qualify == nil {
		return nil
	}
	x := s.windowed("QUALIFY")
	x.output = func(id sql.Ident) (algebra.Expr, error) {
		n, err := s.outputNamed(id, "QUALIFY")
		if n < 0 {
			return nil, err
		}
		return s.items[n].expr, nil
	}
	var err error
	s.win.qualify, err = x.condition(s.sel.Qualify, "QUALIFY")
	return err
}

// addWindows computes the windows over what the block has become, and applies
// QUALIFY.
func (s *block) addWindows() {
	for _, spec := range s.win.specs {
		for i := range spec.partition {
			spec.partition[i] = s.comparedChar(spec.partition[i])
		}
		s.node = &algebra.Window{Input: s.node, PartitionBy: spec.partition, OrderBy: spec.order, Calls: spec.calls}
	}
	if s.win.qualify != nil {
		s.node = &algebra.Filter{Input: s.node, Conds: algebra.Conjuncts(s.win.qualify)}
	}
}

// outputColumn finds what an unqualified name means that no input column has,
// where the names of the select list can be used; nil for nothing.
func (x *exprBinder) outputColumn(name sql.Name) (algebra.Expr, error) {
	if x.output == nil || len(name) > 1 {
		return nil, nil
	}
	if c, err := x.scope.find(name[0]); c != nil || err != nil {
		return nil, err
	}
	return x.output(name[0])
}
