package scope

import (
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// LookUp finds a relation that the statement names; nil where there is none. One in a
// schema that is not open is found in a view's text only.
func (b *Binder) LookUp(name sql.Name) *Relation {
	r, err := b.Catalog.Relation(name.Parts())
	pos := int(name[0].Pos)
	switch {
	case err != nil:
		panic(value.At(err, pos))
	case r == nil || r.Closed == "" || b.Access.As != 0:
		return r
	case len(name) > 1:
		panic(value.ErrorAt(pos, value.CodeInsufficientPrivilege, "permission denied for schema %s", r.Closed))
	}
	return nil
}

// AccessTo notes that the statement names a relation; nil for one that is open to all.
func (b *Binder) AccessTo(r *Relation) *Access {
	if r.Protected == "" {
		return nil
	}
	a := &Access{Relation: r.Protected, As: b.Access.As, depth: b.ViewDepth}
	b.Access.list = append(b.Access.list, a)
	for _, d := range r.Derived {
		d.As, d.depth = r.Owner, b.ViewDepth+1
		b.Access.list = append(b.Access.list, &d)
	}
	return a
}
