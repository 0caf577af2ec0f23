// Package groups is the operator that reads the groups of an aggregation by keys where they
// have been accumulated: the other half of the aggregation, and the source of what depends on a
// group alone.
package groups

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// The strategies of groups, and what is said of the second.
const (
	InCells   = "in cells" // they stay where they have been accumulated
	Written   = "written"  // they become columns
	WrittenBy = "the kernel that has the groups writes them"
)

// Operator reads the groups that its input has accumulated, a row each.
type Operator struct{ operators.RowByRow }

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	return operators.Traits{
		Name: "groups", Detail: "read from their cells", Passes: true, Result: operators.Thread,
		Needs: operators.Needs{Parts: machine.Parts{Groups: 1}},
	}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return nil }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return algebra.ColSet{} }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Gather: materialize.Compact}
}
