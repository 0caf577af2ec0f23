package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// InDomain is a value of the type of a domain's values as a value of the domain: it raises an error where
// it does not fulfil the domain's conditions. A domain that is nil is none.
func InDomain(x *scope.Exprs, e algebra.Expr, d *algebra.Domain) algebra.Expr {
	if of := x.DomainOf(e); d == nil || of != nil && of.OID == d.OID {
		return e
	}
	var conds []algebra.Expr
	require := func(cond algebra.Expr, constraint string) {
		conds = append(conds, term.Call(value.DomainKept, algebra.TBool, sql.NoPos,
			term.TextConst(d.String()), term.TextConst(d.Schema), term.TextConst(d.Name), term.TextConst(constraint), cond))
	}
	if d.Refuses() {
		require(term.NotNull(e), "")
	}
	for _, check := range d.AllChecks() {
		parsed := sqlstate.Must(sql.ParseExpr(check.Text))
		sql.MoveTo(parsed, sql.NoPos)
		broken := term.Call(algebra.IsFalse, algebra.TBool, sql.NoPos, DomainCondition(x, d, parsed, e))
		require(term.NegateIf(true, broken), check.Name)
	}
	if len(conds) == 0 {
		conds = append(conds, &algebra.Const{Val: value.Value{Kind: value.Bool, B: true}, Typ: algebra.TBool})
	}
	of := &algebra.Case{Whens: []algebra.When{{Cond: term.Connect(algebra.And, conds, sql.NoPos), Then: e}}, Typ: e.Type()}
	x.Domains[of] = d
	return of
}

// DomainCondition binds a condition of a domain for a value, which VALUE stands for.
func DomainCondition(x *scope.Exprs, d *algebra.Domain, e sql.Expr, of algebra.Expr) algebra.Expr {
	x.Enter(sql.NoPos)
	defer x.Leave()
	f := &scope.UserFunction{Name: d.Name, Params: []scope.Parameter{{Name: "value", Type: d.Base}}}
	env := x.InText(f, []algebra.Expr{of})
	inner := &scope.Exprs{Binder: x.Binder, Scope: &scope.Scope{}, Env: env, Clause: "check constraints", Alone: "check constraint"}
	return Condition(inner, e, "CHECK")
}
