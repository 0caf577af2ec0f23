package scope

import (
	"cmp"
	"slices"
)

// Access is what a statement does to a relation that it names, for the check of
// whether it may. Columns are by their position in the relation.
type Access struct {
	// Relation is what the catalog gave as Relation.Protected.
	Relation string
	// As is the owner of the view in whose query the relation stands, as
	// Relation.Owner; 0 for a relation that the statement itself names.
	As uint32
	// Select says that rows are read, of which the columns Read are named.
	Select bool
	Read   []int
	// Insert, Update and Delete say that rows are changed, of which the columns Written
	// are given.
	Insert, Update, Delete bool
	Written                []int

	depth int // of views within views
}

// Checked are the accesses in the order in which PostgreSQL checks them: those of the
// statement first.
func (a *accesses) Checked() []*Access {
	slices.SortStableFunc(a.list, func(x, y *Access) int { return cmp.Compare(x.depth, y.depth) })
	return a.list
}

// accesses are what the statement that is bound does to relations.
type accesses struct {
	list []*Access
	As   uint32 // the owner of the view that is bound; 0: the statement
}
