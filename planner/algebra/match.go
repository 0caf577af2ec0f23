package algebra

import (
	"reflect"
	"slices"
)

// Match reports whether two plans compute the same from the same tables, but for
// the identity of the columns that they make, and returns the column of a for each
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

// column notes that a column of a is one of b.
func (m *matcher) column(a, b Column) bool {
	if a.Type != b.Type {
		return false
	}
	m.columns[b.ID], m.refs[b.ID] = a, a.Ref()
	return true
}

func (m *matcher) nodes(a, b Node) bool {
	as, bs := Inputs(a), Inputs(b)
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
		return (*source)(a).equal((*source)(b.(*Scan))) && m.scanned(a, b.(*Scan))
	case *SetOp:
		if b := b.(*SetOp); !m.aligned(a.Left, b.Left) || !m.aligned(a.Right, b.Right) {
			return false
		}
	case *Apply, *Window, *Recursive, *Working:
		return false
	}
	x, y := a.fields(), b.fields()
	for i := range x {
		if !m.fields(x[i].of, y[i].of) {
			return false
		}
	}
	return m.made(a, b)
}

// fields compares a field of two nodes of one kind, but for the columns in it.
func (m *matcher) fields(a, b any) bool {
	switch a := a.(type) {
	case *Expr:
		return m.same(*a, *b.(*Expr))
	case *[]Expr:
		return slices.EqualFunc(*a, *b.(*[]Expr), m.same)
	case *[]Item:
		return slices.EqualFunc(*a, *b.(*[]Item), func(a, b Item) bool { return m.same(a.Expr, b.Expr) })
	case *[]JoinKey:
		return slices.EqualFunc(*a, *b.(*[]JoinKey), func(a, b JoinKey) bool {
			return a.NullSafe == b.NullSafe && m.same(a.Left, b.Left) && m.same(a.Right, b.Right)
		})
	case *[]SortKey:
		return slices.EqualFunc(*a, *b.(*[]SortKey), func(a, b SortKey) bool {
			return a.Desc == b.Desc && a.NullsFirst == b.NullsFirst && m.same(a.Expr, b.Expr)
		})
	case *[]Agg:
		return slices.EqualFunc(*a, *b.(*[]Agg), func(a, b Agg) bool {
			return a.Func == b.Func && a.Distinct == b.Distinct && m.same(a.Arg, b.Arg) && m.same(a.Arg2, b.Arg2) && m.same(a.Filter, b.Filter)
		})
	case property:
		return a.equal(b.(property))
	}
	return true
}

// made notes the columns that two nodes of one kind make.
func (m *matcher) made(a, b Node) bool {
	var of []Column
	if agg, ok := a.(*Aggregate); ok {
		of = agg.Columns() // nullable where a key is in some sets only
	} else {
		eachColumn(a, func(c *Column) { of = append(of, *c) })
	}
	same := true
	eachColumn(b, func(c *Column) {
		if same = same && len(of) > 0 && m.column(of[0], *c); same {
			of = of[1:]
		}
	})
	return same && len(of) == 0
}

// scanned notes the columns that b reads of a table, all of which a reads too.
func (m *matcher) scanned(a, b *Scan) bool {
	for i, ordinal := range b.Ordinals {
		at := slices.Index(a.Ordinals, ordinal)
		if at < 0 || !m.column(a.Cols[at], b.Cols[i]) {
			return false
		}
	}
	return true
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
