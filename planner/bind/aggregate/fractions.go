package aggregate

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ofFractions is a percentile that also takes an array of fractions: then it is the array of the percentiles of
// each, and NULL without rows.
func ofFractions(percentile func(c *scope.OrderedCall) algebra.Expr) func(c *scope.OrderedCall) algebra.Expr {
	return func(c *scope.OrderedCall) algebra.Expr {
		if len(c.Args) != 1 || len(c.Order) != 1 || c.Args[0].Type().Kind != algebra.Array {
			return percentile(c)
		}
		list := c.Args[0]
		switch {
		case sqltype.CastNeeds(list.Type().Element().Kind, algebra.Float64) != sqltype.Implicit:
			panic(noFunction(c))
		case !algebra.References(list).Empty(), term.HasSubquery(list):
			panic(term.NotSupported(c.Positions[0], c.Name+" of fractions that are not constant is"))
		}
		fractions := c.Constant(list, int(c.Positions[0]))
		of := func(fraction algebra.Expr) algebra.Expr {
			c.Args = []algebra.Expr{fraction}
			return percentile(c)
		}
		defer func() { c.Args = []algebra.Expr{list} }()
		some := of(term.FloatConst(0))
		if fractions.Val.Kind == value.Null {
			return &algebra.Const{Typ: algebra.TArray(some.Type())}
		}
		var percentiles []algebra.Expr
		for _, fraction := range sqlstate.Must(expression.ConstantElements(c.Binder, fractions)) {
			percentiles = append(percentiles, of(fraction))
		}
		all := expression.ArrayOf(c.Exprs, percentiles, some.Type(), c.Pos)
		return &algebra.Case{Whens: []algebra.When{{Cond: term.NotNull(some), Then: all}}, Typ: all.Type()}
	}
}
