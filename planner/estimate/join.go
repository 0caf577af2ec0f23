package estimate

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// joined guesses the properties of a join of relations.
func joined(n *algebra.Join, left, right *Props) *Props {
	both := Beside(left, right)
	share := KeyShare(n.Keys, left, right)
	if len(n.Residual) > 0 {
		share *= both.Selectivity(n.Residual)
	}
	matches := left.Rows * right.Rows * share
	leftMissing, rightMissing := 0.0, 0.0 // shares of the result's rows that have no row of a side
	switch n.Kind {
	case algebra.JoinSemi, algebra.JoinAnti:
		return left.scaled(left.Rows * KeptShare(n, left, right))
	case algebra.JoinLeft:
		matches = max(matches, left.Rows)
		rightMissing = unmatched(n, left, right) * left.Rows / max(matches, 1)
	case algebra.JoinRight:
		matches = max(matches, right.Rows)
		leftMissing = unmatched(n.Turned(algebra.JoinLeft), right, left) * right.Rows / max(matches, 1)
	case algebra.JoinFull:
		matches = max(matches, left.Rows+right.Rows-matches)
	}
	// Of a side of which only some rows are in the result columns lose values.
	return &Props{Rows: matches, guess: func(id algebra.ColumnID) (Column, bool) {
		from, missing := left, leftMissing
		c, ok := left.find(id)
		if !ok {
			from, missing = right, rightMissing
			c, ok = right.find(id)
		}
		c.Nulls += (1 - c.Nulls) * missing
		if matches < from.Rows {
			c.Distinct = survivors(c.Distinct, from.Rows, matches)
		}
		return c, ok
	}}
}

// Beside has the columns of all relations, and the rows of the largest.
func Beside(relations ...*Props) *Props {
	p := &Props{guess: func(id algebra.ColumnID) (Column, bool) {
		for _, r := range relations {
			if c, ok := r.find(id); ok {
				return c, true
			}
		}
		return Column{}, false
	}}
	for _, r := range relations {
		p.Rows = max(p.Rows, r.Rows)
	}
	return p
}

// KeyShare guesses the share of all pairs of rows whose keys are equal. The
// values of the side with fewer are taken to be among the other side's.
func KeyShare(keys []algebra.JoinKey, left, right *Props) float64 {
	if len(keys) == 0 {
		return 1
	}
	l, r := sidesOf(keys)
	lvals, lfull := left.combinations(l)
	rvals, rfull := right.combinations(r)
	if lfull && rfull {
		// Each row of a table has a combination of its own, as far as is known. It
		// is a key of the smaller one, most likely, that the larger one refers to.
		return 1 / min(lvals, rvals)
	}
	return 1 / max(lvals, rvals)
}

// sidesOf are the expressions of both sides of keys.
func sidesOf(keys []algebra.JoinKey) (left, right []algebra.Expr) {
	left, right = make([]algebra.Expr, len(keys)), make([]algebra.Expr, len(keys))
	for i, key := range keys {
		left[i], right[i] = key.Left, key.Right
	}
	return left, right
}

// minAnti is the share of rows that an anti join is taken to keep at least.
const minAnti = 0.1

// KeptShare guesses the share of the left rows that a semi or anti join keeps.
func KeptShare(n *algebra.Join, left, right *Props) float64 {
	matches := right.Rows * KeyShare(n.Keys, left, right)
	if len(n.Residual) > 0 {
		matches *= Beside(left, right).Selectivity(n.Residual)
	} else if len(n.Keys) > 1 {
		l, r := sidesOf(n.Keys)
		lvals, _ := left.combinations(l)
		rvals, _ := right.combinations(r)
		matches = min(matches, min(rvals, right.Rows)/max(lvals, rvals))
	} else if len(n.Keys) == 1 {
		// Several right rows of one key match the same left rows.
		key := n.Keys[0]
		matches = min(matches, right.Distinct(key.Right)/max(left.Domain(key.Left), right.Domain(key.Right)))
	}
	matches = min(matches, 1)
	if n.Kind == algebra.JoinAnti {
		return max(1-matches, minAnti)
	}
	return matches
}

// unmatched guesses the share of the left rows that have no partner.
func unmatched(n *algebra.Join, left, right *Props) float64 {
	return KeptShare(&algebra.Join{Kind: algebra.JoinAnti, Left: n.Left, Right: n.Right, Keys: n.Keys, Residual: n.Residual}, left, right)
}

// combinations guesses how many different combinations of values expressions
// have. Each further one counts less: columns are seldom independent. Full is
// set where there are as many as the table has rows.
func (p *Props) combinations(exprs []algebra.Expr) (n float64, full bool) {
	distinct := make([]float64, len(exprs))
	table := 0.0
	for i, e := range exprs {
		distinct[i] = p.Domain(e)
		if ref, ok := e.(*algebra.ColumnRef); ok {
			table = max(table, p.Column(ref.Column.ID).Table)
		}
	}
	slices.Sort(distinct)
	slices.Reverse(distinct)
	n = 1
	for i, d := range distinct {
		n *= math.Pow(d, 1/math.Pow(2, float64(i)))
	}
	if len(exprs) > 1 && table > 0 && n >= table {
		return table, true
	}
	return n, false
}

// aggregated guesses the number of groups: that of the combinations of key
// values, which cannot exceed the rows.
func aggregated(n *algebra.Aggregate, in *Props) *Props {
	out := &Props{}
	for _, set := range n.Sets {
		out.Rows += in.groups(n.Keys, set)
	}
	out.guess = func(id algebra.ColumnID) (Column, bool) {
		if n.GroupingID.ID == id {
			return Column{Distinct: float64(len(n.Sets)), HasBounds: true, Max: float64(len(n.Sets) - 1)}, true
		}
		for i := range n.Aggs {
			if n.Aggs[i].Column.ID == id {
				return in.aggregate(&n.Aggs[i], out.Rows), true
			}
		}
		return in.item(n.Keys, id)
	}
	return out
}

// aggregate guesses the values of an aggregate of so many groups. Those of counts that differ need
// the more rows the more they are: 1 + 2 + 3 and so on. Sums of so many rows, of values between
// two bounds, are taken to be distributed normally.
func (p *Props) aggregate(a *algebra.Agg, groups float64) Column {
	c := Column{Distinct: groups}
	switch a.Func {
	case algebra.CountStar, algebra.Count:
		c.Distinct = min(groups, math.Sqrt(2*p.Rows)+1)
	case algebra.Sum:
		ref, ok := a.Arg.(*algebra.ColumnRef)
		if !ok || a.Distinct || a.Filter != nil {
			break
		}
		if of := p.Column(ref.Column.ID); of.HasBounds {
			rows, mean, width := p.Rows/max(groups, 1), (of.Min+of.Max)/2, of.Max-of.Min
			c.Mean, c.Deviation = rows*mean, math.Sqrt(rows*(mean*mean+width*width/12))
		}
	}
	return c
}

// groups guesses how many groups a set of keys has: as many as one of its keys has values, at least.
func (p *Props) groups(keys []algebra.Item, set algebra.KeySet) float64 {
	if set == 0 {
		return 1
	}
	combinations, values := 1.0, 1.0
	for i, key := range keys {
		if set.Has(i) {
			d := max(p.Distinct(key.Expr), 1)
			combinations *= d
			values = max(values, d)
		}
	}
	return max(Filled(combinations, p.Rows), min(values, p.Rows))
}

// Filled guesses how many of all combinations of values rows have.
func Filled(combinations, rows float64) float64 {
	if combinations > rows*10 {
		return rows
	}
	// So many would rows drawn at random have.
	return combinations * (1 - math.Exp(-rows/combinations))
}
