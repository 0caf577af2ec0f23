package fusion

import (
	"github.com/cubeloom/cubeloom/operators/filter"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// filter adds a filter. Conditions on the groups of several grouping sets are applied in
// every set, as its groups are read, unless another reader wants the groups without them.
func (g *graph) filter(n *algebra.Filter) (int, error) {
	agg, ok := n.Input.(*algebra.Aggregate)
	if !ok || !hasSets(agg) || g.readers[agg] > 1 {
		in, err := g.node(n.Input)
		if err != nil {
			return 0, err
		}
		return g.add(&filter.Operator{Conds: g.exprs(n.Conds)}, g.est.Rows(n), in), nil
	}
	in, err := g.node(agg.Input)
	if err != nil {
		return 0, err
	}
	return g.aggregate(agg, in, n), nil
}

// filtered adds the conditions on the groups of set number i, which operator op has made.
// In them the keys that the set lacks are NULL.
func (c *cube) filtered(op, i int) int {
	if len(c.having) == 0 {
		return op
	}
	known := map[algebra.ColumnID]algebra.Expr{}
	for k, key := range c.keys {
		if !c.node.Sets[i].Has(k) {
			known[key.Column.ID] = &algebra.Const{Typ: key.Column.Type}
		}
	}
	if id := c.node.GroupingID; id.ID != 0 {
		known[id.ID] = &algebra.Const{Val: setNumber(i), Typ: id.Type}
	}
	conds := make([]algebra.Expr, len(c.having))
	for k, cond := range c.having {
		conds[k] = algebra.Substitute(cond, known)
	}
	if len(c.last.Items) > 0 {
		op = c.add(c.last, c.ops[op].Rows, op)
	}
	return c.add(&filter.Operator{Conds: conds}, c.ops[op].Rows*c.passing, op)
}

// setNumber is the number of a grouping set as a value.
func setNumber(i int) value.Value { return value.Value{Kind: value.Int, I: int64(i)} }
