package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// guards are conditions that hold where an expression is evaluated: they may guard what its subqueries compute.
type guards struct {
	rows []algebra.Expr // of rows, without subqueries
	once []algebra.Expr // the same for all rows, with or without subqueries
}

// maxGuards is how many conditions of a kind guard a subquery at most: each is a condition of its plan.
const maxGuards = 20

// and are guards and another condition. One of rows with subqueries guards nothing, as their values would be
// computed again with each that it guards.
func (g guards) and(cond algebra.Expr) guards {
	switch {
	case isOnce(cond):
		if len(g.once) < maxGuards {
			g.once = append(slices.Clip(g.once), cond)
		}
	case !hasSubquery(cond) && firstRandom(cond) == nil && len(g.rows) < maxGuards:
		g.rows = append(slices.Clip(g.rows), cond)
	}
	return g
}

// isOnce reports whether a condition is the same for all rows, and whenever it is evaluated.
func isOnce(cond algebra.Expr) bool { return algebra.References(cond).Empty() && !varies(cond) }

// splitOnce returns the conditions that are the same for all rows, and the others.
func splitOnce(conds []algebra.Expr) (once, others []algebra.Expr) {
	for _, cond := range conds {
		if isOnce(cond) {
			once = append(once, cond)
		} else {
			others = append(others, cond)
		}
	}
	return once, others
}

// varies reports whether an expression, or a subquery in it, has another value each time.
func varies(e algebra.Expr) bool {
	found := firstRandom(e) != nil
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		if sub, ok := e.(*algebra.Subquery); ok {
			algebra.Walk(sub.Plan, func(n algebra.Node) bool {
				algebra.VisitExprs(n, func(e algebra.Expr) { found = found || varies(e) })
				return !found
			})
		}
		return !found
	})
	return found
}

// empty reports whether nothing guards.
func (g guards) empty() bool { return len(g.rows)+len(g.once) == 0 }

// among reports whether all guards are among others.
func (g guards) among(others guards) bool {
	within := func(some, all []algebra.Expr) bool {
		return !slices.ContainsFunc(some, func(guard algebra.Expr) bool {
			return !slices.ContainsFunc(all, func(e algebra.Expr) bool { return algebra.Equal(e, guard) })
		})
	}
	return within(g.rows, others.rows) && within(g.once, others.once)
}

// branches returns a CASE without subqueries. One that stands in a result and may raise an error
// is evaluated for the rows that take this result: the conditions are there to guard it.
func (v *valuer) branches(n *algebra.Case) algebra.Expr {
	out := &algebra.Case{Typ: n.Typ}
	around := v.guards
	before := around
	for _, when := range n.Whens {
		v.guards = before
		cond := v.expr(when.Cond)
		for _, part := range algebra.Conjuncts(when.Cond) {
			v.guard(part)
		}
		out.Whens = append(out.Whens, algebra.When{Cond: cond, Then: v.expr(when.Then)})
		v.guards = before
		v.guard(newCall(algebra.Not, newCall(algebra.IsTrue, when.Cond)))
		before = v.guards
	}
	if n.Else != nil {
		out.Else = v.expr(n.Else)
	}
	v.guards = around
	return out
}

// operands returns an AND or OR without subqueries. One that may raise an error is evaluated for the
// rows for which the operands before it do not decide.
func (v *valuer) operands(n *algebra.Call) algebra.Expr {
	decides := algebra.IsTrue
	if n.Func == algebra.And {
		decides = algebra.IsFalse
	}
	around := v.guards
	mapped := algebra.MapOperands(n, func(operand algebra.Expr) algebra.Expr {
		out := v.expr(operand)
		v.guard(newCall(algebra.Not, newCall(decides, operand)))
		return out
	})
	v.guards = around
	return mapped
}

// guard adds a condition to the guards, but for one on a row of a subquery whose test is at hand: what the test
// computes of the row around the subquery is computed before.
func (v *valuer) guard(cond algebra.Expr) {
	if !algebra.References(cond).Intersects(v.tested) {
		v.guards = v.guards.and(cond)
	}
}

// guarded computes a subquery, for the rows that pass the guards alone where it needs them. Then it
// has columns of its own, as it may stand in other places too.
func (v *valuer) guarded(sub *algebra.Subquery) known {
	around, late := v.guards, v.late
	defer func() { v.guards, v.late = around, late }()
	v.guards = v.needed(sub)
	v.late = !around.empty() && algebra.References(sub).Empty()
	if v.guards.empty() {
		return known{v.value(sub), guards{}}
	}
	own := *sub
	plan, of := v.clone(v.node(sub.Plan))
	own.Plan = v.gated(plan)
	if sub.Test != nil {
		own.Test = of.expr(sub.Test)
	}
	return known{v.value(&own), v.guards}
}

// needed are the guards that a subquery needs: none where it raises no error, and none on rows where it is the same
// for all of them, as it is computed once.
func (v *valuer) needed(sub *algebra.Subquery) guards {
	needed := v.guards
	if algebra.References(sub).Empty() {
		needed.rows = nil
	}
	if needed.empty() || !planMayRaise(sub.Plan) && (sub.Test == nil || !algebra.MayRaise(sub.Test, nil)) {
		return guards{}
	}
	return needed
}

func planMayRaise(n algebra.Node) bool {
	raises := false
	algebra.Walk(n, func(n algebra.Node) bool {
		raises = raises || nodeMayRaise(n)
		return !raises
	})
	return raises
}

func nodeMayRaise(n algebra.Node) bool {
	raises := false
	algebra.VisitExprs(n, func(e algebra.Expr) { raises = raises || algebra.MayRaise(e, nil) })
	return raises
}

// gated has what a plan without subqueries computes, and may raise an error, computed only where the guards hold that
// are the same for all rows: they are a column of one row, which is joined where they are needed.
func (v *valuer) gated(n algebra.Node) algebra.Node {
	if len(v.guards.once) == 0 || !planMayRaise(n) {
		return n
	}
	item := algebra.Item{Column: v.newColumn(algebra.Column{Name: "guard", Type: algebra.TBool, Nullable: true}), Expr: algebra.Conjunction(v.guards.once)}
	gate := v.node(&algebra.Project{Input: &algebra.Values{Rows: [][]value.Value{{}}}, Items: []algebra.Item{item}})
	gate = withColumns(gate, []algebra.Column{item.Column})
	return algebra.Transform(n, func(n algebra.Node) algebra.Node {
		inputs := slices.Clone(algebra.Inputs(n))
		if len(inputs) == 0 || !nodeMayRaise(n) {
			return n
		}
		once, of := v.clone(gate)
		inputs[0] = &algebra.Join{Kind: algebra.JoinInner, Left: inputs[0], Right: once}
		mapped := algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr {
			if !algebra.MayRaise(e, nil) {
				return e
			}
			return guarded(of.of(item.Column).Ref(), e)
		})
		return withColumns(algebra.WithInputs(mapped, inputs...), n.Columns())
	})
}

// computedLate returns the aggregates of a plan with one row, and the value that is computed of them, where that is to be
// late and may raise an error.
func (v *valuer) computedLate(plan algebra.Node, id algebra.ColumnID) (in algebra.Node, e algebra.Expr) {
	p, ok := plan.(*algebra.Project)
	if !ok || !v.late || !hasOneRow(p) {
		return nil, nil
	}
	for _, item := range p.Items {
		if item.Column.ID == id && algebra.MayRaise(item.Expr, nil) && firstRandom(item.Expr) == nil {
			return p.Input, item.Expr
		}
	}
	return nil, nil
}
