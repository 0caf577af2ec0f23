package scope

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Compute is the integer, or NULL, that a plan gives of one row and one column, where its value is to be a
// constant of the statement's plan. What it fails for is left to the run.
type Compute func(b *Binder, n algebra.Node) (value.Value, error)
