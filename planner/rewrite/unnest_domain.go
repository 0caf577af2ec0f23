package rewrite

import (
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// joinDomain evaluates the right side for all combinations of the values that
// it takes from the left side at once, and joins each left row with what there
// is for its values.
func (u *unnester) joinDomain(kind algebra.JoinKind, left, right algebra.Node, conds []algebra.Expr, source algebra.Node) algebra.Node {
	d := u.newDomain(source, algebra.FreeColumns(right))
	node, vals := u.push(right, d)
	return &algebra.Join{Kind: kind, Left: left, Right: node, Keys: d.keys(d.outer(), vals), Residual: conds}
}

// pullGroups takes an aggregation of all rows apart, with projects and filters
// above it, whose input needs the domain: it becomes one by the domain's values,
// and a left row without a group goes with an aggregation of nothing. Nil for
// other plans.
func (u *unnester) pullGroups(n, left algebra.Node) *pulled {
	switch n := n.(type) {
	case *algebra.Filter:
		if p := u.pullGroups(n.Input, left); p != nil {
			p.after = append(p.after, substituteIn(n.Conds, p.exprs())...)
			return p
		}
	case *algebra.Project:
		if p := u.pullGroups(n.Input, left); p != nil {
			by := p.exprs()
			p.deferred = nil
			for _, item := range n.Items {
				item.Expr = algebra.Substitute(item.Expr, by)
				p.deferred = append(p.deferred, item)
			}
			return p
		}
	case *algebra.Aggregate:
		if !hasOneRow(n) {
			return nil
		}
		d := u.newDomain(left, algebra.FreeColumns(n))
		in, vals := u.push(n.Input, d)
		by := vals.exprs()
		grouped := algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr { return algebra.Substitute(e, by) })
		agg, keys := u.groupByDomain(grouped.(*algebra.Aggregate), in, vals, d)
		p := &pulled{node: agg, outer: algebra.Outputs(left), single: true, deferred: u.orOfNothing(agg)}
		for _, key := range d.keys(d.outer(), keys) {
			p.conds = append(p.conds, equality(key))
		}
		return p
	}
	return nil
}

func (u *unnester) newDomain(left algebra.Node, free algebra.ColSet) *domain {
	d := &domain{}
	var taken []algebra.Column
	for _, c := range left.Columns() {
		if free.Has(c.ID) {
			taken = append(taken, c)
		}
	}
	copied, of := u.clone(sourceOf(left, algebra.SetOf(taken)))
	agg := &algebra.Aggregate{Input: copied}
	for _, c := range taken {
		val := u.newColumn(c)
		d.cols, d.vals = append(d.cols, c), append(d.vals, val)
		agg.Keys = append(agg.Keys, algebra.Item{Column: val, Expr: of.of(c).Ref()})
	}
	if len(d.cols) > maxGroupKeys {
		u.refuse("a subquery that refers to so many columns of other queries is")
	}
	agg.Sets = []algebra.KeySet{algebra.AllKeys(len(agg.Keys))}
	d.node = agg
	return d
}

// filtered has the combinations for which conditions on the outer relation's columns hold.
func (d *domain) filtered(conds []algebra.Expr) *domain {
	by := make(map[algebra.ColumnID]algebra.Expr)
	for i, c := range d.cols {
		by[c.ID] = d.vals[i].Ref()
	}
	out := *d
	out.node = filter(d.node, substituteIn(conds, by))
	return &out
}

// outer are the outer relation's columns as values.
func (d *domain) outer() values {
	vals := make(values)
	for _, c := range d.cols {
		vals[c.ID] = c
	}
	return vals
}

// keys join what has equal values; NULL is a value.
func (d *domain) keys(left, right values) []algebra.JoinKey {
	keys := make([]algebra.JoinKey, len(d.cols))
	for i, c := range d.cols {
		l, r := left[c.ID], right[c.ID]
		keys[i] = algebra.JoinKey{Left: l.Ref(), Right: r.Ref(), NullSafe: l.Nullable && r.Nullable}
	}
	return keys
}

// copyOf makes a copy of the domain for one use.
func (u *unnester) copyOf(d *domain) (algebra.Node, values) {
	node, of := u.clone(d.node)
	vals := make(values)
	for i, c := range d.cols {
		vals[c.ID] = of.of(d.vals[i])
	}
	return node, vals
}

// in returns the values as the columns of a node that passes them on.
func (v values) in(n algebra.Node) values {
	out := make(values, len(v))
	for id, c := range v {
		out[id], _ = algebra.FindColumn(n, c.ID)
	}
	return out
}

func (u *unnester) depends(n algebra.Node, d *domain) bool {
	return algebra.FreeColumns(n).Intersects(algebra.SetOf(d.cols)) || d.hasWorking(n)
}

// push returns the rows that n has for each combination of the domain, and the
// columns that hold the combination: the dependent join of the domain with n,
// pushed down to where n depends on it no longer.
func (u *unnester) push(n algebra.Node, d *domain) (algebra.Node, values) {
	if !u.depends(n, d) {
		node, vals := u.copyOf(d)
		return &algebra.Join{Kind: algebra.JoinInner, Left: n, Right: node}, vals
	}
	switch n := n.(type) {
	case *algebra.Filter:
		if only, rest := splitMovable(n.Conds, algebra.SetOf(d.cols)); len(only) > 0 {
			return u.push(filter(n.Input, rest), d.filtered(only))
		}
	case *algebra.Join:
		return u.pushJoin(n, d)
	case *algebra.SetOp:
		return u.pushSetOp(n, d)
	case *algebra.Recursive:
		return u.pushRecursive(n, d)
	case *algebra.Working:
		vals := d.working[n.Of]
		return &algebra.Working{Of: n.Of, Cols: slices.Concat(n.Cols, vals.list(d))}, vals
	case *algebra.Sort:
		if n.Limit < 0 && n.Offset == 0 {
			return u.push(n.Input, d)
		}
		in, vals := u.push(n.Input, d)
		return u.pushLimit(n, in, vals, d)
	case *algebra.Limit:
		in, vals := u.push(n.Input, d)
		return u.pushLimit(n, in, vals, d)
	}
	in, vals := u.push(algebra.Inputs(n)[0], d)
	by := vals.exprs()
	n = algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr { return algebra.Substitute(e, by) })
	switch n := n.(type) {
	case *algebra.Project:
		out := &algebra.Project{Input: in, Items: append(slices.Clone(n.Items), passOn(vals.list(d))...)}
		return out, vals
	case *algebra.Aggregate:
		return u.pushAggregate(n, in, vals, d)
	case *algebra.Window:
		out := *n
		out.Input, out.PartitionBy = in, slices.Clone(n.PartitionBy)
		for _, val := range vals.list(d) {
			out.PartitionBy = append(out.PartitionBy, val.Ref())
		}
		return &out, vals
	}
	return mapInput(n, in), vals
}

// pushAggregate groups by the combination too. The empty grouping set has a row for each
// combination, whether that has rows or not.
func (u *unnester) pushAggregate(n *algebra.Aggregate, in algebra.Node, vals values, d *domain) (algebra.Node, values) {
	empty := slices.Index(n.Sets, 0)
	if empty >= 0 && slices.Contains(n.Sets[empty+1:], 0) {
		u.refuse("a correlated subquery with several empty grouping sets is")
	}
	if len(n.Keys)+len(d.cols) > maxGroupKeys {
		u.refuse("a correlated subquery with so many grouping keys is")
	}
	agg, out := u.groupByDomain(n, in, vals, d)
	if empty < 0 {
		return agg, out
	}
	items := u.orOfNothing(agg)
	if agg.GroupingID.ID != 0 {
		items = append(items, u.orSet(agg, empty))
	}
	every, vals := u.copyOf(d)
	join := &algebra.Join{Kind: algebra.JoinLeft, Left: every, Right: agg, Keys: d.keys(vals, out)}
	return compute(join, items), vals
}

// orSet makes a new column for the number of the grouping set, and the old one of it:
// in a row that has no group it is that of the empty set.
func (u *unnester) orSet(n *algebra.Aggregate, empty int) algebra.Item {
	old := n.GroupingID
	n.GroupingID = u.newColumn(old)
	found := n.GroupingID
	found.Nullable = true
	number := &algebra.Const{Val: value.Value{Kind: value.Int, I: int64(empty)}, Typ: old.Type}
	return algebra.Item{Column: old, Expr: &algebra.Case{
		Whens: []algebra.When{{Cond: notNull(found.Ref()), Then: found.Ref()}}, Else: number, Typ: old.Type,
	}}
}

// groupByDomain groups by the combination too; the values are in new keys.
func (u *unnester) groupByDomain(n *algebra.Aggregate, in algebra.Node, vals values, d *domain) (*algebra.Aggregate, values) {
	agg := *n
	agg.Input = in
	agg.Keys, agg.Sets = slices.Clone(n.Keys), slices.Clone(n.Sets)
	out := make(values)
	for _, c := range d.cols {
		val := vals[c.ID]
		key := u.newColumn(val)
		out[c.ID] = key
		for i := range agg.Sets {
			agg.Sets[i] |= 1 << len(agg.Keys)
		}
		agg.Keys = append(agg.Keys, algebra.Item{Column: key, Expr: val.Ref()})
	}
	return &agg, out
}

// pushJoin brings the domain to the sides of a join that depend on it, or in
// whose rows the join's conditions need it; two sides that both have it are
// joined by it.
func (u *unnester) pushJoin(n *algebra.Join, d *domain) (algebra.Node, values) {
	toLeft, toRight := u.depends(n.Left, d), u.depends(n.Right, d)
	switch n.Kind {
	case algebra.JoinRight:
		toRight = true
	case algebra.JoinFull:
		toLeft, toRight = true, true
	case algebra.JoinInner:
		toLeft = toLeft || !toRight
	default:
		toLeft = true
	}
	join := *n
	join.Keys = nil
	for _, key := range n.Keys {
		if !d.inKey(key) {
			join.Keys = append(join.Keys, key)
		}
	}
	var left, right values
	vals := make(values)
	if toLeft {
		join.Left, left = u.push(n.Left, d)
		vals = left
	}
	if toRight {
		join.Right, right = u.push(n.Right, d)
		if !toLeft || n.Kind == algebra.JoinRight {
			vals = right
		}
	}
	if toLeft && toRight {
		join.Keys = append(join.Keys, d.keys(left, right)...)
	}
	// Where both sides have the values they are equal in a pair of rows.
	join.Residual = substituteIn(append(n.Residual[:len(n.Residual):len(n.Residual)], d.keyConds(n)...), vals.exprs())
	if n.Kind == algebra.JoinFull {
		return u.eitherSide(&join, left, right, d)
	}
	return &join, vals.in(&join)
}

// inKey reports whether a key refers to the outer relation.
func (d *domain) inKey(key algebra.JoinKey) bool {
	return algebra.References(equality(key)).Intersects(algebra.SetOf(d.cols))
}

// keyConds are the keys that refer to the outer relation as conditions.
func (d *domain) keyConds(n *algebra.Join) []algebra.Expr {
	var conds []algebra.Expr
	for _, key := range n.Keys {
		if d.inKey(key) {
			conds = append(conds, equality(key))
		}
	}
	return conds
}

// eitherSide takes the values from the side of a full join that has the row.
func (u *unnester) eitherSide(n *algebra.Join, left, right values, d *domain) (algebra.Node, values) {
	left, right = left.in(n), right.in(n)
	var items []algebra.Item
	vals := make(values)
	for _, c := range d.cols {
		l, r := left[c.ID], right[c.ID]
		either := &algebra.Case{
			Whens: []algebra.When{{Cond: notNull(l.Ref()), Then: l.Ref()}}, Else: r.Ref(), Typ: c.Type,
		}
		vals[c.ID] = u.newColumn(algebra.Column{Name: c.Name, Type: c.Type, Nullable: true})
		items = append(items, algebra.Item{Column: vals[c.ID], Expr: either})
	}
	out := compute(n, items)
	return out, vals.in(out)
}

// pushSetOp brings the domain to both operands: rows of different combinations
// are different.
func (u *unnester) pushSetOp(n *algebra.SetOp, d *domain) (algebra.Node, values) {
	out := *n
	var left, right values
	out.Left, left = u.push(n.Left, d)
	out.Right, right = u.push(n.Right, d)
	lcols, rcols := left.list(d), right.list(d)
	out.Left = withColumns(out.Left, slices.Concat(n.Left.Columns(), lcols))
	out.Right = withColumns(out.Right, slices.Concat(n.Right.Columns(), rcols))
	out.Cols = slices.Clone(n.Cols)
	vals := make(values)
	for i, c := range d.cols {
		col := u.newColumn(c)
		col.Nullable = lcols[i].Nullable || rcols[i].Nullable
		vals[c.ID] = col
		out.Cols = append(out.Cols, col)
	}
	return &out, vals
}

// pushRecursive brings the domain into a recursion: its first rows are those for each
// combination, and each iteration goes on with the combination that a row is for.
//
//	domain ⋈ recursive(base, term over working)
//
// becomes
//
//	recursive(domain ⋈ base, term over working with the domain's columns)
func (u *unnester) pushRecursive(n *algebra.Recursive, d *domain) (algebra.Node, values) {
	inner := *d
	inner.working = maps.Clone(d.working)
	if inner.working == nil {
		inner.working = make(map[algebra.ColumnID]values)
	}
	own, vals := make(values), make(values)
	for _, c := range d.cols {
		c.Nullable = true // as all columns of working tables
		own[c.ID], vals[c.ID] = u.newColumn(c), u.newColumn(c)
	}
	out := *n
	out.Base = u.withDomain(n.Base, &inner)
	inner.working[n.ID] = own
	out.Term = u.withDomain(n.Term, &inner)
	out.Cols = slices.Concat(n.Cols, vals.list(d))
	return &out, vals
}

// withDomain is a plan without subqueries over the domain, whose columns stand behind
// its own.
func (u *unnester) withDomain(n algebra.Node, d *domain) algebra.Node {
	node, vals := u.push(withColumns(u.node(n), n.Columns()), d)
	return withColumns(node, slices.Concat(n.Columns(), vals.list(d)))
}
