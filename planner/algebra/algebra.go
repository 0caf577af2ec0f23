// Package algebra is the relational algebra: its types, its scalar
// expressions, its relational nodes, their printer and their verifier.
//
// Nodes and expressions are immutable; a rewrite copies what it changes.
// Columns are identified by a ColumnID that is unique in one plan, so that a
// rewrite never has to renumber references.
package algebra

// ColumnID identifies a column within one plan.
type ColumnID int32

// Column is a column of a relation: its identity, its name for people, its
// type, and whether it can hold NULL.
type Column struct {
	ID       ColumnID
	Name     string
	Type     Type
	Nullable bool
}

// Expr is a typed scalar expression over the columns of a relation.
// The kinds are *Const, *ColumnRef, *Call, *Case and *Subquery.
type Expr interface {
	// Type is the type of the expression's value.
	Type() Type
	// String prints the expression as text that reads like SQL.
	String() string
	expr()
}

// Node is a relational operator with its inputs. Each kind is a struct that names its
// fields once (fields.go); walking, mapping, copying, comparing, verifying and printing
// a plan go by that.
type Node interface {
	// Columns are the columns of the result, in order.
	Columns() []Column
	// op is the operator's name as plans print it.
	op() string
	// operands are the places of the inputs; nil where there are fewer than two.
	operands() (left, right *Node)
	// fields are all others of the node's fields that say what it computes.
	fields() fields
	// copy is a node with fields of its own, whose lists are shared.
	copy() Node
}

// Drawing is a node that passes on some of its input's rows, whatever they hold.
type Drawing interface {
	Node
	// Share is how many of the rows it is likely to pass on, from 0 to 1.
	Share() float64
}

// fields are what a node computes, in the order of print. A field without an Of ends them.
type fields [5]field

// field is one field of a node. Of points to it: to expressions (*Expr, *[]Expr, *[]Item,
// *[]JoinKey, *[]SortKey, *[]Agg, *[]WindowCall), to columns that the node makes
// (*Column, *[]Column), or it is a property.
type field struct {
	name string // in JSON; in text as well, unless bare
	bare bool
	of   any
}
