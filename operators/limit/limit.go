// Package limit is the operator that keeps a number of rows.
package limit

import (
	"fmt"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator keeps Count rows (negative: all) after the first Offset.
type Operator struct{ Count, Offset int64 }

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := "all"
	if o.Count >= 0 {
		detail = fmt.Sprint(o.Count)
	}
	if o.Offset > 0 {
		detail += fmt.Sprintf(" offset %d", o.Offset)
	}
	return operators.Traits{
		Name: "limit", Detail: detail, Passes: true, Result: operators.Kernel,
		Why:   "rows are counted over all blocks",
		Needs: operators.Needs{Parts: machine.Parts{Stage: 1}},
	}
}

// Dependence implements operators.Operator: rows are counted as blocks are
// compacted.
func (o *Operator) Dependence(int) operators.Dependence { return operators.CTA }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return nil }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return algebra.ColSet{} }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Gather: o.gather}
}

func (o *Operator) gather(w *operators.Weave) {
	materialize.CompactRange(w, o.Count, o.Offset)
}
