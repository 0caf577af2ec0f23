// Package scope is what is known while one statement is bound: the catalog and the
// options, what names mean where an expression stands, and what the clauses of a query
// collect for the steps behind them.
//
// The packages of the binder panic with an error of the user; sqlstate.Try returns it where
// the binding of a statement begins.
package scope

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
)

// Catalog is what the planner knows of tables. An embedder may implement it.
// The planner calls it from the goroutine that plans, and keeps nothing of it
// after the plan is made but the TableRefs.
type Catalog interface {
	// Relation finds a table or view by its name, outermost qualifier first,
	// case already folded; for f() in FROM the last part is "f()". It returns
	// nil, nil where there is none.
	Relation(name []string) (*Relation, error)
	// Type finds the type that a statement has made of a name, outermost qualifier first. It
	// returns nil, nil where there is none.
	Type(name []string) (algebra.UserType, error)
	// Functions are the functions that CREATE FUNCTION has made of a name, outermost qualifier
	// first, those of the schema that comes first in the search path first.
	Functions(name []string) ([]*UserFunction, error)
	// File describes the file or glob of FROM 'path' or of a table function
	// such as read_csv. It returns nil, nil where files are not offered.
	File(path string, options map[string]string) (*Relation, error)
}

// UserFunction is a function of a catalog that CREATE FUNCTION has made of SQL. A call of it is bound
// as what its text says.
type UserFunction struct {
	Key, Name string
	Params    []Parameter // that calls have arguments for
	Returns   algebra.Type
	Domain    *algebra.Domain // that Returns is the type of the values of; nil for none
	Result    string          // the name of the value in FROM; "" is that of the function
	// Columns are those of its rows, where it returns rows of several; nil for values of Returns.
	Columns []Parameter
	Set     bool
	Strict  bool
	// Form is "return" where Text is an expression; else that is queries.
	Form, Text string
	Within     Catalog // where the names in the text are looked up
	// Called is called where a call turns out to be of the function; nil: nobody wants to know.
	Called func()
}

// Parameter is a parameter of a function, or a column of its rows. Default is the text of an expression, "" where there is none.
type Parameter struct {
	Name, Default string
	Type          algebra.Type
	Domain        *algebra.Domain // whose values are of the type; nil for none
}

// Relation is a table or a view of a catalog.
type Relation struct {
	Ref     algebra.TableRef
	Columns []CatalogColumn
	View    string   // the text of a view's query; then Ref and Columns are empty
	Names   []string // column names that a view was given, or empty
	Within  Catalog  // where the names in View's text are looked up; nil: here, too
	// Protected is the name by which Plan.Access has the relation; "" for one that is
	// open to all. Owner is by whose privileges a view's query runs.
	Protected string
	Owner     uint32
	// Derived is what the rows are made of, which Owner must be able to read.
	Derived []Access
	// Elements describes the elements of a hierarchy; nil of any other relation.
	Elements func() (*Relation, error)
	Schema   string  // in which names without one have found it; "" where the catalog does not say
	Closed   string  // the schema that it is in, where who asks has no USAGE of that
	Unique   [][]int // sets of column positions known to be unique and not NULL
	Keys     []Key   // of a table whose rows can be changed: those that changes must not break
	// Momentary is set where the rows are those of this statement only, as those of a file
	// are, which may be another one the next time.
	Momentary bool
	// Numbered is a handle as that of Ref, of the same rows with one more column
	// behind Columns: the row's position from 0, of type bigint. DELETE and UPDATE
	// read it; nil where rows cannot be changed.
	Numbered any
	// Materialized marks a materialized view, whose rows statements do not change.
	Materialized bool
	// Where is the text of a condition over Columns that tells the rows of a partition from all others
	// of the table that Ref is; "" where all are the relation's.
	Where string
	// TableOID is the text of an expression over Columns, the system column tableoid; nil: there is none.
	TableOID func() string
	// Partitioned marks a table whose rows are those of its partitions.
	Partitioned bool
}

// Key is a set of columns, by position, in which no two rows agree that have no NULL there. Of a
// computed index no two rows agree in its expressions.
type Key struct {
	Name    string
	Columns []int
	Index   *algebra.Index // a unique index; nil for a PRIMARY KEY or UNIQUE constraint
}

// CatalogColumn is a column of a table with its statistics.
type CatalogColumn struct {
	Name    string
	Type    algebra.Type
	Domain  *algebra.Domain // whose values are of the type; nil where it is of no domain
	NotNull bool
	Default string // the text of the default's expression; "": NULL
	// Sequence is the one whose next value is the default, by its key; "" for none. Identity
	// is "a" where the column is GENERATED ALWAYS AS IDENTITY, and "d" where BY DEFAULT.
	Sequence, Identity string
	Generated          string // the text of a generated column's expression; "" for any other
	Stats              algebra.Stats
}

// TypeName is the name of the column's type, of a domain where it is of one.
func (c *CatalogColumn) TypeName() string {
	if c.Domain != nil {
		return c.Domain.String()
	}
	return c.Type.String()
}

// SchemaAs is the schema of a relation that a statement has found by a name.
func (r *Relation) SchemaAs(name sql.Name) string {
	if r.Schema == "" && len(name) > 1 {
		return name[len(name)-2].Name
	}
	return r.Schema
}
