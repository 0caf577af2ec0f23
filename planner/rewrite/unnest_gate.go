package rewrite

import (
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// A gate is a plan of one row with a column that says whether the guards hold that are the same for all rows.
type gate struct {
	plan  algebra.Node
	holds algebra.Column
}

// behind has what a plan without subqueries computes, and may raise an error, computed only where a gate holds, which
// is joined where it is needed.
func (c *context) behind(n algebra.Node, g gate) algebra.Node {
	return algebra.Transform(n, func(n algebra.Node) algebra.Node {
		inputs := slices.Clone(algebra.Inputs(n))
		if len(inputs) == 0 || !nodeMayRaise(n) {
			return n
		}
		once, of := c.clone(g.plan)
		inputs[0] = &algebra.Join{Kind: algebra.JoinInner, Left: inputs[0], Right: once}
		mapped := algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr {
			if !algebra.MayRaise(e, nil) {
				return e
			}
			return guarded(of.of(g.holds).Ref(), e)
		})
		return withColumns(algebra.WithInputs(mapped, inputs...), n.Columns())
	})
}

// passing is, as a guard, that a row passes the guards on rows. A plan that is the same for all rows, and may raise an
// error, is computed only where one does. It takes the relation twice, up to the first such row.
func (v *valuer) passing(plan algebra.Node) []algebra.Expr {
	if p, ok := plan.(*algebra.Project); ok && v.late && hasOneRow(p) {
		plan = p.Input // what it computes is computed late
	}
	conds := slices.DeleteFunc(slices.Clone(v.guards.rows), func(cond algebra.Expr) bool {
		return !algebra.References(cond).SubsetOf(algebra.Outputs(v.in)) || mayRaiseOver(cond, v.in)
	})
	if len(conds) == 0 || !algebra.FreeColumns(plan).Empty() || !algebra.FreeColumns(v.in).Empty() || !planMayRaise(plan) {
		return nil
	}
	rows, _ := v.clone(filter(sourceOf(v.in, algebra.References(algebra.Conjunction(conds))), conds))
	found := algebra.Item{Column: v.newColumn(algebra.Column{Name: "found", Type: algebra.TBool}), Expr: boolConst(true)}
	one := &algebra.Project{Input: &algebra.Limit{Input: rows, Count: 1}, Items: []algebra.Item{found}}
	return []algebra.Expr{&algebra.Subquery{ID: v.newColumn(found.Column).ID, Kind: algebra.SubqueryScalar, Plan: one, Typ: algebra.TBool}}
}

// operandsWhere has the operands of the comparisons in a test, where they may raise an error, computed only where a
// condition holds. The comparisons stay, since joins go by them.
func operandsWhere(cond, test algebra.Expr) algebra.Expr {
	if !algebra.MayRaise(test, nil) {
		return test
	}
	if call, ok := test.(*algebra.Call); ok && (call.Func == algebra.And || mirror[call.Func] != "") {
		return algebra.MapOperands(call, func(e algebra.Expr) algebra.Expr { return operandsWhere(cond, e) })
	}
	return guarded(cond, test)
}

func planMayRaise(n algebra.Node) bool {
	raises := false
	algebra.Walk(n, func(n algebra.Node) bool {
		raises = raises || nodeMayRaise(n)
		return !raises
	})
	return raises
}

// nodeMayRaise reports whether an expression of a node may raise an error. What is known of the columns is looked for
// only where it could help.
func nodeMayRaise(n algebra.Node) bool {
	raises := func(ranges algebra.Ranges) (found bool) {
		algebra.VisitExprs(n, func(e algebra.Expr) { found = found || algebra.MayRaise(e, ranges) })
		return found
	}
	if !raises(nil) {
		return false
	}
	known := make(algebra.Ranges)
	for _, in := range algebra.Inputs(n) {
		maps.Copy(known, algebra.ColumnRanges(in))
	}
	return raises(known)
}
