// Package sql turns SQL text into a small syntax tree of our own. The dialect
// is PostgreSQL's. Package sql/dialect turns what Vitess's MySQL grammar lacks
// or misreads into what it parses, and only this package knows Vitess.
package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Pos is a byte offset into the statement's text; NoPos for none.
type Pos int

// NoPos says that a node stands for no place in the text.
const NoPos Pos = -1

// Position returns the position itself, for the expressions that embed it.
func (p Pos) Position() Pos { return p }

// Statement is one SQL statement.
type Statement interface {
	statement()
}

// Ident is an identifier after case folding: as written where it was quoted,
// in lower case otherwise.
type Ident struct {
	Name string
	Pos  Pos
}

// Name is a possibly qualified name, outermost qualifier first.
type Name []Ident

// Parts are the identifiers of a name, without their positions.
func (n Name) Parts() []string {
	return lists.Map(n, func(id Ident) string { return id.Name })
}

// Dotted is a name as it was written.
func (n Name) Dotted() string { return strings.Join(n.Parts(), ".") }

// NamedTable is a table's name, and whether ONLY stood before it.
type NamedTable struct {
	Name Name
	Only bool
}

// Expr is a scalar expression as written.
type Expr interface {
	// Position is where the expression starts, or the place of its operator.
	Position() Pos
}

// Change is *Insert, *Update, *Delete or *Merge: a statement that changes the rows of a table.
type Change interface {
	Statement
	// Changes names the table, and the statement as its command tag does.
	Changes() (table Name, verb string)
}
