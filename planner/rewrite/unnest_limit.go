package rewrite

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// limitOf reads a node that lets only some rows through: which, and in which
// order.
func limitOf(n algebra.Node) (keys []algebra.SortKey, count, offset int64) {
	switch n := n.(type) {
	case *algebra.Limit:
		return nil, n.Count, n.Offset
	case *algebra.Sort:
		return n.Keys, n.Limit, n.Offset
	}
	return nil, 0, 0
}

// limitEach keeps, of each partition, count rows (all where it is negative)
// after the first offset.
func (u *unnester) limitEach(in algebra.Node, partition []algebra.Expr, keys []algebra.SortKey, count, offset int64) algebra.Node {
	number := algebra.WindowCall{
		Column: u.newColumn(algebra.Column{Name: "row_number", Type: algebra.TInt64}),
		Func:   algebra.RowNumber, Frame: algebra.DefaultFrame(),
	}
	window := &algebra.Window{Input: in, PartitionBy: partition, OrderBy: keys, Calls: []algebra.WindowCall{number}}
	var conds []algebra.Expr
	if offset > 0 {
		conds = append(conds, newCall(algebra.Gt, number.Column.Ref(), int64Const(offset)))
	}
	if count >= 0 && count <= math.MaxInt64-offset {
		conds = append(conds, newCall(algebra.Le, number.Column.Ref(), int64Const(offset+count)))
	}
	return filter(window, conds)
}

// pullLimit limits the rows of a pulled input for each value that the pulled conditions compare.
func (u *unnester) pullLimit(n algebra.Node, p *pulled) *pulled {
	keys, count, offset := limitOf(n)
	if p == nil {
		return nil
	}
	if p.single {
		if count == 0 || offset > 0 {
			return nil
		}
		return p
	}
	partition, ok := p.partition()
	keys = substituteKeys(keys, p.exprs())
	for _, key := range keys {
		ok = ok && !p.isOuter(key.Expr)
	}
	if !ok {
		return nil
	}
	p.node = u.limitEach(p.node, partition, keys, count, offset)
	return p
}

// pullWindow computes over the rows of a pulled input for each value that the pulled conditions
// compare.
func (u *unnester) pullWindow(n *algebra.Window, p *pulled) *pulled {
	if p == nil || p.single {
		return nil
	}
	partition, ok := p.partition()
	by := p.exprs()
	window := algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr { return algebra.Substitute(e, by) })
	algebra.VisitExprs(window, func(e algebra.Expr) { ok = ok && !p.isOuter(e) })
	if !ok {
		return nil
	}
	out := *window.(*algebra.Window)
	out.Input = p.node
	out.PartitionBy = slices.Concat(out.PartitionBy, partition)
	p.node = &out
	return p
}

// partition is by what the rows must have in common to go with one outer row.
// It is false where the conditions do not say just that.
func (p *pulled) partition() ([]algebra.Expr, bool) {
	var exprs []algebra.Expr
	inner := algebra.Outputs(p.node)
	for _, cond := range p.conds {
		if !algebra.References(cond).Intersects(inner) {
			continue
		}
		_, e, ok := outerEquals(cond, inner)
		if !ok {
			return nil, false
		}
		exprs = append(exprs, e)
	}
	return exprs, true
}

func substituteKeys(keys []algebra.SortKey, by map[algebra.ColumnID]algebra.Expr) []algebra.SortKey {
	out := slices.Clone(keys)
	for i := range out {
		out[i].Expr = algebra.Substitute(out[i].Expr, by)
	}
	return out
}

// pushLimit limits the rows of a node's input, which are there for each combination of a
// domain, for each of them.
func (u *unnester) pushLimit(n, node algebra.Node, vals values, d *domain) (algebra.Node, values) {
	keys, count, offset := limitOf(n)
	partition := make([]algebra.Expr, len(d.cols))
	for i, val := range vals.list(d) {
		partition[i] = val.Ref()
	}
	return u.limitEach(node, partition, substituteKeys(keys, vals.exprs()), count, offset), vals
}
