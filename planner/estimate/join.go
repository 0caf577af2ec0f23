package estimate

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

func (e *Estimator) join(n *algebra.Join) *Props {
	left, right := e.Of(n.Left), e.Of(n.Right)
	both := merge(left, right)
	share := KeyShare(n.Keys, left, right)
	if len(n.Residual) > 0 {
		share *= both.Selectivity(n.Residual)
	}
	matches := left.Rows * right.Rows * share
	switch n.Kind {
	case algebra.JoinSemi:
		return left.scaled(min(left.Rows, matches))
	case algebra.JoinAnti:
		return left.scaled(max(left.Rows-matches, left.Rows/10))
	case algebra.JoinLeft:
		matches = max(matches, left.Rows)
	case algebra.JoinRight:
		matches = max(matches, right.Rows)
	case algebra.JoinFull:
		matches = max(matches, left.Rows+right.Rows-matches)
	}
	both.Rows = matches
	both.clamp(left, right)
	return both
}

// merge has the columns of both relations.
func merge(left, right *Props) *Props {
	cols := make(map[algebra.ColumnID]Column, len(left.Cols)+len(right.Cols))
	for id, c := range left.Cols {
		cols[id] = c
	}
	for id, c := range right.Cols {
		cols[id] = c
	}
	return &Props{Rows: max(left.Rows, right.Rows), Cols: cols}
}

// clamp takes away distinct values of the columns of a side of which only some
// rows are in the result.
func (p *Props) clamp(left, right *Props) {
	for id, c := range p.Cols {
		from := right.Rows
		if _, ok := left.Cols[id]; ok {
			from = left.Rows
		}
		if p.Rows < from {
			c.Distinct = survivors(c.Distinct, from, p.Rows)
			p.Cols[id] = c
		}
	}
}

// KeyShare guesses the share of all pairs of rows whose keys are equal. The
// values of the side with fewer are taken to be among the other side's. Of
// several keys between two relations each further one counts less: they are
// seldom independent.
func KeyShare(keys []algebra.JoinKey, left, right *Props) float64 {
	share := 1.0
	for i, key := range keys {
		one := 1 / max(left.distinct(key.Left), right.distinct(key.Right), 1)
		share *= math.Pow(one, 1/math.Pow(2, float64(i)))
	}
	return share
}

// aggregate guesses the number of groups: that of the combinations of key
// values, which cannot exceed the rows.
func (e *Estimator) aggregate(n *algebra.Aggregate) *Props {
	in := e.Of(n.Input)
	out := &Props{Cols: in.items(n.Keys)}
	for _, set := range n.Sets {
		out.Rows += in.groups(n.Keys, set)
	}
	for _, agg := range n.Aggs {
		out.Cols[agg.Column.ID] = Column{Distinct: out.Rows}
	}
	if n.GroupingID.ID != 0 {
		out.Cols[n.GroupingID.ID] = Column{
			Distinct: float64(len(n.Sets)), HasBounds: true, Max: float64(len(n.Sets) - 1),
		}
	}
	return out
}

func (p *Props) groups(keys []algebra.Item, set algebra.KeySet) float64 {
	combinations := 1.0
	for i, key := range keys {
		if set.Has(i) {
			combinations *= max(p.distinct(key.Expr), 1)
		}
	}
	if set == 0 {
		return 1
	}
	if combinations > p.Rows*10 {
		return p.Rows
	}
	// So many groups would rows drawn at random fill.
	return combinations * (1 - math.Exp(-p.Rows/combinations))
}

// Groups guesses the number of groups of each grouping set.
func (e *Estimator) Groups(n *algebra.Aggregate) []float64 {
	in := e.Of(n.Input)
	groups := make([]float64, len(n.Sets))
	for i, set := range n.Sets {
		groups[i] = in.groups(n.Keys, set)
	}
	return groups
}
