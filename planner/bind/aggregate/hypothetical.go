package aggregate

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
)

// Hypothetical binds name(v) WITHIN GROUP (ORDER BY k): it counts the rows before
// those of v, and for cume_dist those beside it.
func Hypothetical(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	if len(e.Args) != 1 || len(e.WithinGroup) != 1 {
		panic(term.NotSupported(e.Pos, name+" WITHIN GROUP of several expressions is"))
	}
	v := x.Without("aggregates").Expr(e.Args[0])
	if term.Depends(v) {
		panic(term.NotSupported(e.Args[0].Position(), name+" WITHIN GROUP of a value that is not constant is"))
	}
	h := &hypotheticalCall{Exprs: x, call: e, key: e.WithinGroup[0]}
	before := h.before()
	seen := h.count(before, name == "dense_rank")
	if name == "dense_rank" {
		null := &sql.Is{X: h.key.Expr, What: "null", Pos: e.Pos}
		nulls := h.count(&sql.Binary{Op: "and", L: before, R: null, Pos: e.Pos}, false)
		some := term.Call(algebra.Gt, algebra.TBool, e.Pos, nulls, term.Int64Value(0))
		one := &algebra.Case{Whens: []algebra.When{{Cond: some, Then: term.Int64Value(1)}}, Else: term.Int64Value(0), Typ: algebra.TInt64}
		seen = term.Call(algebra.Add, algebra.TInt64, e.Pos, seen, one)
	}
	next := func(n algebra.Expr) algebra.Expr {
		return term.Call(algebra.Add, algebra.TInt64, e.Pos, n, term.Int64Value(1))
	}
	if name == "rank" || name == "dense_rank" {
		return next(seen)
	}
	all := h.count(nil, false)
	if name == "cume_dist" {
		peers := h.count(&sql.IsDistinct{L: h.key.Expr, R: e.Args[0], Not: true, Pos: e.Pos}, false)
		return h.ratio(next(term.Call(algebra.Add, algebra.TInt64, e.Pos, seen, peers)), next(all))
	}
	none := algebra.When{Cond: term.Call(algebra.Eq, algebra.TBool, e.Pos, all, term.Int64Value(0)), Then: term.FloatConst(0)}
	return &algebra.Case{Whens: []algebra.When{none}, Else: h.ratio(seen, all), Typ: algebra.TFloat64}
}

// hypotheticalCall is one such call, its key being the one of WITHIN GROUP.
type hypotheticalCall struct {
	*scope.Exprs
	call *sql.FuncCall
	key  sql.OrderItem
}

// before is the condition that a row stands before the value.
func (h *hypotheticalCall) before() sql.Expr {
	key, v, pos := h.key.Expr, h.call.Args[0], h.call.Pos
	op, nullsFirst := "<", h.key.Desc
	if h.key.Desc {
		op = ">"
	}
	if h.key.Nulls != sql.NullsDefault {
		nullsFirst = h.key.Nulls == sql.NullsFirst
	}
	null := &sql.Binary{
		Op: "and", Pos: pos,
		L: &sql.Is{X: key, What: "null", Not: !nullsFirst, Pos: pos}, R: &sql.Is{X: v, What: "null", Not: nullsFirst, Pos: pos},
	}
	return &sql.Binary{Op: "or", L: &sql.Binary{Op: op, L: key, R: v, Pos: pos}, R: null, Pos: pos}
}

// count counts the rows for which a condition holds, all for nil, or their keys.
func (h *hypotheticalCall) count(cond sql.Expr, distinct bool) algebra.Expr {
	filter := h.call.Filter
	switch {
	case filter == nil:
		filter = cond
	case cond != nil:
		filter = &sql.Binary{Op: "and", L: filter, R: cond, Pos: h.call.Pos}
	}
	c := &sql.FuncCall{Name: h.call.Name, Star: true, Filter: filter, OrderBy: []sql.OrderItem{h.key}, Pos: h.call.Pos}
	if distinct {
		c.Star, c.Distinct, c.Args = false, true, []sql.Expr{h.key.Expr}
	}
	return Bind(h.Exprs, algebra.Count, "count", c)
}

// ratio is the quotient of two numbers of rows.
func (h *hypotheticalCall) ratio(n, of algebra.Expr) algebra.Expr {
	float := func(e algebra.Expr) algebra.Expr { return term.Call(algebra.Cast, algebra.TFloat64, h.call.Pos, e) }
	return term.Call(algebra.Div, algebra.TFloat64, h.call.Pos, float(n), float(of))
}
