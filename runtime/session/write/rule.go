package write

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// rule is a condition that no row of a table may break.
type rule struct {
	store.Check
	// failed is the error of a row that does, the first one of some rows; text is the row as messages
	// show it.
	failed func(rows *store.Table, text string) error
}

// rules are what rows of a table must keep to: its CHECK constraints, and what its partitions ask for.
type rules struct {
	ctx   context.Context
	s     *session.Session
	state *store.State
	table *store.Table // which has the rows
}
