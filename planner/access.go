package planner

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Access is what a statement does to a relation that it names, for whoever checks
// whether it may. Columns are by their position in the relation.
type Access struct {
	// Relation is what the catalog gave as Relation.Protected.
	Relation string
	// As is the owner of the view in whose query the relation stands, as
	// Relation.Owner; 0 for a relation that the statement itself names.
	As uint32
	// Select tells that rows are read, of which the columns Read are named.
	Select bool
	Read   []int
	// Insert, Update and Delete tell that rows are changed, of which the columns Written
	// are given.
	Insert, Update, Delete bool
	Written                []int

	depth int // of views within views
}

// accesses are what the statement that is bound does to relations.
type accesses struct {
	list []*Access
	as   uint32 // the owner of the view that is bound; 0: the statement
}

// lookUp finds a relation that the statement names; nil where there is none. One in a
// schema that is not open is found in a view's text only.
func (b *binder) lookUp(name sql.Name) (*Relation, error) {
	names := make([]string, len(name))
	for i, id := range name {
		names[i] = id.Name
	}
	r, err := b.cat.Relation(names)
	pos := int(name[0].Pos)
	switch {
	case err != nil:
		return nil, value.At(err, pos)
	case r == nil || r.Closed == "" || b.access.as != 0:
		return r, nil
	case len(name) > 1:
		return nil, value.ErrorAt(pos, value.CodeInsufficientPrivilege, "permission denied for schema %s", r.Closed)
	}
	return nil, nil
}

// accessTo notes that the statement names a relation; nil for one that is open to all.
func (b *binder) accessTo(r *Relation) *Access {
	if r.Protected == "" {
		return nil
	}
	a := &Access{Relation: r.Protected, As: b.access.as, depth: b.viewDepth}
	b.access.list = append(b.access.list, a)
	return a
}

// guard makes naming columns of a scope known to an access, in order.
func (s *scope) guard(a *Access) {
	if a == nil {
		return
	}
	for i := range s.cols {
		s.cols[i].access, s.cols[i].ordinal = a, i
	}
}

// named notes that a column is named.
func (c *scopeColumn) named() {
	if a := c.access; a != nil {
		a.Select = true
		if at, found := slices.BinarySearch(a.Read, c.ordinal); !found {
			a.Read = slices.Insert(a.Read, at, c.ordinal)
		}
	}
}

// checked are the accesses in the order in which PostgreSQL checks them: those of the
// statement first.
func (a *accesses) checked() []*Access {
	slices.SortStableFunc(a.list, func(x, y *Access) int { return cmp.Compare(x.depth, y.depth) })
	return a.list
}
