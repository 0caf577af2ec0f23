package operators

import "github.com/cubeloom/cubeloom/planner/algebra"

// RowByRow is embedded in operators that need of their input one row at a time.
type RowByRow struct{}

// Dependence implements Operator.
func (RowByRow) Dependence(int) Dependence { return Thread }

// Leaf is embedded in operators without inputs, which give rows that lie somewhere.
type Leaf struct{ RowByRow }

// Uses implements Operator.
func (Leaf) Uses() algebra.ColSet { return algebra.ColSet{} }

// Skeleton implements Operator.
func (Leaf) Skeleton() Skeleton { return Skeleton{Partition: Even, Gather: Compact} }
