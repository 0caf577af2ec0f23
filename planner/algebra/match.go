package algebra

import (
	"reflect"
	"slices"
)

// Match reports whether two plans compute the same from the same tables, but for
// the identity of the columns that they make, and gives the column of a for each
// that b makes. a may read more columns of the tables than b. It may miss that plans are the same; plans with windows or
// subqueries of their own are never taken for the same.
func Match(a, b Node) (columns map[ColumnID]Column, ok bool) {
	m := &matcher{columns: make(map[ColumnID]Column), refs: make(map[ColumnID]Expr)}
	return m.columns, m.nodes(a, b)
}

type matcher struct {
	columns map[ColumnID]Column // a's for each that b makes
	refs    map[ColumnID]Expr   // the same as references
}

// made notes columns that two nodes make.
func (m *matcher) made(a, b []Column) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Type != b[i].Type {
			return false
		}
		m.columns[b[i].ID], m.refs[b[i].ID] = a[i], a[i].Ref()
	}
	return true
}

func (m *matcher) nodes(a, b Node) bool {
	as, bs := a.Inputs(), b.Inputs()
	if reflect.TypeOf(a) != reflect.TypeOf(b) || len(as) != len(bs) {
		return false
	}
	for i := range as {
		if !m.nodes(as[i], bs[i]) {
			return false
		}
	}
	switch a := a.(type) {
	case *Scan:
		b := b.(*Scan)
		return sameTable(a.Table, b.Table) && m.scanned(a, b)
	case *Values:
		b := b.(*Values)
		return reflect.DeepEqual(a.Rows, b.Rows) && m.made(a.Cols, b.Cols)
	case *Filter:
		return m.all(a.Conds, b.(*Filter).Conds)
	case *Project:
		return m.items(a.Items, b.(*Project).Items)
	case *Join:
		b := b.(*Join)
		return a.Kind == b.Kind && m.keys(a.Keys, b.Keys) && m.all(a.Residual, b.Residual)
	case *Aggregate:
		return m.aggregates(a, b.(*Aggregate))
	case *Sort:
		b := b.(*Sort)
		return a.Limit == b.Limit && a.Offset == b.Offset && m.order(a.Keys, b.Keys)
	case *Limit:
		b := b.(*Limit)
		return a.Count == b.Count && a.Offset == b.Offset
	case *Repetition:
		b := b.(*Repetition)
		return m.same(a.Times, b.Times) && m.made([]Column{a.Ordinal}, []Column{b.Ordinal})
	case *SetOp:
		b := b.(*SetOp)
		return a.Kind == b.Kind && a.All == b.All && m.aligned(a.Left, b.Left) && m.aligned(a.Right, b.Right) && m.made(a.Cols, b.Cols)
	}
	return false
}

// scanned notes the columns that b reads of a table, all of which a reads too.
func (m *matcher) scanned(a, b *Scan) bool {
	for i, ordinal := range b.Ordinals {
		at := slices.Index(a.Ordinals, ordinal)
		if at < 0 || !m.made([]Column{a.Cols[at]}, []Column{b.Cols[i]}) {
			return false
		}
	}
	return true
}

// aligned reports whether two matching plans have matching columns at the same places.
func (m *matcher) aligned(a, b Node) bool {
	return slices.EqualFunc(a.Columns(), b.Columns(), func(a, b Column) bool { return m.columns[b.ID].ID == a.ID })
}

// sameTable reports whether two references are to one table in one state.
func sameTable(a, b TableRef) bool {
	if a.Name != b.Name || reflect.TypeOf(a.Handle) != reflect.TypeOf(b.Handle) {
		return false
	}
	return a.Handle == nil || reflect.TypeOf(a.Handle).Comparable() && a.Handle == b.Handle
}

// same compares expressions; either may be nil.
func (m *matcher) same(a, b Expr) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return Equal(a, Substitute(b, m.refs))
}

func (m *matcher) all(a, b []Expr) bool { return slices.EqualFunc(a, b, m.same) }

func (m *matcher) items(a, b []Item) bool {
	if !slices.EqualFunc(a, b, func(a, b Item) bool { return m.same(a.Expr, b.Expr) }) {
		return false
	}
	for i := range a {
		if !m.made([]Column{a[i].Column}, []Column{b[i].Column}) {
			return false
		}
	}
	return true
}

func (m *matcher) keys(a, b []JoinKey) bool {
	return slices.EqualFunc(a, b, func(a, b JoinKey) bool {
		return a.NullSafe == b.NullSafe && m.same(a.Left, b.Left) && m.same(a.Right, b.Right)
	})
}

func (m *matcher) order(a, b []SortKey) bool {
	return slices.EqualFunc(a, b, func(a, b SortKey) bool {
		return a.Desc == b.Desc && a.NullsFirst == b.NullsFirst && m.same(a.Expr, b.Expr)
	})
}

func (m *matcher) aggregates(a, b *Aggregate) bool {
	aggs := slices.EqualFunc(a.Aggs, b.Aggs, func(a, b Agg) bool {
		return a.Func == b.Func && a.Distinct == b.Distinct && m.same(a.Arg, b.Arg) && m.same(a.Arg2, b.Arg2) && m.same(a.Filter, b.Filter)
	})
	if !aggs || !slices.Equal(a.Sets, b.Sets) || (a.GroupingID.ID == 0) != (b.GroupingID.ID == 0) {
		return false
	}
	return m.items(a.Keys, b.Keys) && m.made(a.Columns(), b.Columns())
}
