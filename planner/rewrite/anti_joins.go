package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// antiJoins makes an anti join of an outer join of which a condition above keeps the
// rows without a partner alone: one that a column of the other side is NULL which is not
// NULL in any row that has matched. That side's columns are NULL in all that is left.
//
//	before: filter u.a IS NULL over t left join u on t.a = u.a
//	after:  project t.*, NULL as u.* over t anti join u on t.a = u.a
//	never:  filter u.z IS NULL where z may be NULL in u: rows with a partner pass, too; of
//	        a full join not where u.a is NULL in rows of u that have none, either
func antiJoins(c *context, n algebra.Node) algebra.Node {
	found := false
	out := c.transform(n, func(n algebra.Node) algebra.Node {
		f, ok := n.(*algebra.Filter)
		if !ok {
			return n
		}
		join, ok := f.Input.(*algebra.Join)
		if !ok {
			return n
		}
		if anti := antiJoin(join, f.Conds); anti != nil {
			found = true
			return c.unmatched(f, join, anti)
		}
		return n
	})
	if !found {
		return n
	}
	// Where nobody reads the columns of the other side no projection may keep the anti
	// join from being ordered among the joins.
	return bareAnti(c.prune(out, algebra.Outputs(out)), false)
}

// bareAnti drops projections that only pass columns of an anti join on. More columns may
// come out of n where free is set: who reads them names them.
func bareAnti(n algebra.Node, free bool) algebra.Node {
	switch of := n.(type) {
	case *algebra.Project:
		join, ok := of.Input.(*algebra.Join)
		if ok && free && join.Kind == algebra.JoinAnti && algebra.PassOn(of.Items) {
			return bareAnti(join, true)
		}
		free = true
	case *algebra.Aggregate:
		free = true
	case *algebra.Filter, *algebra.Join:
	default:
		free = false
	}
	return algebra.MapInputs(n, func(in algebra.Node) algebra.Node { return bareAnti(in, free) })
}

// antiJoin returns the anti join whose result is those rows of an outer join that pass
// conditions, nil where there is none.
func antiJoin(n *algebra.Join, conds []algebra.Expr) *algebra.Join {
	matched := rejectingAll(n.Residual)
	for _, key := range n.Keys {
		if !key.NullSafe {
			matched.AddSet(strictIn(key.Left))
			matched.AddSet(strictIn(key.Right))
		}
	}
	missing := func(side algebra.Node) bool {
		return slices.ContainsFunc(conds, func(cond algebra.Expr) bool {
			id, ok := nullColumn(cond)
			if !ok {
				return false
			}
			col, ok := algebra.FindColumn(side, id)
			return ok && (!col.Nullable || matched.Has(id) && n.Kind != algebra.JoinFull)
		})
	}
	switch {
	case (n.Kind == algebra.JoinLeft || n.Kind == algebra.JoinFull) && missing(n.Right):
		return &algebra.Join{Kind: algebra.JoinAnti, Left: n.Left, Right: n.Right, Keys: n.Keys, Residual: n.Residual}
	case (n.Kind == algebra.JoinRight || n.Kind == algebra.JoinFull) && missing(n.Left):
		return n.Turned(algebra.JoinAnti)
	}
	return nil
}

// nullColumn reads a condition that a column is NULL.
func nullColumn(cond algebra.Expr) (algebra.ColumnID, bool) {
	call, ok := cond.(*algebra.Call)
	if !ok || call.Func != algebra.IsNull {
		return 0, false
	}
	ref, ok := call.Args[0].(*algebra.ColumnRef)
	if !ok {
		return 0, false
	}
	return ref.Column.ID, true
}

// unmatched returns the columns of a filter over an outer join from the anti join that
// takes the outer join's place. The columns of the other side are made of NULL here, so
// the anti join reads a copy of that side with columns of its own.
func (c *context) unmatched(f *algebra.Filter, outer, anti *algebra.Join) algebra.Node {
	missing := make(map[algebra.ColumnID]algebra.Expr)
	for _, col := range anti.Right.Columns() {
		missing[col.ID] = &algebra.Const{Typ: col.Type}
	}
	items := passOn(outer.Columns())
	for i := range items {
		if null, ok := missing[items[i].Column.ID]; ok {
			items[i].Expr = null
		}
	}
	right, of := c.clone(anti.Right)
	in := algebra.MapExprs(algebra.WithInputs(anti, anti.Left, right), of.expr)
	var conds []algebra.Expr
	for _, cond := range substituteIn(f.Conds, missing) {
		conds = append(conds, c.fold(cond))
	}
	kept, never := foldConditions(conds)
	if never {
		return emptied(f)
	}
	return &algebra.Project{Input: filter(in, kept), Items: items}
}
