package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql/value"
)

// pruneSets drops grouping sets whose rows a filter on GROUPING, directly above
// the aggregate, lets none through.
//
//	before: filter grouping(f) = 0 over sets (f, k), (f), (k), ()
//	after:  the same over sets (f, k), (f)
//	never:  filter f IS NOT NULL: NULL may be a value of the key
func pruneSets(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		filter, ok := n.(*algebra.Filter)
		if !ok {
			return n
		}
		agg, ok := filter.Input.(*algebra.Aggregate)
		if !ok || agg.GroupingID.ID == 0 {
			return n
		}
		return c.pruneAggregate(filter, agg)
	})
}

func (c *context) pruneAggregate(f *algebra.Filter, agg *algebra.Aggregate) algebra.Node {
	var kept []int
	for i := range agg.Sets {
		if !c.excludes(f.Conds, agg.GroupingID, i) {
			kept = append(kept, i)
		}
	}
	switch len(kept) {
	case len(agg.Sets):
		return f
	case 0:
		return emptied(f)
	}
	pruned := *agg
	pruned.Sets = make([]algebra.KeySet, len(kept))
	for i, set := range kept {
		pruned.Sets[i] = agg.Sets[set]
	}
	pruned.GroupingID = c.newColumn(agg.GroupingID)
	return filter(c.renumber(&pruned, agg.GroupingID, kept), c.undecided(f.Conds, agg.GroupingID, kept))
}

// renumber restores, above an aggregate, the numbers that its sets had before some
// were dropped, in the column old.
func (c *context) renumber(agg *algebra.Aggregate, old algebra.Column, kept []int) algebra.Node {
	lookup := &algebra.Case{Typ: old.Type}
	for i, set := range kept {
		if i == len(kept)-1 {
			lookup.Else = setNumber(set, old)
			break
		}
		isSet := newCall(algebra.Eq, agg.GroupingID.Ref(), setNumber(i, old))
		lookup.Whens = append(lookup.Whens, algebra.When{Cond: isSet, Then: setNumber(set, old)})
	}
	var items []algebra.Item
	for _, col := range agg.Columns() {
		if col.ID != agg.GroupingID.ID {
			items = append(items, algebra.Item{Column: col, Expr: col.Ref()})
		}
	}
	return &algebra.Project{Input: agg, Items: append(items, algebra.Item{Column: old, Expr: c.foldOnce(lookup)})}
}

func setNumber(i int, like algebra.Column) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: int64(i)}, Typ: like.Type}
}

// excludes reports whether some condition that is only about the set's number
// does not hold for set i.
func (c *context) excludes(conds []algebra.Expr, id algebra.Column, i int) bool {
	for _, cond := range conds {
		if c := c.forSet(cond, id, i); c != nil && !c.Val.B {
			return true
		}
	}
	return false
}

// forSet computes a condition for set i; nil where it is not only about that.
func (c *context) forSet(cond algebra.Expr, id algebra.Column, i int) *algebra.Const {
	k, err := eval.Fold(c.opts.Meter, algebra.Substitute(cond, map[algebra.ColumnID]algebra.Expr{id.ID: setNumber(i, id)}))
	if err != nil {
		return nil
	}
	return k
}

// undecided are the conditions that are not known to hold for all kept sets.
func (c *context) undecided(conds []algebra.Expr, id algebra.Column, kept []int) []algebra.Expr {
	var open []algebra.Expr
	for _, cond := range conds {
		for _, i := range kept {
			if c := c.forSet(cond, id, i); c == nil {
				open = append(open, cond)
				break
			}
		}
	}
	return open
}
