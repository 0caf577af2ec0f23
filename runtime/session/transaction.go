package session

import (
	"time"

	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// transaction is the explicit transaction of a session.
type transaction struct {
	tx         *store.Tx
	started    time.Time
	implicit   bool            // opened by BeginBlock or for one statement, and not by BEGIN
	alone      bool            // of one statement
	queried    bool            // it has taken a snapshot
	first      settings.Values // as it began
	failed     bool            // a statement failed: nothing but ROLLBACK goes on
	savepoints []savepoint
	before     settings.Values // what ROLLBACK goes back to
	kept       settings.Values // what COMMIT keeps: without SET LOCAL
}

// savepoint is a named moment of a transaction.
type savepoint struct {
	name string
	at   store.Savepoint

	before, kept settings.Values
}
