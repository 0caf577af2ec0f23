package algebra

import "slices"

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

func mapArgs(args []Expr, f func(Expr) Expr) ([]Expr, bool) {
	var mapped []Expr
	for i, arg := range args {
		now := f(arg)
		if now != arg && mapped == nil {
			mapped = append(make([]Expr, 0, len(args)), args...)
		}
		if mapped != nil {
			mapped[i] = now
		}
	}
	return mapped, mapped != nil
}

func (m *exprMapper) window(n *Window) *Window {
	c := *n
	c.PartitionBy = m.exprs(n.PartitionBy)
	c.OrderBy = m.sortKeys(n.OrderBy)
	c.Calls = make([]WindowCall, len(n.Calls))
	for i, call := range n.Calls {
		call.Args = m.exprs(call.Args)
		for _, e := range []*Expr{&call.Filter, &call.Frame.Key, &call.Frame.Start.Limit, &call.Frame.End.Limit} {
			*e = m.expr(*e)
		}
		c.Calls[i] = call
	}
	return &c
}
