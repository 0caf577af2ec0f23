package store

import "github.com/cubeloom/cubeloom/planner/algebra"

// Object is what a name of the catalog stands for: a *Table, a *View, a *Sequence, an
// *UserType or a *Function.
type Object interface {
	// Name is the object's name within its schema.
	Name() string
	// Schema is the schema that it is in; TemporarySchema where it is one of a session.
	Schema() string
	object()
}

// HierarchyDef is what CREATE HIERARCHY says: tables by their keys, and columns by their
// names. Weight is "" where all edges weigh 1, and On where the elements are those that
// edges name.
type HierarchyDef struct {
	Edges, Child, Parent string
	Weight               string `json:",omitempty"`
	On, ID               string `json:",omitempty"`
}

// Hierarchy makes a view one whose rows are kept: the closure of edges. It belongs to one
// version of the tables that it reads; a transaction that changes one of those makes the
// next (Tx.Follow), which has what has not changed of this one's rows. The rows are computed
// when they are first asked for, as they are not stored. Safe for concurrent use.
type Hierarchy struct {
	HierarchyDef

	turn     chan struct{} // has room for the one who looks at what follows
	of       [2]Object     // the tables that relation was made of
	relation *Table
	index    any // *hierarchyIndex of the elements' and weights' kinds; nil while no rows were followed
	elements *Table
}

// UserType is a type that a statement has made, as an object of the catalog. Columns of a
// state are of the version of an enum that the state has.
type UserType struct{ Of algebra.UserType }

// Name is the type's name.
func (t *UserType) Name() string { return t.Of.ID().Name }

// Schema is the type's schema.
func (t *UserType) Schema() string { return t.Of.ID().Schema }

func (*UserType) object() {}
