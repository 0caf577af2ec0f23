package algebra

import "github.com/cubeloom/cubeloom/sql/value"

func (v *verifier) expr(e Expr, scope scope) {
	if v.err != nil {
		return
	}
	if e == nil {
		v.failf("an expression is missing")
		return
	}
	if e.Type().Kind == Unknown {
		v.failf("%s has an unknown type", e)
	}
	switch e := e.(type) {
	case *Const:
		v.constant(e)
	case *ColumnRef:
		v.ref(e, scope)
	case *Call:
		for _, arg := range e.Args {
			v.expr(arg, scope)
		}
		if v.err == nil && !validCall(e) {
			v.failf("no %s of %s giving %s: %s", e.Func, argTypes(e), e.Typ, e)
		}
	case *Case:
		v.caseExpr(e, scope)
	case *Subquery:
		v.subquery(e, scope)
	}
}

// subquery checks a subquery, of several copies the first.
func (v *verifier) subquery(e *Subquery, scope scope) {
	if v.seen[e.ID] {
		return
	}
	v.seen[e.ID] = true
	if e.ID <= 0 || v.made.Has(e.ID) {
		v.failf("a subquery has the ID %d", e.ID)
	}
	v.within(scope, func() {
		v.node(e.Plan)
		if v.err == nil && e.Kind == SubqueryAny {
			v.expr(e.Test, v.scope(e.Plan.Columns()))
			v.conditions([]Expr{e.Test})
		}
	})
	if v.err != nil {
		return
	}
	cols := e.Plan.Columns()
	fits := e.Typ == TBool
	if e.Kind == SubqueryScalar {
		fits = len(cols) == 1 && cols[0].Type == e.Typ
	}
	if !fits || (e.Test != nil) != (e.Kind == SubqueryAny) {
		v.failf("%s subquery of type %s over %d columns", e.Kind, e.Typ, len(cols))
	}
}

func argTypes(e *Call) string {
	s := "("
	for i, arg := range e.Args {
		if i > 0 {
			s += ", "
		}
		s += arg.Type().String()
	}
	return s + ")"
}

func (v *verifier) ref(e *ColumnRef, scope scope) {
	have, ok := scope[e.Column.ID]
	switch {
	case !ok:
		v.failf("column %s#%d is not in the input", e.Column.Name, e.Column.ID)
	case have.Type != e.Column.Type:
		v.failf("column %s#%d is %s in the input and %s here", e.Column.Name, e.Column.ID, have.Type, e.Column.Type)
	case have.Nullable && !e.Column.Nullable:
		v.failf("column %s#%d can be NULL in the input and not here", e.Column.Name, e.Column.ID)
	}
}

func (v *verifier) caseExpr(e *Case, scope scope) {
	if len(e.Whens) == 0 {
		v.failf("CASE without WHEN")
	}
	for _, when := range e.Whens {
		v.expr(when.Cond, scope)
		v.expr(when.Then, scope)
		if v.err == nil && (when.Cond.Type().Kind != Bool || !isBranchOf(when.Then.Type(), e.Typ)) {
			v.failf("arm of types %s and %s in a CASE of %s", when.Cond.Type(), when.Then.Type(), e.Typ)
		}
	}
	if e.Else != nil {
		v.expr(e.Else, scope)
		if v.err == nil && !isBranchOf(e.Else.Type(), e.Typ) {
			v.failf("ELSE of type %s in a CASE of %s", e.Else.Type(), e.Typ)
		}
	}
}

// isBranchOf reports whether a branch of a type can be one of a CASE of type typ:
// texts of any length can.
func isBranchOf(branch, typ Type) bool {
	return branch == typ || branch.Kind == Text && typ == TText || branch.HasTimeModifier() && branch.Plain() == typ
}

// constant checks that the value's kind fits the type.
func (v *verifier) constant(c *Const) {
	var ok bool
	switch c.Val.Kind {
	case value.Null:
		ok = true
	case value.Bool:
		ok = c.Typ.Kind == Bool
	case value.Int:
		ok = c.Typ.IsInteger() || c.Typ.Kind == Date || c.Typ.Kind == Timestamp || c.Typ.Kind == TimestampTZ || c.Typ.Kind == Time || c.Typ.Kind == Enum
	case value.Float:
		ok = c.Typ.IsFloat()
	case value.Decimal:
		ok = c.Typ.Kind == Numeric || c.Typ.Kind == Decimal && c.Typ.Scale == c.Val.Num.Scale
	case value.Text:
		ok = c.Typ.IsString()
	case value.Intervals:
		ok = c.Typ.Kind == Interval
	}
	if !ok {
		v.failf("constant %s does not fit type %s", c, c.Typ)
	}
}

func (v *verifier) agg(a *Agg, scope scope) {
	if args := a.Func.Row().Args; (a.Arg != nil) != (args > 0) || (a.Arg2 != nil) != (args > 1) {
		v.failf("%s has the wrong number of arguments", a.Func)
		return
	}
	want := TInt64
	if a.Arg != nil {
		v.expr(a.Arg, scope)
		typ, ok := AggResult(a.Func, a.Arg.Type())
		if !ok {
			v.failf("%s of %s", a.Func, a.Arg.Type())
		}
		want = typ
	}
	if a.Arg2 != nil {
		v.expr(a.Arg2, scope)
		if a.Arg2.Type() != a.Arg.Type() || a.Distinct {
			v.failf("%s of %s", a.Func, a.Arg2.Type())
		}
	}
	if a.Column.Type != want {
		v.failf("%s gives %s, its column is %s", AggText(a, false), want, a.Column.Type)
	}
	if a.Filter != nil {
		v.expr(a.Filter, scope)
		if a.Filter.Type().Kind != Bool {
			v.failf("filter %s is %s", a.Filter, a.Filter.Type())
		}
	}
	v.produce(a.Column)
}
