package cubeloom

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/cubeloom/cubeloom/sql/access"
)

// access is who may do what, as the session's statements see it.
func (s *Session) access() *access.State {
	if s.tx != nil {
		return s.tx.tx.Access()
	}
	return s.db.tables.State().Access()
}

// user is the role by whose privileges the session's statements run.
func (s *Session) user() access.OID { return s.settings.CurrentRole }

// superuser reports whether the session's statements may do everything.
func (s *Session) superuser() bool { return s.access().IsSuperuser(s.user()) }

// now is the time that the session's statements see: when the transaction
// began.
func (s *Session) now() time.Time {
	if s.tx != nil {
		return s.tx.started
	}
	return time.Now()
}

// setSeed makes the values of random() those that follow from a number.
func (s *Session) setSeed(seed float64) { s.random = rand.New(rand.NewPCG(math.Float64bits(seed), 0)) }

// start makes a session of a role with the database's settings.
func (db *database) start(id Identity, role *access.Role) *Session {
	id.User = role.Name
	s := &Session{db: db, identity: id, role: role.OID, number: db.sessions.Add(1)}
	s.settings = db.defaults
	s.settings.Become(role)
	s.startup = s.settings
	s.random = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	s.kept = db.memory.Below(s.settings.MemoryLimit)
	return s
}
