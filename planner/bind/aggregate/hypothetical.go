package aggregate

import (
	"fmt"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Hypothetical binds name(v, …) WITHIN GROUP (ORDER BY k, …): it counts the rows before
// those of the values, and for cume_dist those beside it.
func Hypothetical(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	for _, arg := range e.Args {
		if v := x.Without("aggregates").Expr(arg); term.Depends(v) {
			panic(term.NotSupported(arg.Position(), name+" WITHIN GROUP of a value that is not constant is"))
		}
	}
	if len(e.Args) != len(e.WithinGroup) {
		panic(wrongNumber(x, name, e))
	}
	h := &hypotheticalCall{Exprs: x, call: e}
	before := h.before()
	if name == "dense_rank" {
		return h.next(h.countKeys(before))
	}
	seen := h.count(before)
	if name == "rank" {
		return h.next(seen)
	}
	all := h.count(nil)
	if name == "cume_dist" {
		peers := h.count(h.alike(len(e.Args)))
		return h.ratio(h.next(term.Call(algebra.Add, algebra.TInt64, e.Pos, seen, peers)), h.next(all))
	}
	none := algebra.When{Cond: term.Call(algebra.Eq, algebra.TBool, e.Pos, all, term.Int64Value(0)), Then: term.FloatConst(0)}
	return &algebra.Case{Whens: []algebra.When{none}, Else: h.ratio(seen, all), Typ: algebra.TFloat64}
}

// wrongNumber is the error for a number of values that is not that of the keys.
func wrongNumber(x *scope.Exprs, name string, e *sql.FuncCall) error {
	args, _ := convert.Args(x.InAggregate(), e)
	for _, key := range e.WithinGroup {
		args = append(args, x.InAggregate().Expr(key.Expr))
	}
	return &value.Error{
		Code: value.CodeUndefinedFunction, Message: "function " + term.SignatureText(name, args) + " does not exist", Pos: int(e.Pos),
		Hint: fmt.Sprintf("To use the hypothetical-set aggregate %s, the number of hypothetical direct arguments (here %d) must match the number of ordering columns (here %d).",
			name, len(e.Args), len(e.WithinGroup)),
	}
}

// hypotheticalCall is one such call.
type hypotheticalCall struct {
	*scope.Exprs
	call *sql.FuncCall
}

func (h *hypotheticalCall) next(n algebra.Expr) algebra.Expr {
	return term.Call(algebra.Add, algebra.TInt64, h.call.Pos, n, term.Int64Value(1))
}

func (h *hypotheticalCall) either(op string, l, r sql.Expr) sql.Expr {
	if l == nil {
		return r
	}
	return &sql.Binary{Op: op, L: l, R: r, Pos: h.call.Pos}
}

// before is the condition that a row stands before the values: at the first key that is not like its value.
func (h *hypotheticalCall) before() (before sql.Expr) {
	for i := range h.call.Args {
		before = h.either("or", before, h.either("and", h.alike(i), h.beforeAt(i)))
	}
	return before
}

// alike is the condition that the first n keys are the values; nil for no keys.
func (h *hypotheticalCall) alike(n int) (alike sql.Expr) {
	for i, v := range h.call.Args[:n] {
		alike = h.either("and", alike, &sql.IsDistinct{L: h.call.WithinGroup[i].Expr, R: v, Not: true, Pos: h.call.Pos})
	}
	return alike
}

// beforeAt is the condition that one key stands before its value.
func (h *hypotheticalCall) beforeAt(i int) sql.Expr {
	by, v, pos := h.call.WithinGroup[i], h.call.Args[i], h.call.Pos
	op, nullsFirst := "<", by.Desc
	if by.Desc {
		op = ">"
	}
	if by.Nulls != sql.NullsDefault {
		nullsFirst = by.Nulls == sql.NullsFirst
	}
	null := &sql.Binary{
		Op: "and", Pos: pos,
		L: &sql.Is{X: by.Expr, What: "null", Not: !nullsFirst, Pos: pos}, R: &sql.Is{X: v, What: "null", Not: nullsFirst, Pos: pos},
	}
	return &sql.Binary{Op: "or", L: &sql.Binary{Op: op, L: by.Expr, R: v, Pos: pos}, R: null, Pos: pos}
}

// counting is a call that counts the rows for which a condition holds, all for nil.
func (h *hypotheticalCall) counting(cond sql.Expr) *sql.FuncCall {
	filter := h.call.Filter
	switch {
	case filter == nil:
		filter = cond
	case cond != nil:
		filter = &sql.Binary{Op: "and", L: filter, R: cond, Pos: h.call.Pos}
	}
	return &sql.FuncCall{Name: h.call.Name, Star: true, Filter: filter, OrderBy: h.call.WithinGroup, Pos: h.call.Pos}
}

func (h *hypotheticalCall) count(cond sql.Expr) algebra.Expr {
	return Bind(h.Exprs, algebra.Count, "count", h.counting(cond))
}

// countKeys counts the different keys of the rows for which a condition holds; NULL is one.
func (h *hypotheticalCall) countKeys(cond sql.Expr) algebra.Expr {
	c := h.counting(cond)
	c.Star, c.Distinct, c.OrderBy = false, true, nil
	if len(h.call.Args) > 1 {
		keys := lists.Map(h.call.WithinGroup, func(by sql.OrderItem) sql.Expr { return by.Expr })
		c.Args = []sql.Expr{&sql.Row{Exprs: keys, Pos: h.call.Pos}}
		return Ordered(h.Exprs, "count", c, countDistinctRows)
	}
	c.Args = []sql.Expr{h.call.WithinGroup[0].Expr}
	null := &sql.Is{X: c.Args[0], What: "null", Pos: h.call.Pos}
	nulls := h.count(h.either("and", cond, null))
	some := term.Call(algebra.Gt, algebra.TBool, h.call.Pos, nulls, term.Int64Value(0))
	one := &algebra.Case{Whens: []algebra.When{{Cond: some, Then: term.Int64Value(1)}}, Else: term.Int64Value(0), Typ: algebra.TInt64}
	return term.Call(algebra.Add, algebra.TInt64, h.call.Pos, Bind(h.Exprs, algebra.Count, "count", c), one)
}

// ratio is the quotient of two numbers of rows.
func (h *hypotheticalCall) ratio(n, of algebra.Expr) algebra.Expr {
	float := func(e algebra.Expr) algebra.Expr { return term.Call(algebra.Cast, algebra.TFloat64, h.call.Pos, e) }
	return term.Call(algebra.Div, algebra.TFloat64, h.call.Pos, float(n), float(of))
}
