package algebra

import "slices"

// eachExpr calls visit with the place of each expression that n itself holds, in
// order; some may be nil. The plans of a Recursive are not n's own.
func eachExpr(n Node, visit func(*Expr)) {
	switch n := n.(type) {
	case *Filter:
		eachOf(n.Conds, visit)
	case *Project:
		eachItem(n.Items, visit)
	case *Join:
		for i := range n.Keys {
			visit(&n.Keys[i].Left)
			visit(&n.Keys[i].Right)
		}
		eachOf(n.Residual, visit)
	case *Apply:
		eachOf(n.Conds, visit)
	case *Aggregate:
		eachItem(n.Keys, visit)
		for i := range n.Aggs {
			visit(&n.Aggs[i].Arg)
			visit(&n.Aggs[i].Arg2)
			visit(&n.Aggs[i].Filter)
		}
	case *Window:
		eachOf(n.PartitionBy, visit)
		eachSortKey(n.OrderBy, visit)
		for i := range n.Calls {
			c := &n.Calls[i]
			eachOf(c.Args, visit)
			visit(&c.Filter)
			visit(&c.Frame.Key)
			visit(&c.Frame.Start.Limit)
			visit(&c.Frame.End.Limit)
		}
	case *Sort:
		eachSortKey(n.Keys, visit)
	case *Repetition:
		visit(&n.Times)
	}
}

func eachOf(exprs []Expr, visit func(*Expr)) {
	for i := range exprs {
		visit(&exprs[i])
	}
}

func eachItem(items []Item, visit func(*Expr)) {
	for i := range items {
		visit(&items[i].Expr)
	}
}

func eachSortKey(keys []SortKey, visit func(*Expr)) {
	for i := range keys {
		visit(&keys[i].Expr)
	}
}

// cloneExprs is a copy of n with expressions of its own, in the places that eachExpr
// visits.
func cloneExprs(n Node) Node {
	switch n := n.(type) {
	case *Filter:
		return &Filter{Input: n.Input, Conds: slices.Clone(n.Conds)}
	case *Project:
		return &Project{Input: n.Input, Items: slices.Clone(n.Items)}
	case *Join:
		c := *n
		c.Keys, c.Residual = slices.Clone(n.Keys), slices.Clone(n.Residual)
		return &c
	case *Apply:
		c := *n
		c.Conds = slices.Clone(n.Conds)
		return &c
	case *Aggregate:
		c := *n
		c.Keys, c.Aggs = slices.Clone(n.Keys), slices.Clone(n.Aggs)
		return &c
	case *Window:
		c := *n
		c.PartitionBy, c.OrderBy, c.Calls = slices.Clone(n.PartitionBy), slices.Clone(n.OrderBy), slices.Clone(n.Calls)
		for i := range c.Calls {
			c.Calls[i].Args = slices.Clone(c.Calls[i].Args)
		}
		return &c
	case *Sort:
		c := *n
		c.Keys = slices.Clone(n.Keys)
		return &c
	case *Repetition:
		c := *n
		return &c
	}
	return n
}
