package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
)

// Bound is a bound statement: a query, or a change of a table with the rows that planner.Statement
// describes.
type Bound struct {
	Target   *scope.Relation // nil: a query
	Set      []int
	Conflict *Conflict
	Merge    *Merge
	Own      int
	Returns  bool
	Rows     algebra.Node
}

// Conflict is ON CONFLICT as the rows of an INSERT have it. Behind the columns of the table,
// which are those of the row that is proposed, they have the new values of the columns Set;
// the row's number from 1; whether DO UPDATE's WHERE is true of it and of the table's row; and for each of the Keys
// that are looked at two positions: that of the table's row with the same key, NULL for none,
// and the number of the first proposed row with it, NULL where a column of the key is NULL.
type Conflict struct {
	Set  []int // columns of the table; nil: DO NOTHING
	Keys int
}

// own is how many columns the rows have before those of RETURNING, where the table has n.
func (c *Conflict) own(n int) int { return n + len(c.Set) + 2 + 2*c.Keys }

// Merge is MERGE as its rows have it, of which each is one of the source that something is done for.
// They have the number of the clause that says what, from 0; the position of the table's row,
// NULL for none; the new values of the columns that UPDATE sets; and, where a clause
// inserts, all columns of the row to insert.
type Merge struct{ Actions []MergeAction }

// MergeAction is what a clause of MERGE does.
type MergeAction uint8

// The actions.
const (
	MergeNothing MergeAction = iota
	MergeUpdate
	MergeDelete
	MergeInsert
)
