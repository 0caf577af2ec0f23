// Package unnest is the operator that gives each row as often as an expression
// says.
package unnest

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator repeats rows and numbers the copies of each.
type Operator struct {
	operators.RowByRow

	Times   algebra.Expr
	Ordinal algebra.Column
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	return operators.Traits{
		Name: "unnest", Detail: o.Times.String(), Passes: true, Result: operators.Thread,
		Needs: operators.Needs{Parts: machine.Parts{Stage: 1}},
	}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return []algebra.Column{o.Ordinal} }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return algebra.References(o.Times) }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Compute: o.compute, Gather: materialize.Compact}
}

func (o *Operator) compute(w *operators.Weave) {
	times := w.Expr(o.Times)
	w.Unique = algebra.ColSet{}
	w.Bind(o.Ordinal, w.Repeat(w.Count(times)))
}
