package store

// Kind is what an object of the catalog is: a table, a view, a materialized view, a hierarchy, a
// sequence, a type or a function.
type Kind string

// The kinds of objects, as messages name them.
const (
	KindTable Kind = "table"
	KindView  Kind = "view"
	// KindHierarchy is a view too: what is done to views can be done to it.
	KindHierarchy Kind = "hierarchy"
	// KindMaterialized is a table, which has a query.
	KindMaterialized Kind = "materialized view"
	KindSequence     Kind = "sequence"
	KindType         Kind = "type"
	KindFunction     Kind = "function"
)

// KindOf is the kind of an object.
func KindOf(o Object) Kind {
	switch o.(type) {
	case *Sequence:
		return KindSequence
	case *UserType:
		return KindType
	case *Function:
		return KindFunction
	}
	switch v := QueryOf(o); {
	case v == nil:
		return KindTable
	case v.Materialized:
		return KindMaterialized
	case v.Hierarchy != nil:
		return KindHierarchy
	}
	return KindView
}

// IsKind reports whether an object is of a kind: a hierarchy is a view too.
func IsKind(o Object, kind Kind) bool {
	_, view := o.(*View)
	return KindOf(o) == kind || view && kind == KindView
}

// QueryOf is a view, or what a materialized view is beside its rows; nil for any other object.
func QueryOf(o Object) *View {
	switch o := o.(type) {
	case *View:
		return o
	case *Table:
		return o.def.Query
	}
	return nil
}

// KeyOf is what states and transactions call an object.
func KeyOf(o Object) string {
	switch o := o.(type) {
	case *UserType:
		return TypeKey(o.Schema(), o.Name())
	case *Function:
		return o.key
	}
	return KeyIn(o.Schema(), o.Name())
}
