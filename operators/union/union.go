// Package union is the operator whose rows are those of several results one
// after the other: the branches of UNION ALL, the two halves of an outer join,
// the cuboids of a cube. Nothing is copied: it reads them where they are.
package union

import (
	"fmt"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Operator gives the rows of its inputs, input i seen through Parts[i].
type Operator struct {
	Cols    []algebra.Column
	Parts   []Part
	Results []int  // by part: which result of its input it is, where that has several; nil: each has one
	Spool   string // the WITH query whose rows are read; "" where there is none
}

// Part says what each column of the union is in one input.
type Part []PartCol

// PartCol is a column of the input or, where From.ID is 0, a constant.
type PartCol struct {
	From  algebra.Column
	Const value.Value
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := fmt.Sprintf("%d parts", len(o.Parts))
	if o.Spool != "" {
		detail = "of WITH " + o.Spool
	}
	return operators.Traits{
		Name: "union", Detail: detail, Result: operators.Thread, Source: true,
		Needs: operators.Needs{Parts: machine.Parts{Stage: 1}},
	}
}

// Dependence implements operators.Operator: the inputs are read where they
// were written.
func (o *Operator) Dependence(int) operators.Dependence { return operators.Kernel }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return o.Cols }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return o.UsesFor(algebra.SetOf(o.Cols)) }

// UsesFor are the columns of the inputs that those of the union in needed are.
func (o *Operator) UsesFor(needed algebra.ColSet) algebra.ColSet {
	var set algebra.ColSet
	for _, part := range o.Parts {
		for k, c := range part {
			if c.From.ID != 0 && needed.Has(o.Cols[k].ID) {
				set.Add(c.From.ID)
			}
		}
	}
	return set
}

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Gather: materialize.Compact}
}
