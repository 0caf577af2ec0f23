package session

import (
	"sync/atomic"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// Database is what the sessions of a database share.
type Database struct {
	Tables *store.Catalog
	Memory *runtime.Account // of all queries that run
	Device *placement.Device
	// Demand waits until the device is open that the database is to have, and returns why there was
	// none; nil: it is to have none.
	Demand func() error
	// DumpDir is where every stage of every query is written; "": nowhere.
	DumpDir string
	// MinPassword is how many characters a new password has at least, as for CheckPassword.
	MinPassword int
	Defaults    settings.Values // of a new session

	texts    store.Memo   // statements of short texts that only ask
	sessions atomic.Int64 // numbers them
}
