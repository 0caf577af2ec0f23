package algebra

import (
	"maps"
	"reflect"
	"slices"
)

// Match reports whether two plans compute the same from the same tables, but for
// the identity of the columns that they make, and returns the column of a for each
// that b makes. a may have more columns than b: of tables, computed ones, and aggregates. It
// may miss that plans are the same; plans with windows or subqueries of their own are never
// taken for the same.
func Match(a, b Node) (columns map[ColumnID]Column, ok bool) {
	m := &matcher{columns: make(map[ColumnID]Column), refs: make(map[ColumnID]Expr)}
	_, ok = m.nodes(a, b)
	return m.columns, ok
}

// Widen returns a with those columns of b that it does not have, so that it matches b; ok is
// false where they compute other rows.
func Widen(a, b Node) (wider Node, ok bool) {
	m := &matcher{columns: make(map[ColumnID]Column), refs: make(map[ColumnID]Expr), widens: true}
	return m.nodes(a, b)
}

type matcher struct {
	columns map[ColumnID]Column // a's for each that b makes
	refs    map[ColumnID]Expr   // the same as references
	widens  bool                // columns that only b has are added to a
}

// column notes that a column of a is one of b.
func (m *matcher) column(a, b Column) bool {
	if a.Type != b.Type {
		return false
	}
	m.columns[b.ID], m.refs[b.ID] = a, a.Ref()
	return true
}

// nodes compares two plans and returns a, with the columns that were added.
func (m *matcher) nodes(a, b Node) (Node, bool) {
	as, bs := Inputs(a), Inputs(b)
	if reflect.TypeOf(a) != reflect.TypeOf(b) || len(as) != len(bs) {
		return nil, false
	}
	for i, in := range as {
		var ok bool
		if as[i], ok = m.nodes(in, bs[i]); !ok {
			return nil, false
		}
	}
	if !slices.Equal(as, Inputs(a)) {
		a = WithInputs(a, as...)
	}
	switch a := a.(type) {
	case *Scan:
		return m.scanned(a, b.(*Scan))
	case *Project:
		return m.projected(a, b.(*Project))
	case *Aggregate:
		return m.aggregated(a, b.(*Aggregate))
	case *SetOp:
		if b := b.(*SetOp); !m.aligned(a.Left, b.Left) || !m.aligned(a.Right, b.Right) {
			return nil, false
		}
	case *Apply, *Window, *Recursive, *Working:
		return nil, false
	}
	x, y := a.fields(), b.fields()
	for i := range x {
		if !m.fields(x[i].of, y[i].of) {
			return nil, false
		}
	}
	var of []Column
	eachColumn(a, func(c *Column) { of = append(of, *c) })
	return a, m.made(of, b)
}

// fields compares a field of two nodes of one kind, but for the columns in it.
func (m *matcher) fields(a, b any) bool {
	switch a := a.(type) {
	case *Expr:
		return m.same(*a, *b.(*Expr))
	case *[]Expr:
		return slices.EqualFunc(*a, *b.(*[]Expr), m.same)
	case *[]JoinKey:
		return slices.EqualFunc(*a, *b.(*[]JoinKey), func(a, b JoinKey) bool {
			return a.NullSafe == b.NullSafe && m.same(a.Left, b.Left) && m.same(a.Right, b.Right)
		})
	case *[]SortKey:
		return slices.EqualFunc(*a, *b.(*[]SortKey), func(a, b SortKey) bool {
			return a.Desc == b.Desc && a.NullsFirst == b.NullsFirst && m.same(a.Expr, b.Expr)
		})
	case property:
		return a.equal(b.(property))
	}
	return true
}

// projected notes the items of b, which a has too.
func (m *matcher) projected(a, b *Project) (Node, bool) {
	refs := maps.Clone(m.refs) // those of the input: an item may pass a column on under its ID
	items := slices.Clip(a.Items)
	for _, item := range b.Items {
		item.Expr = Substitute(item.Expr, refs)
		at := slices.IndexFunc(items, func(i Item) bool { return Equal(i.Expr, item.Expr) })
		if at < 0 && m.widens {
			at, items = len(items), append(items, item)
		}
		if at < 0 || !m.column(items[at].Column, item.Column) {
			return nil, false
		}
	}
	if len(items) > len(a.Items) {
		a = &Project{Input: a.Input, Items: items}
	}
	return a, true
}

// aggregated notes the columns of an aggregation by the same keys, whose aggregates a has too.
func (m *matcher) aggregated(a, b *Aggregate) (Node, bool) {
	if !(*groupingSets)(a).equal((*groupingSets)(b)) || (a.GroupingID.ID == 0) != (b.GroupingID.ID == 0) {
		return nil, false
	}
	if !slices.EqualFunc(a.Keys, b.Keys, func(a, b Item) bool { return m.same(a.Expr, b.Expr) }) {
		return nil, false
	}
	of := slices.Clone(a.Columns()[:len(a.Keys)]) // nullable where a key is in some sets only
	aggs := slices.Clip(a.Aggs)
	for _, agg := range b.Aggs {
		for _, arg := range []*Expr{&agg.Arg, &agg.Arg2, &agg.Filter} {
			if *arg != nil {
				*arg = Substitute(*arg, m.refs)
			}
		}
		at := slices.IndexFunc(aggs, func(a Agg) bool { return equalAggs(&a, &agg) })
		if at < 0 && m.widens {
			at, aggs = len(aggs), append(aggs, agg)
		}
		if at < 0 {
			return nil, false
		}
		of = append(of, aggs[at].Column)
	}
	if a.GroupingID.ID != 0 {
		of = append(of, a.GroupingID)
	}
	if len(aggs) > len(a.Aggs) {
		wider := *a
		wider.Aggs = aggs
		a = &wider
	}
	return a, m.made(of, b)
}

func equalAggs(a, b *Agg) bool {
	return a.Func == b.Func && a.Distinct == b.Distinct && Equal(a.Arg, b.Arg) && Equal(a.Arg2, b.Arg2) && Equal(a.Filter, b.Filter)
}

// made notes the columns that b makes, which are those of.
func (m *matcher) made(of []Column, b Node) bool {
	same := true
	eachColumn(b, func(c *Column) {
		if same = same && len(of) > 0 && m.column(of[0], *c); same {
			of = of[1:]
		}
	})
	return same && len(of) == 0
}

// scanned notes the columns that b reads of a table, which a reads too.
func (m *matcher) scanned(a, b *Scan) (Node, bool) {
	if !(*source)(a).equal((*source)(b)) {
		return nil, false
	}
	wider := *a
	wider.Cols, wider.Ordinals, wider.ColStats = slices.Clip(a.Cols), slices.Clip(a.Ordinals), slices.Clip(a.ColStats)
	for i, ordinal := range b.Ordinals {
		at := slices.Index(wider.Ordinals, ordinal)
		if at < 0 && m.widens {
			at = len(wider.Ordinals)
			wider.Cols, wider.Ordinals, wider.ColStats = append(wider.Cols, b.Cols[i]), append(wider.Ordinals, ordinal), append(wider.ColStats, b.ColStats[i])
		}
		if at < 0 || !m.column(wider.Cols[at], b.Cols[i]) {
			return nil, false
		}
	}
	if len(wider.Cols) > len(a.Cols) {
		a = &wider
	}
	return a, true
}

// aligned reports whether two matching plans have matching columns at the same places.
func (m *matcher) aligned(a, b Node) bool {
	return slices.EqualFunc(a.Columns(), b.Columns(), func(a, b Column) bool { return m.columns[b.ID].ID == a.ID })
}

// same compares expressions; either may be nil.
func (m *matcher) same(a, b Expr) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return Equal(a, Substitute(b, m.refs))
}
