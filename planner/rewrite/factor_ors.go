package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// factorOrs takes what all operands of an OR demand out of it: of (a AND b) OR
// (a AND c) it makes a AND (b OR c), so that a can become the key of a join or
// go down to a table. A condition that may raise an error stays where those
// beside it can guard it.
//
//	before: filter (a AND b) OR (a AND c)
//	after:  filter a AND (b OR c)
//	never:  (b <> 0 AND 10/b > 1) OR (b <> 1 AND 10/b > 1): 10/b may raise
func factorOrs(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		out := algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr { return algebra.RewriteExpr(e, factorOr) })
		if f, ok := out.(*algebra.Filter); ok && out != n {
			return foldFilter(f)
		}
		if j, ok := out.(*algebra.Join); ok && out != n {
			return foldJoin(j)
		}
		return out
	})
}

func factorOr(e algebra.Expr) algebra.Expr {
	or, ok := e.(*algebra.Call)
	if !ok || or.Func != algebra.Or {
		return e
	}
	var common []algebra.Expr
	for _, cond := range algebra.Conjuncts(or.Args[0]) {
		if !algebra.MayRaise(cond, nil) && inAll(or.Args[1:], cond) {
			common = append(common, cond)
		}
	}
	if len(common) == 0 {
		return e
	}
	rest := make([]algebra.Expr, len(or.Args))
	for i, arg := range or.Args {
		var own []algebra.Expr
		for _, cond := range algebra.Conjuncts(arg) {
			if !algebra.Contains(common, cond) {
				own = append(own, cond)
			}
		}
		if len(own) == 0 { // (a AND b) OR a is a
			return algebra.Conjunction(common)
		}
		rest[i] = algebra.Conjunction(own)
	}
	return algebra.Conjunction(append(common, newCall(algebra.Or, rest...)))
}

// inAll reports whether a condition is a conjunct of every operand.
func inAll(args []algebra.Expr, cond algebra.Expr) bool {
	return !slices.ContainsFunc(args, func(arg algebra.Expr) bool { return !algebra.Contains(algebra.Conjuncts(arg), cond) })
}
