// Package setop is the operator that ends INTERSECT and EXCEPT. Both inputs are
// united, each row tagged with its side, and grouped by all columns; what is
// left is to say how often a row with given counts on the two sides is in the
// result.
package setop

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator keeps, or with All repeats, rows by the counts of their
// occurrences on both sides.
type Operator struct {
	operators.RowByRow

	Kind        algebra.SetKind
	All         bool
	Left, Right algebra.Column
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := string(o.Kind)
	if o.All {
		detail += " all"
	}
	return operators.Traits{
		Name: "setop", Detail: detail, Passes: true, Result: operators.Thread,
		Needs: operators.Needs{Parts: machine.Parts{Stage: 1}},
	}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return nil }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet {
	return algebra.SetOf([]algebra.Column{o.Left, o.Right})
}

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Compute: o.compute, Gather: materialize.Compact}
}

func (o *Operator) compute(w *operators.Weave) {
	left, right := w.Count(w.Column(o.Left)), w.Count(w.Column(o.Right))
	if o.All {
		w.Unique = algebra.ColSet{}
		w.Emit(&kernel.Repeat{Count: o.times(w, left, right), Index: kernel.NoValue})
		return
	}
	zero := w.Integer(0)
	w.Emit(&kernel.Filter{Cond: w.Compare(kernel.OpGt, left, zero)})
	op := kernel.OpGt
	if o.Kind == algebra.Except {
		op = kernel.OpEq
	}
	w.Emit(&kernel.Filter{Cond: w.Compare(op, right, zero)})
}

// times is how often a row is in the result of an ALL: the smaller count for
// INTERSECT, what the left has more than the right for EXCEPT.
func (o *Operator) times(w *operators.Weave, left, right kernel.ValueID) kernel.ValueID {
	less := w.Compare(kernel.OpLt, left, right)
	if o.Kind == algebra.Intersect {
		return w.Choose(less, left, right)
	}
	return w.Choose(less, w.Integer(0), w.Difference(left, right))
}
