package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// innerJoins makes an outer join inner on a side whose missing rows cannot get
// past a condition above it: one that is not true when the side's columns are
// NULL.
//
//	before: filter u.x = 'p' over t left join u
//	after:  filter u.x = 'p' over t inner join u
//	never:  filter u.x IS NULL: it lets through just the rows without a partner
func innerJoins(c *context, n algebra.Node) algebra.Node {
	return innerBelow(n, algebra.ColSet{})
}

// innerBelow rewrites n, knowing that only rows matter in which none of the
// columns of notNull is NULL.
func innerBelow(n algebra.Node, notNull algebra.ColSet) algebra.Node {
	var none algebra.ColSet
	switch n := n.(type) {
	case *algebra.Filter:
		return mapInput(n, innerBelow(n.Input, notNull.Union(rejectingAll(n.Conds))))
	case *algebra.Project:
		return mapInput(n, innerBelow(n.Input, throughItems(n.Items, notNull)))
	case *algebra.Aggregate:
		// A group with a key that is NULL is dropped with all of its rows; but
		// only where every set has the key, so that the NULL is the rows' own.
		kept := none
		for i, key := range n.Keys {
			if n.KeysInAllSets().Has(i) && notNull.Has(key.Column.ID) {
				kept.AddSet(strictIn(key.Expr))
			}
		}
		return mapInput(n, innerBelow(n.Input, kept))
	case *algebra.Sort:
		if n.Limit < 0 && n.Offset == 0 {
			return mapInput(n, innerBelow(n.Input, notNull))
		}
	case *algebra.Join:
		return innerJoin(n, notNull)
	}
	return algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return innerBelow(in, none) })
}

func throughItems(items []algebra.Item, notNull algebra.ColSet) algebra.ColSet {
	var below algebra.ColSet
	for _, item := range items {
		if notNull.Has(item.Column.ID) {
			below.AddSet(strictIn(item.Expr))
		}
	}
	return below
}

func innerJoin(n *algebra.Join, notNull algebra.ColSet) algebra.Node {
	left, right := algebra.Outputs(n.Left), algebra.Outputs(n.Right)
	kind := n.Kind
	if (kind == algebra.JoinRight || kind == algebra.JoinFull) && notNull.Intersects(left) {
		kind = map[algebra.JoinKind]algebra.JoinKind{algebra.JoinRight: algebra.JoinInner, algebra.JoinFull: algebra.JoinLeft}[kind]
	}
	if (kind == algebra.JoinLeft || kind == algebra.JoinFull) && notNull.Intersects(right) {
		kind = map[algebra.JoinKind]algebra.JoinKind{algebra.JoinLeft: algebra.JoinInner, algebra.JoinFull: algebra.JoinRight}[kind]
	}
	// The join's own conditions drop rows of a side that it does not preserve.
	own := rejectingAll(n.Residual)
	for _, key := range n.Keys {
		if !key.NullSafe {
			own.AddSet(strictIn(key.Left))
			own.AddSet(strictIn(key.Right))
		}
	}
	forLeft, forRight := notNull, notNull
	if kind == algebra.JoinInner || kind == algebra.JoinRight || kind == algebra.JoinSemi {
		forLeft = notNull.Union(own)
	}
	if kind != algebra.JoinRight && kind != algebra.JoinFull {
		forRight = notNull.Union(own)
	}
	if kind == algebra.JoinAnti {
		forRight = own
	}
	// A preserved row whose partner is missing gets NULLs: only where those are
	// rejected do the conditions from above hold for the side's own rows.
	out := algebra.MapInputs(n, func(in algebra.Node) algebra.Node {
		if in == n.Left {
			return innerBelow(in, forLeft)
		}
		return innerBelow(in, forRight)
	})
	if kind == n.Kind {
		return out
	}
	c := *out.(*algebra.Join)
	c.Kind = kind
	return &c
}

// rejectingAll returns columns of which none is NULL where all conditions hold.
func rejectingAll(conds []algebra.Expr) algebra.ColSet {
	var s algebra.ColSet
	for _, cond := range conds {
		s.AddSet(rejecting(cond))
	}
	return s
}

// rejecting returns columns for which cond cannot be true when one is NULL.
func rejecting(cond algebra.Expr) algebra.ColSet {
	call, ok := cond.(*algebra.Call)
	if !ok {
		return strictIn(cond)
	}
	switch call.Func {
	case algebra.And:
		return rejectingAll(call.Args)
	case algebra.Or:
		s := rejecting(call.Args[0])
		for _, arg := range call.Args[1:] {
			s = s.Intersect(rejecting(arg))
		}
		return s
	case algebra.IsTrue:
		return rejecting(call.Args[0])
	case algebra.IsFalse:
		return strictIn(call.Args[0])
	case algebra.Not:
		if inner, ok := call.Args[0].(*algebra.Call); ok && inner.Func == algebra.IsNull {
			return strictIn(inner.Args[0])
		}
	}
	return strictIn(cond)
}

// strictIn returns columns for which e is NULL when one is.
func strictIn(e algebra.Expr) algebra.ColSet {
	var s algebra.ColSet
	switch e := e.(type) {
	case *algebra.ColumnRef:
		s.Add(e.Column.ID)
	case *algebra.Call:
		switch e.Func {
		case algebra.And, algebra.Or, algebra.IsNull, algebra.IsTrue, algebra.IsFalse, algebra.Distinct:
			return s
		case algebra.In:
			return strictIn(e.Args[0])
		}
		for _, arg := range e.Args {
			s.AddSet(strictIn(arg))
		}
	}
	return s
}
