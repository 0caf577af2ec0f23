package cubeloom

import (
	"math/rand/v2"
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

// start makes a session of a role with the database's settings.
func (db *database) start(id Identity, role *Role) *Session {
	id.User = role.Name
	s := &Session{db: db, identity: id, role: role.OID, number: db.sessions.Add(1)}
	s.settings = db.defaults
	s.settings.Become(role)
	s.startup = s.settings
	s.random = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	s.kept = db.memory.Below(s.settings.MemoryLimit)
	return s
}
