package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
)

// reduceGroups aggregates only the groups that joins above will ask for: where a
// grouping key is joined to a column that a filtered table restricts to few
// values, the input of the aggregation is reduced by a semi join with that
// table. It is what correlated aggregates become that were computed for all
// groups at once (TPC-H Q2, Q17 and Q20).
//
//	before: u filtered by x = 'p', join aggregate t by a, on a
//	after:  the same, t reduced by a semi join with the filtered u
//	never:  u without a filter: it asks for all groups
func reduceGroups(c *context, n algebra.Node) algebra.Node {
	return c.reduceBelow(n, restrictions{})
}

// restrictions are filtered tables to whose rows the result of joins around a
// node is restricted, and pairs of columns that are equal where it counts.
type restrictions struct {
	tables []*algebra.Filter
	equal  [][2]algebra.Column
}

// and returns the restrictions with those of a plan and its keys. It leaves r as
// it is.
func (r restrictions) and(partner algebra.Node, keys []algebra.JoinKey) restrictions {
	out := restrictions{tables: slices.Clip(r.tables), equal: slices.Clip(r.equal)}
	out.addKeys(keys)
	out.collect(partner)
	return out
}

func (r *restrictions) addKeys(keys []algebra.JoinKey) {
	for _, key := range keys {
		if a, b, ok := equalKey(key); ok {
			r.equal = append(r.equal, [2]algebra.Column{a, b})
		}
	}
}

// equalKey reads a key that makes two columns equal.
func equalKey(key algebra.JoinKey) (l, r algebra.Column, ok bool) {
	a, okA := key.Left.(*algebra.ColumnRef)
	b, okB := key.Right.(*algebra.ColumnRef)
	if !okA || !okB || key.NullSafe {
		return l, r, false
	}
	return a.Column, b.Column, true
}

// addNames notes the columns that a projection renames.
func (r *restrictions) addNames(items []algebra.Item) {
	for _, item := range items {
		if ref, ok := item.Expr.(*algebra.ColumnRef); ok {
			r.equal = append(r.equal, [2]algebra.Column{item.Column, ref.Column})
		}
	}
}

// collect adds the tables whose rows each row of n's result has one of.
func (r *restrictions) collect(n algebra.Node) {
	switch n := n.(type) {
	case *algebra.Filter:
		if _, ok := n.Input.(*algebra.Scan); ok {
			r.tables = append(r.tables, n)
			return
		}
		r.collect(n.Input)
	case *algebra.Project:
		r.addNames(n.Items)
		r.collect(n.Input)
	case *algebra.Join:
		switch n.Kind {
		case algebra.JoinInner, algebra.JoinSemi:
			r.addKeys(n.Keys)
			r.collect(n.Left)
			r.collect(n.Right)
		case algebra.JoinLeft, algebra.JoinAnti:
			r.collect(n.Left)
		case algebra.JoinRight:
			r.collect(n.Right)
		}
	}
}

// reduceBelow rewrites n, knowing that rows do not matter whose columns have
// values that the restrictions rule out.
func (c *context) reduceBelow(n algebra.Node, r restrictions) algebra.Node {
	c.opts.Meter.Must(nodeWork)
	switch n := n.(type) {
	case *algebra.Filter:
		return mapInput(n, c.reduceBelow(n.Input, r))
	case *algebra.Project:
		below := r.and(nil, nil)
		below.addNames(n.Items)
		return mapInput(n, c.reduceBelow(n.Input, below))
	case *algebra.Join:
		return c.reduceJoin(n, r)
	case *algebra.Aggregate:
		out := mapInput(n, c.reduceBelow(n.Input, restrictions{})).(*algebra.Aggregate)
		return c.reduceInput(out, r)
	}
	return algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return c.reduceBelow(in, restrictions{}) })
}

// reduceJoin rewrites the sides of a join. A side of which rows without a
// partner do not matter is restricted by the other one; a side that is
// preserved only by what is above.
func (c *context) reduceJoin(n *algebra.Join, r restrictions) algebra.Node {
	forLeft, forRight := r, r
	switch n.Kind {
	case algebra.JoinInner, algebra.JoinSemi:
		forLeft, forRight = r.and(n.Right, n.Keys), r.and(n.Left, n.Keys)
	case algebra.JoinLeft, algebra.JoinAnti:
		forRight = r.and(n.Left, n.Keys)
	case algebra.JoinRight:
		forLeft = r.and(n.Right, n.Keys)
	case algebra.JoinFull:
		forLeft, forRight = restrictions{}, restrictions{}
	}
	return algebra.MapInputs(n, func(in algebra.Node) algebra.Node {
		if in == n.Left {
			return c.reduceBelow(in, forLeft)
		}
		return c.reduceBelow(in, forRight)
	})
}

// reduceInput reduces the input of an aggregation by the restriction of one of
// its keys that pays most.
func (c *context) reduceInput(n *algebra.Aggregate, r restrictions) algebra.Node {
	equal := make(classes)
	for _, pair := range r.equal {
		equal.union(pair[0], pair[1])
	}
	var best *reduction
	for i, key := range n.Keys {
		if !n.KeysInAllSets().Has(i) {
			continue
		}
		for _, col := range equal.members(key.Column) {
			for _, table := range r.tables {
				if red := weigh(c.est, n, key.Expr, col, table); red != nil && (best == nil || red.gain > best.gain) {
					best = red
				}
			}
		}
	}
	if best == nil {
		return n
	}
	table, of := c.clone(best.table)
	key := algebra.JoinKey{Left: best.expr, Right: of.of(best.col).Ref()}
	return mapInput(n, &algebra.Join{Kind: algebra.JoinSemi, Left: n.Input, Right: table, Keys: []algebra.JoinKey{key}})
}

// reduction is a way to reduce the input of an aggregation.
type reduction struct {
	expr  algebra.Expr // of the input
	table *algebra.Filter
	col   algebra.Column // of the table, with all values of expr that matter
	gain  float64
}

// weigh compares the cost of an aggregation with that of reducing its input by a
// column of a table; nil where that is no gain.
func weigh(est *estimate.Estimator, agg *algebra.Aggregate, expr algebra.Expr, col algebra.Column, table *algebra.Filter) *reduction {
	if !algebra.Outputs(table).Has(col.ID) || !algebra.Comparable(expr.Type(), col.Type) {
		return nil
	}
	in, by := est.Of(agg.Input), est.Of(table)
	kept := min(by.Distinct(col.Ref())/max(in.Domain(expr), by.Domain(col.Ref())), 1)
	costs := &est.Machine().Planning
	gain := in.Rows*(1-kept)*costs.Group - in.Rows - est.Rows(table.Input) - by.Rows*costs.Reduced
	if gain <= 0 {
		return nil
	}
	return &reduction{expr: expr, table: table, col: col, gain: gain}
}
