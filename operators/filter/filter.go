// Package filter is the operator that keeps the rows for which conditions are
// true: SELECT in the words of the paper.
package filter

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator keeps the rows for which every condition is true. The conditions
// are evaluated in order, each only on rows that passed those before it.
type Operator struct {
	operators.RowByRow
	Conds []algebra.Expr
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	return operators.Traits{
		Name: "filter", Detail: operators.List(o.Conds, " AND "), Passes: true, Result: operators.Thread,
		Needs: operators.Needs{Parts: operators.Operations(o.Conds...).Plus(machine.Parts{Filter: float64(len(o.Conds))})},
	}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return nil }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return operators.References(o.Conds) }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Compute: o.compute, Gather: materialize.Compact}
}

func (o *Operator) compute(w *operators.Weave) {
	for _, cond := range o.Conds {
		v := w.Expr(cond)
		w.Emit(&kernel.Filter{Cond: v})
		w.Prune(v)
	}
}
