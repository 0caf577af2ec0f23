package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// restrictOrs adds, for an OR over several relations that inner joins bring
// together, what it demands of each of them: of (a.x = 1 AND b.y = 2) OR (a.x =
// 3 AND b.y = 4) follow a.x IN (1, 3) and b.y IN (2, 4), which go down to the
// tables. The OR stays.
//
//	before: join of t and u if (t.k = 1 AND u.z = 2) OR (t.k = 3 AND u.z = 4)
//	after:  the same, and t.k IN (1, 3), u.z IN (2, 4)
//	never:  t.k = 1 OR u.z = 4: neither demands anything of one table alone
func restrictOrs(c *context, n algebra.Node) algebra.Node {
	group := gather(n)
	if len(group.joins) == 0 {
		return algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return restrictOrs(c, in) })
	}
	var derived []algebra.Expr
	out := group.mapLeaves(n, func(leaf algebra.Node) algebra.Node {
		derived = append(derived, group.restrict(leaf, c)...)
		return restrictOrs(c, leaf)
	})
	if len(derived) == 0 {
		return out
	}
	return &algebra.Filter{Input: out, Conds: derived}
}

// restrict returns what the conditions of a group demand of one relation of it,
// as far as that leaves out enough rows to be worth its evaluation.
func (g *joinGroup) restrict(leaf algebra.Node, c *context) []algebra.Expr {
	const worthwhile = 0.8 // of the rows are kept at most
	if !slices.ContainsFunc(g.conds, isOr) {
		return nil
	}
	cols := algebra.Outputs(leaf)
	known := newExprSet(g.conds)
	var out []algebra.Expr
	for _, cond := range g.conds {
		if !isOr(cond) || algebra.References(cond).SubsetOf(cols) {
			continue
		}
		for _, part := range algebra.Conjuncts(c.fold(demandedOf(cond.(*algebra.Call), cols))) {
			if c.est.Of(leaf).Selectivity([]algebra.Expr{part}) <= worthwhile && known.add(part) {
				out = append(out, part)
			}
		}
	}
	return out
}

func isOr(e algebra.Expr) bool {
	call, ok := e.(*algebra.Call)
	return ok && call.Func == algebra.Or
}

// demandedOf is the part of an OR that is about some columns: true where an
// operand says nothing of them. A condition that may raise an error is not taken
// from those beside it that can guard it.
func demandedOf(or *algebra.Call, cols algebra.ColSet) algebra.Expr {
	operands := make([]algebra.Expr, len(or.Args))
	for i, arg := range or.Args {
		var own []algebra.Expr
		for _, cond := range algebra.Conjuncts(arg) {
			refs := algebra.References(cond)
			if !refs.Empty() && refs.SubsetOf(cols) && !algebra.MayRaise(cond, nil) {
				own = append(own, cond)
			}
		}
		if len(own) == 0 {
			return boolConst(true)
		}
		operands[i] = algebra.Conjunction(own)
	}
	return newCall(algebra.Or, operands...)
}
