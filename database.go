package cubeloom

import (
	"sync/atomic"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// database is what the sessions of a database share.
type database struct {
	tables *store.Catalog
	memory *runtime.Account // of all queries that run
	device *placement.Device
	// dumpDir is where every stage of every query is written; "": nowhere.
	dumpDir string
	// minPassword is as for CheckPassword.
	minPassword int
	defaults    settings.Values // of a new session

	sessions atomic.Int64 // numbers them
}
