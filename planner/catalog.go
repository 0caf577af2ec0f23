// Package planner binds SQL against a catalog, turns it into relational
// algebra, and rewrites that into a better plan. It needs no data and no
// device: a program that implements Catalog can use it alone.
package planner

import "github.com/cubeloom/cubeloom/planner/bind/scope"

// What a statement is planned with, and what is known of its tables.
type (
	// Catalog is what the planner knows of tables.
	Catalog = scope.Catalog
	// Relation is a table or a view of a catalog.
	Relation = scope.Relation
	// UserFunction is a function that the catalog has, and Parameter one of its parameters.
	UserFunction = scope.UserFunction
	Parameter    = scope.Parameter
	// Key is a set of columns in which no two rows of a table agree.
	Key = scope.Key
	// CatalogColumn is a column of a table with its statistics.
	CatalogColumn = scope.CatalogColumn
	// Access is what a statement does to a relation that it names.
	Access = scope.Access
	// Options are the settings of one planning.
	Options = scope.Options
	// Param is the value of a parameter.
	Param = scope.Param
	// Sequences hands out values of sequences.
	Sequences = scope.Sequences
	// SQLFunctions finds functions that the embedder defines in SQL.
	SQLFunctions = scope.SQLFunctions
)
