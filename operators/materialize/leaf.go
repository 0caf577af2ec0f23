package materialize

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Leaf is embedded in operators without inputs, which give rows that lie somewhere.
type Leaf struct{ operators.RowByRow }

// Uses implements operators.Operator.
func (Leaf) Uses() algebra.ColSet { return algebra.ColSet{} }

// Skeleton implements operators.Operator.
func (Leaf) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Gather: Compact}
}
