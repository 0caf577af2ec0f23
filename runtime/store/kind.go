package store

// Kind is what an object of the catalog is: a table, a view, a hierarchy or a sequence.
type Kind string

// The kinds of objects, as messages name them.
const (
	KindTable Kind = "table"
	KindView  Kind = "view"
	// KindHierarchy is a view too: what is done to views can be done to it.
	KindHierarchy Kind = "hierarchy"
	KindSequence  Kind = "sequence"
)

// KindOf is the kind of an object.
func KindOf(o Object) Kind {
	v, ok := o.(*View)
	_, sequence := o.(*Sequence)
	switch {
	case sequence:
		return KindSequence
	case !ok:
		return KindTable
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

// KeyOf is what states and transactions call an object.
func KeyOf(o Object) string { return KeyIn(o.Schema(), o.Name()) }
