package rewrite

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// mapInput returns a node with one input replaced, or the node itself.
func mapInput(n algebra.Node, in algebra.Node) algebra.Node {
	return algebra.MapInputs(n, func(algebra.Node) algebra.Node { return in })
}

// withColumns returns n with exactly these columns in this order.
func withColumns(n algebra.Node, cols []algebra.Column) algebra.Node {
	have := n.Columns()
	same := len(have) == len(cols)
	for i := 0; same && i < len(cols); i++ {
		same = have[i].ID == cols[i].ID && have[i].Name == cols[i].Name
	}
	if same {
		return n
	}
	byID := make(map[algebra.ColumnID]algebra.Column, len(have))
	for _, c := range have {
		byID[c.ID] = c
	}
	items := make([]algebra.Item, len(cols))
	for i, c := range cols {
		items[i] = algebra.Item{Column: c, Expr: byID[c.ID].Ref()}
		items[i].Column.Nullable = byID[c.ID].Nullable
	}
	return &algebra.Project{Input: n, Items: items}
}

// filter puts conditions above a node.
func filter(n algebra.Node, conds []algebra.Expr) algebra.Node {
	var kept []algebra.Expr
	var seen exprSet
	for _, cond := range conds {
		if seen.add(cond) {
			kept = append(kept, cond)
		}
	}
	if len(kept) == 0 {
		return n
	}
	return &algebra.Filter{Input: n, Conds: kept}
}

// withoutIdle drops from a plan what does not change whether it has rows.
func withoutIdle(n algebra.Node) algebra.Node {
	switch n := n.(type) {
	case *algebra.Project:
		return withoutIdle(n.Input)
	case *algebra.Sort:
		if n.Limit != 0 && n.Offset == 0 {
			return withoutIdle(n.Input)
		}
	case *algebra.Limit:
		if n.Count != 0 && n.Offset == 0 {
			return withoutIdle(n.Input)
		}
	case *algebra.Aggregate:
		if !hasEmptySet(n) {
			return withoutIdle(n.Input)
		}
	}
	return n
}

// hasEmptySet reports whether an aggregation has a row even without input.
func hasEmptySet(n *algebra.Aggregate) bool {
	return slices.Contains(n.Sets, 0)
}

// passOn are items that pass columns on.
func passOn(cols []algebra.Column) []algebra.Item {
	return lists.Map(cols, func(c algebra.Column) algebra.Item { return algebra.Item{Column: c, Expr: c.Ref()} })
}

// withResults has the columns of an aggregation by way of another one: some are computed of those that it has.
func withResults(of, by *algebra.Aggregate, results map[algebra.ColumnID]algebra.Expr) algebra.Node {
	items := passOn(of.Columns())
	for i := range items {
		items[i].Expr = cmp.Or(results[items[i].Column.ID], items[i].Expr)
	}
	return &algebra.Project{Input: by, Items: items}
}

// compute adds computed columns to a relation.
func compute(n algebra.Node, items []algebra.Item) algebra.Node {
	if len(items) == 0 {
		return n
	}
	all := passOn(n.Columns())
	for _, item := range items {
		item.Column.Nullable = algebra.CanBeNull(item.Expr)
		all = append(all, item)
	}
	return &algebra.Project{Input: n, Items: all}
}

// hasOneRow reports whether a plan is an aggregation of all rows.
func hasOneRow(n algebra.Node) bool {
	switch n := n.(type) {
	case *algebra.Project:
		return hasOneRow(n.Input)
	case *algebra.Aggregate:
		return len(n.Sets) == 1 && n.Sets[0] == 0
	}
	return false
}

func nodeHasSubquery(n algebra.Node) bool {
	found := false
	algebra.VisitExprs(n, func(e algebra.Expr) { found = found || hasSubquery(e) })
	return found
}

func hasSubquery(e algebra.Expr) bool {
	found := false
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		_, ok := e.(*algebra.Subquery)
		found = found || ok
		return !found
	})
	return found
}

// isNested reports whether a plan holds subqueries or dependent joins.
func isNested(n algebra.Node) bool {
	found := false
	algebra.Walk(n, func(n algebra.Node) bool {
		_, apply := n.(*algebra.Apply)
		found = found || apply || nodeHasSubquery(n)
		return !found
	})
	return found
}

// divide returns the conditions that are of a kind, and the others.
func divide(conds []algebra.Expr, is func(algebra.Expr) bool) (those, others []algebra.Expr) {
	for _, cond := range conds {
		if is(cond) {
			those = append(those, cond)
		} else {
			others = append(others, cond)
		}
	}
	return those, others
}

// spoolsOf visits the Spools that a plan without subqueries has.
func spoolsOf(n algebra.Node, note func(*algebra.Spool)) {
	algebra.Walk(n, func(n algebra.Node) bool {
		if spool, ok := n.(*algebra.Spool); ok {
			note(spool)
		}
		return true
	})
}

// renameColumns returns a plan with the columns of n, in order, under the names and IDs of
// others.
func renameColumns(n algebra.Node, cols []algebra.Column) algebra.Node {
	have := n.Columns()
	items := make([]algebra.Item, len(cols))
	for i, c := range cols {
		items[i] = algebra.Item{Column: c, Expr: have[i].Ref()}
	}
	return &algebra.Project{Input: n, Items: items}
}
