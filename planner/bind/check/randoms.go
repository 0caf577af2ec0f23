package check

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
)

// Randoms refuses random() in queries that are evaluated for each row of
// another one: they become joins, in which rows share values.
func Randoms(b *scope.Binder, n algebra.Node) error {
	if b.Randoms == 0 {
		return nil
	}
	var err error
	algebra.Walk(n, func(n algebra.Node) bool {
		if apply, ok := n.(*algebra.Apply); ok && err == nil {
			err = randomError(apply.Right, "LATERAL")
		}
		algebra.VisitExprs(n, func(e algebra.Expr) {
			algebra.WalkExpr(e, func(e algebra.Expr) bool {
				sub, ok := e.(*algebra.Subquery)
				if !ok || err != nil {
					return err == nil
				}
				if !algebra.References(sub).Empty() {
					err = randomError(sub.Plan, "a correlated subquery")
				}
				if err == nil {
					err = Randoms(b, sub.Plan)
				}
				return err == nil
			})
		})
		return err == nil
	})
	return err
}

// randomError is the refusal of the first random() in a plan and its subqueries.
func randomError(n algebra.Node, where string) error {
	var err error
	algebra.Walk(n, func(n algebra.Node) bool {
		algebra.VisitExprs(n, func(e algebra.Expr) {
			algebra.WalkExpr(e, func(e algebra.Expr) bool {
				switch e := e.(type) {
				case *algebra.Call:
					if e.Func == algebra.Random && err == nil {
						err = term.NotSupported(sql.Pos(e.Pos), "random() in "+where+" is")
					}
				case *algebra.Subquery:
					if err == nil {
						err = randomError(e.Plan, where)
					}
				}
				return err == nil
			})
		})
		return err == nil
	})
	return err
}
