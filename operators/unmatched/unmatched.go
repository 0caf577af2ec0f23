// Package unmatched is the operator whose rows are those of a hash table that no
// probe has matched, or those that one has: the rest of a right or full join, and
// the result of a semi or anti join whose left input is in the table.
package unmatched

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator gives the rows of the hash table that is input 0 which its probe,
// input 1, has not matched, or with Matched those that it has.
type Operator struct{ Matched bool }

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	name := "unmatched"
	if o.Matched {
		name = "matched"
	}
	return operators.Traits{
		Name: name, Detail: "rows of the build side", Passes: true, Result: operators.Thread, Source: true,
		Needs: operators.Needs{Parts: machine.Parts{Stage: 1}},
	}
}

// Dependence implements operators.Operator: what no row has matched is known
// when all have been looked up.
func (o *Operator) Dependence(int) operators.Dependence { return operators.Kernel }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return nil }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return algebra.ColSet{} }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: o.partition, Gather: materialize.Compact}
}

func (o *Operator) partition(w *operators.Weave) {
	w.Func.Source = &kernel.Unmatched{Input: w.In[0].Input, Matched: o.Matched, Cols: w.Read(0, false)}
}
