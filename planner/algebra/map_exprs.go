package algebra

import "slices"

// MapExprs gives n with f applied to each expression that n itself holds, and
// n itself where f changed none.
func MapExprs(n Node, f func(Expr) Expr) Node {
	m := exprMapper{f: f}
	var mapped Node
	switch n := n.(type) {
	case *Filter:
		conds := m.exprs(n.Conds)
		if m.changed {
			mapped = &Filter{Input: n.Input, Conds: conds}
		}
	case *Project:
		items := m.items(n.Items)
		if m.changed {
			mapped = &Project{Input: n.Input, Items: items}
		}
	case *Join:
		keys, residual := m.joinKeys(n.Keys), m.exprs(n.Residual)
		if m.changed {
			mapped = &Join{Kind: n.Kind, Left: n.Left, Right: n.Right, Keys: keys, Residual: residual}
		}
	case *Apply:
		conds := m.exprs(n.Conds)
		if m.changed {
			c := *n
			c.Conds = conds
			mapped = &c
		}
	case *Aggregate:
		keys, aggs := m.items(n.Keys), m.aggs(n.Aggs)
		if m.changed {
			c := *n
			c.Keys, c.Aggs = keys, aggs
			mapped = &c
		}
	case *Window:
		out := m.window(n)
		if m.changed {
			mapped = out
		}
	case *Sort:
		keys := m.sortKeys(n.Keys)
		if m.changed {
			c := *n
			c.Keys = keys
			mapped = &c
		}
	case *Recursive:
		return n.mapFree(f)
	case *Repetition:
		times := m.expr(n.Times)
		if m.changed {
			c := *n
			c.Times = times
			mapped = &c
		}
	}
	if mapped == nil {
		return n
	}
	return mapped
}

// exprMapper applies a function to expressions and notes whether it changed one.
// Lists of which it changed none stay as they are.
type exprMapper struct {
	f       func(Expr) Expr
	changed bool
}

// expr maps an expression; nil stays nil.
func (m *exprMapper) expr(e Expr) Expr {
	if e == nil {
		return nil
	}
	out := m.f(e)
	m.changed = m.changed || out != e
	return out
}

func (m *exprMapper) exprs(list []Expr) []Expr {
	out, changed := mapArgs(list, m.f)
	if !changed {
		return list
	}
	m.changed = true
	return out
}

func (m *exprMapper) items(items []Item) []Item {
	return mapEach(items, func(item Item) (Item, bool) {
		was := item.Expr
		item.Expr = m.expr(was)
		return item, item.Expr != was
	})
}

func (m *exprMapper) joinKeys(keys []JoinKey) []JoinKey {
	return mapEach(keys, func(key JoinKey) (JoinKey, bool) {
		was := key
		key.Left, key.Right = m.expr(key.Left), m.expr(key.Right)
		return key, key != was
	})
}

func (m *exprMapper) sortKeys(keys []SortKey) []SortKey {
	return mapEach(keys, func(key SortKey) (SortKey, bool) {
		was := key.Expr
		key.Expr = m.expr(was)
		return key, key.Expr != was
	})
}

func (m *exprMapper) aggs(aggs []Agg) []Agg {
	return mapEach(aggs, func(agg Agg) (Agg, bool) {
		was := [...]Expr{agg.Arg, agg.Arg2, agg.Filter}
		agg.Arg, agg.Arg2, agg.Filter = m.expr(agg.Arg), m.expr(agg.Arg2), m.expr(agg.Filter)
		return agg, was != [...]Expr{agg.Arg, agg.Arg2, agg.Filter}
	})
}

// mapEach is a list with f of each element, and the list itself where f changed
// none.
func mapEach[T any](list []T, f func(T) (T, bool)) []T {
	out := list
	for i := range list {
		x, changed := f(list[i])
		if !changed {
			continue
		}
		if &out[0] == &list[0] {
			out = slices.Clone(list)
		}
		out[i] = x
	}
	return out
}
