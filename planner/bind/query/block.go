package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
)

// Block is a SELECT block while it is bound. The clauses are bound in
// PostgreSQL's order, so that of several errors the same one is reported.
type Block struct {
	*scope.Binder
	Sel   *sql.Select
	Env   *scope.Environment
	node  algebra.Node
	Scope *scope.Scope
	group scope.Grouping
	// arrays are the ARRAY[…]s that may be grouping expressions.
	arrays []sql.Expr
	win    scope.Windowing
	rows   scope.Expansion
	Items  []selectItem
	// visible is how many of the items are in the result; those behind it are
	// there to sort by.
	visible int
	order   []orderKey
	// distinctOn are the items of DISTINCT ON, distinctPos where they stand, and kept
	// says that only the first rows are left.
	distinctOn  []int
	distinctPos []sql.Pos
	kept        bool
}

// selectItem is one computed column of the block.
type selectItem struct {
	Expr algebra.Expr
	Name string
	pos  sql.Pos
}

// orderKey sorts by an item.
type orderKey struct {
	item int
	spec sql.OrderItem
}

// regrouper brings expressions over the input of an aggregation into terms of
// its output.
type regrouper struct {
	*Block
	agg  *algebra.Aggregate
	in   algebra.ColSet                    // the columns of its input
	cols map[algebra.ColumnID]algebra.Expr // what stands for bare keys, aggregates and GROUPING calls
	cplx []int                             // keys that are not bare columns
	// nested is set inside subqueries.
	nested bool
}

// Limits on GROUP BY; the first two are PostgreSQL's.
const (
	maxGroupingSets = 4096
	maxCubeElements = 12
	maxKeys         = 64
)
