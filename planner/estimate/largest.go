package estimate

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// What is looked at to find a group that is larger than others: so many rows of a sample, of inputs of so
// many rows at least, as many of one group in the sample, and how many times as large as the mean it is.
const (
	mostLooked   = 1 << 10
	fewestSkewed = 1 << 20
	fewestAlike  = 8
	timesTheMean = 4
)

// Largest guesses how many rows the largest group of an aggregation has from the table's sample; 0
// where it is not known, or no group has many more rows than others.
func (e *Estimator) Largest(n *algebra.Aggregate) float64 {
	in := e.Of(n.Input)
	if in.Rows < fewestSkewed || len(n.Keys) == 0 {
		return 0
	}
	rows := in.sampledRows(mostLooked)
	groups := make([]int32, len(rows))
	for i := range n.Keys {
		values := in.numbers(n.Keys[i].Expr, rows)
		if values == nil {
			return 0
		}
		groups = paired(groups, values)
	}
	alike := float64(slices.Max(counted(groups)))
	largest := in.Rows * alike / float64(len(rows))
	if alike < fewestAlike || largest < timesTheMean*in.Rows/max(e.Rows(n), 1) {
		return 0
	}
	return largest
}
