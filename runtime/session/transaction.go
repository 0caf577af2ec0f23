package session

import (
	"time"

	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// transaction is the explicit transaction of a session.
type transaction struct {
	Tx         *store.Tx
	Started    time.Time
	Implicit   bool            // opened by BeginBlock or for one statement, and not by BEGIN
	Alone      bool            // of one statement
	queried    bool            // it has taken a snapshot
	First      settings.Values // as it began
	Failed     bool            // a statement failed: nothing but ROLLBACK goes on
	Savepoints []Savepoint
	before     settings.Values // what ROLLBACK goes back to
	Kept       settings.Values // what COMMIT keeps: without SET LOCAL
}

// Savepoint is a named moment of a transaction.
type Savepoint struct {
	Name string
	At   store.Savepoint

	Before, Kept settings.Values
}
