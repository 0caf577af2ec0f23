package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// removeNoops drops nodes that change nothing, and replaces what is known to
// have no rows by an empty relation.
//
//	before: t union all (u filtered by false)
//	after:  t
//	never:  aggregate count(*) over nothing: a total over nothing is a row
func removeNoops(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, removeNoop)
}

func removeNoop(n algebra.Node) algebra.Node {
	if isEmpty(n) {
		return n
	}
	switch n := n.(type) {
	case *algebra.Project:
		return removeProject(n)
	case *algebra.Filter:
		if slices.ContainsFunc(n.Conds, neverTrue) {
			return emptied(n)
		}
	case *algebra.Limit:
		switch {
		case n.Count == 0:
			return emptied(n)
		case n.Count < 0 && n.Offset == 0:
			return n.Input
		}
	case *algebra.Sort:
		if n.Limit == 0 {
			return emptied(n)
		}
		return sortOnce(n)
	case *algebra.Join:
		return emptyJoin(matchless(n))
	case *algebra.SetOp:
		return emptySetOp(n)
	case *algebra.Aggregate:
		if n.KeysInAllSets() == 0 {
			return n // an empty grouping set has a row even without input
		}
	}
	for _, in := range algebra.Inputs(n) {
		if isEmpty(in) {
			return emptied(n)
		}
	}
	return n
}

// neverTrue reports whether a condition leaves no row.
func neverTrue(cond algebra.Expr) bool { return isBool(cond, false) || isNull(cond) }

func isEmpty(n algebra.Node) bool {
	v, ok := n.(*algebra.Values)
	return ok && len(v.Rows) == 0
}

// emptied is an empty relation with the columns of n.
func emptied(n algebra.Node) algebra.Node { return &algebra.Values{Cols: n.Columns()} }

// removeProject drops a project that passes on all columns in order, and
// computes one over constants.
func removeProject(n *algebra.Project) algebra.Node {
	if isEmpty(n.Input) {
		return emptied(n)
	}
	cols := n.Input.Columns()
	if len(cols) != len(n.Items) {
		return constantProject(n)
	}
	renames := false
	for i, item := range n.Items {
		ref, ok := item.Expr.(*algebra.ColumnRef)
		if !ok || ref.Column.ID != cols[i].ID || item.Column.ID != cols[i].ID {
			return constantProject(n)
		}
		renames = renames || item.Column.Name != cols[i].Name
	}
	if !renames {
		return n.Input
	}
	if agg, ok := n.Input.(*algebra.Aggregate); ok {
		return renamed(agg, n.Items)
	}
	return n
}

// renamed is an aggregate whose columns have the names of the items.
func renamed(n *algebra.Aggregate, items []algebra.Item) algebra.Node {
	c := *n
	c.Keys = append([]algebra.Item(nil), n.Keys...)
	c.Aggs = append([]algebra.Agg(nil), n.Aggs...)
	for i, item := range items {
		switch k := i - len(c.Keys); {
		case k < 0:
			c.Keys[i].Column.Name = item.Column.Name
		case k < len(c.Aggs):
			c.Aggs[k].Column.Name = item.Column.Name
		default:
			c.GroupingID.Name = item.Column.Name
		}
	}
	return &c
}

// constantProject computes a project whose items are constants over a Values
// of one row: SELECT without FROM.
func constantProject(n *algebra.Project) algebra.Node {
	in, ok := n.Input.(*algebra.Values)
	if !ok || len(in.Rows) != 1 {
		return n
	}
	out := &algebra.Values{Cols: make([]algebra.Column, len(n.Items)), Rows: [][]value.Value{make([]value.Value, len(n.Items))}}
	for i, item := range n.Items {
		c, ok := item.Expr.(*algebra.Const)
		if !ok {
			return n
		}
		out.Cols[i] = item.Column
		out.Rows[0][i] = c.Val
	}
	return out
}

// selectValues keeps some columns of a Values.
func selectValues(n *algebra.Values, keep []int) algebra.Node {
	out := &algebra.Values{Cols: make([]algebra.Column, len(keep)), Rows: make([][]value.Value, len(n.Rows))}
	for k, i := range keep {
		out.Cols[k] = n.Cols[i]
	}
	for r, row := range n.Rows {
		out.Rows[r] = make([]value.Value, len(keep))
		for k, i := range keep {
			out.Rows[r][k] = row[i]
		}
	}
	return out
}

// sortOnce drops constant keys and keys that repeat an earlier one, and a sort
// of what another sort then orders.
func sortOnce(n *algebra.Sort) algebra.Node {
	if isEmpty(n.Input) {
		return emptied(n)
	}
	var keys []algebra.SortKey
	var seen []algebra.Expr
	for _, key := range n.Keys {
		if _, ok := key.Expr.(*algebra.Const); ok || algebra.Contains(seen, key.Expr) {
			continue
		}
		keys, seen = append(keys, key), append(seen, key.Expr)
	}
	in := n.Input
	if below, ok := in.(*algebra.Sort); ok && below.Limit < 0 && below.Offset == 0 && len(keys) > 0 {
		in = below.Input
	}
	switch {
	case len(keys) == 0 && n.Limit < 0 && n.Offset == 0:
		return in
	case len(keys) == 0:
		return &algebra.Limit{Input: in, Count: n.Limit, Offset: n.Offset}
	case in == n.Input && len(keys) == len(n.Keys):
		return n
	}
	return &algebra.Sort{Input: in, Keys: keys, Limit: n.Limit, Offset: n.Offset}
}

func emptyJoin(n *algebra.Join) algebra.Node {
	left, right := isEmpty(n.Left), isEmpty(n.Right)
	switch n.Kind {
	case algebra.JoinInner:
		if left || right {
			return emptied(n)
		}
	case algebra.JoinSemi:
		if left || right {
			return emptied(n)
		}
	case algebra.JoinAnti:
		if left {
			return emptied(n)
		}
		if right {
			return n.Left
		}
	case algebra.JoinLeft:
		if left {
			return emptied(n)
		}
	case algebra.JoinRight:
		if right {
			return emptied(n)
		}
	case algebra.JoinFull:
		if left && right {
			return emptied(n)
		}
	}
	return n
}

// matchless empties the side of a join that a condition which is never true lets
// no row of through.
func matchless(n *algebra.Join) *algebra.Join {
	if !slices.ContainsFunc(n.Residual, neverTrue) {
		return n
	}
	c := *n
	switch n.Kind {
	case algebra.JoinRight:
		c.Left = emptied(n.Left)
	case algebra.JoinFull:
		return n
	default:
		c.Right = emptied(n.Right)
	}
	return &c
}

// emptySetOp returns the other operand where one is empty.
func emptySetOp(n *algebra.SetOp) algebra.Node {
	left, right := isEmpty(n.Left), isEmpty(n.Right)
	switch {
	case left && (right || n.Kind != algebra.Union), right && n.Kind == algebra.Intersect:
		return emptied(n)
	case !n.All:
		return n
	case left:
		return renameColumns(n.Right, n.Cols)
	case right:
		return renameColumns(n.Left, n.Cols)
	}
	return n
}
